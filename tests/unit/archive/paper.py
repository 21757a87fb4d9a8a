"""Statements on paper: what a reader of a stage holds, some of them torn up and some forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.archive.folder.game_folder import Folder
from pbem.stages.faults import Fault
from pbem.stages.progress import Progress
from pbem.trust import records, statements
from pbem.trust.errors import NotAccepted
from pbem.trust.records import Record
from pbem.trust.statements import Statement

KINDS = ("order", "standing", "lock", "link", "report", "charge", "ack", "amend")


class Paper:
    """The statements of one stage, and the ones of earlier stages from a folder."""

    def __init__(self, folder: Folder, stage: int, here: Sequence[Statement] | None = None) -> None:
        self.folder, self.stage = folder, stage
        whole = [one for type_ in KINDS for one in folder.of(stage, type_)]
        self.here = {one.sid: one for one in (whole if here is None else here)}

    def one(self, type_: str, sender: str) -> Statement:
        """The newest statement of a type and a party."""
        mine = [one for one in self.here.values() if (one.type, one.sender) == (type_, sender)]
        return max(mine, key=lambda one: one.rev)

    def without(self, *gone: Statement) -> Paper:
        left = [one for one in self.here.values() if one not in gone]
        return Paper(self.folder, self.stage, left)

    def also(self, *more: Statement) -> Paper:
        return Paper(self.folder, self.stage, [*self.here.values(), *more])

    def find(self, stage: int, sid: str) -> Statement | None:
        return self.here.get(sid) if stage == self.stage else self.folder.find(stage, sid)

    def of(self, stage: int, type_: str) -> Sequence[Statement]:
        if stage != self.stage:
            return self.folder.of(stage, type_)
        return sorted((one for one in self.here.values() if one.type == type_), key=lambda one: one.sid)

    def signatures(self, stage: int, sid: str) -> Sequence[str]:
        return self.folder.signatures(stage, sid)


class Stage:
    """A stage that was played, as somebody reads it who has checked all before it."""

    def __init__(self, folder: Folder, stage: int) -> None:
        self.folder, self.number = folder, stage
        self.progress: Progress = folder.progress_at(stage - 1)
        self.record: Record = folder.record(stage)
        self.paper = Paper(folder, stage)

    def said(self, one: Statement, sender: str | None = None, **changed: Any) -> Statement:
        """A statement with other members of its body, `...` for none, or another `prev` or `rev`."""
        outer = {name: changed.pop(name) for name in ("prev", "rev", "stage") if name in changed}
        body = {name: value for name, value in {**one.body, **changed}.items() if value is not ...}
        whole = {**one.data, **outer, "body": body, "from": sender or one.sender}
        return statements.build(whole)

    def recorded(self, **changed: Any) -> Record:
        """Its record with other members."""
        data = {name: value for name, value in {**self.record.data, **changed}.items() if value is not ...}
        return records.check(data)


def kinds(faults: Sequence[Fault]) -> list[str]:
    """Faults as short words: code, message and whose it is."""
    return [f"{one.code} {last(one.text)} {one.party or '-'}" for one in faults]


def last(text: Any) -> str:
    """The name of a message in its file of words."""
    return str(getattr(text, "id", text)).rsplit(".", 1)[-1]


def refusal(check: Callable[[], object]) -> str:
    """Why something is not accepted, "" if it is."""
    try:
        check()
    except NotAccepted as fault:
        return f"{fault.code} {last(fault.args[-1])}"
    return ""


def other(hex_: str) -> str:
    """Another text of as many hex digits."""
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def put(table: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """A mapping with other values; `...` leaves one out."""
    return {name: value for name, value in {**table, **changed}.items() if value is not ...}
