"""The records and events of the stages in a folder: read once, checked when they were written."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.layout import DERIVED_LIMIT
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import records
from pbem.trust.errors import BadRecord
from pbem.trust.records import Record


class RecordsKept:
    """The results of a game's stages, as far as they are in the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._records: dict[int, Record] = {}

    def forget_records(self, stage: int | None = None) -> None:
        """Forget the record of one stage, or all records, so that they are read again."""
        for number in (stage,) if stage is not None else tuple(self._records):
            self._records.pop(number, None)

    @cached_property
    def stage(self) -> int:
        """Return the last stage that has a record, -1 before the game starts."""
        return next(layout.stages_with(self.root, "record.json"), -1)

    def record(self, stage: int) -> Record:
        """Return the record of a stage; Refused if it is missing or damaged."""
        if stage in self._records:
            return self._records[stage]
        try:
            record = self._records[stage] = records.check(self.stage_json(stage, "record.json"))
            return record
        except BadRecord as fault:
            message = Message(
                "archive.folder.folder-record-json-is-damaged",
                folder=layout.stage_name(stage),
                fault=fault,
            )
            raise Refused(Diagnostic("damaged-file", message)) from None

    def events(self, stage: int) -> list[Json]:
        """Return the public events of a stage.

        Stage 0 has none; its events are among its facts.
        """
        if stage == 0:
            return []
        return narrow.items(self.stage_json(stage, "events.json"))

    def stage_json(self, stage: int, name: str) -> Json:
        """Return a file of a stage; Refused if it is not here, or damaged."""
        path = f"{layout.stage_name(stage)}/{name}"
        data = layout.read(self.root, path, DERIVED_LIMIT)
        if data is None and stage > self.stage:
            message = Message("archive.folder.there-is-no-stage-yet", stage=stage, last=self.stage)
            help_ = (Message("archive.folder.number-in-this-place-is-that-of-stage"),)
            raise Refused(Diagnostic("no-stage", message, help=help_))
        if data is None:
            raise Refused(
                Diagnostic(
                    "no-stage", Message("archive.folder.no-record-of-stage", path=path, stage=self.stage)
                )
            )
        try:
            content: Json = json.loads(data)
            return content
        except ValueError:
            raise Refused(
                Diagnostic("damaged-file", Message("archive.folder.path-is-damaged", path=path))
            ) from None

    @cached_property
    def amended(self) -> list[int]:
        """Return the stages whose records have amendments, the newest first."""
        return list(layout.stages_with(self.root, layout.IN_FORCE))
