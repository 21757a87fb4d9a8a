"""Tools of whoever wants to fool `verify`: changes in a copy of an archive, signed with whatever keys he
has.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout
from pbem.text import canonical
from pbem.trust import dice, statements
from tests.unit.archive.table import signer_of

Data = dict[str, Any]


class Forger:
    """Changes things in a copy of an archive, with whatever keys the forger is supposed to have."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.last = max(layout.stage_numbers(root)) - 1

    def folder(self, stage: int) -> Path:
        return self.root / layout.stage_name(stage)

    def find(self, stage: int, type_: str, sender: str | None = None) -> Path:
        """The file of a statement."""
        for path in sorted(self.folder(stage).glob("*.json")):
            if len(path.stem) == 64:
                data = json.loads(path.read_bytes())
                if data["type"] == type_ and sender in (None, data["from"]):
                    return path
        raise LookupError((stage, type_, sender))

    def stage_with(self, type_: str, sender: str, least: int = 2) -> int:
        """An early stage in which somebody said something of that type."""
        for stage in range(least, self.last + 1):
            try:
                self.find(stage, type_, sender)
            except LookupError:
                continue
            return stage
        raise LookupError((type_, sender))

    def data(self, path: Path) -> Data:
        data_read: Data = json.loads(path.read_bytes())
        return data_read

    def write(self, path: Path, data: Data, signer: str | None = None) -> Path:
        """Replace a statement by another one; signed anew if the forger has the key, else the old signature
        stays.
        """
        sig = path.with_suffix(".sig").read_bytes()
        path.unlink()
        path.with_suffix(".sig").unlink()
        raw = canonical.dumps(data)
        new = path.with_name(f"{statements.sid(raw)}.json")
        new.write_bytes(raw)
        new.with_suffix(".sig").write_bytes(signer_of(signer).sign(raw).encode() if signer else sig)
        return new

    def report(self, stage: int, change: Callable[[Data], None], signer: str = "gm") -> None:
        """The GM signs another report of a stage; derived files follow it."""
        path = self.find(stage, "report")
        data = self.data(path)
        change(data)
        self.write(path, data, signer)
        folder = self.folder(stage)
        (folder / "record.json").write_text(json.dumps(data["body"]["record"]))
        if "events" in data["body"]:
            (folder / "events.json").write_text(json.dumps(data["body"]["events"]))

    def record(self, stage: int, change: Callable[[Data], None]) -> None:
        self.report(stage, lambda data: change(data["body"]["record"]))


def stage_with_roll(f: Forger) -> int:
    for stage in range(1, f.last + 1):
        if list(dice.rolls_in(f.data(f.find(stage, "report"))["body"]["events"])):
            return stage
    raise LookupError("no roll")


def stage_with_events(f: Forger) -> int:
    for stage in range(1, f.last + 1):
        if f.data(f.find(stage, "report"))["body"]["events"]:
            return stage
    raise LookupError("no events")


def stage_with_opening(f: Forger) -> tuple[int, str, str]:
    for stage in range(1, f.last + 1):
        for party, each in f.data(f.find(stage, "report"))["body"]["record"].get("openings", {}).items():
            for decision, entry in each.items():
                if "stage" not in entry:
                    return stage, party, decision
    raise LookupError("no opening")


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below a folder, links as what they point to."""
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(root))] = b"-> " + os.readlink(path).encode()
        elif path.is_file():
            found[str(path.relative_to(root))] = path.read_bytes()[:100_000]
    return found


def stages_of(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[int]:
    """The stages whose files changed."""
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return [int(name.split("/")[1]) for name in names if name.startswith("stages/")]
