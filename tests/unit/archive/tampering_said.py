"""Ways to tamper with what players said."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.unit.archive.forger import (
    Data,
    Forger,
)
from tests.unit.archive.table import signer_of


@dataclass(frozen=True)
class Wanted:
    """What verify must say: its code, and who is named (None: nobody has to be)."""

    code: str
    party: str | None = None


def _order_text(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["orders"] = [{"answer": "changed", "decision": "card"}]
    f.write(path, data)


def _foreign_signer(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    f.write(path, f.data(path), "mallory")


def _other_party(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    f.write(path, f.data(path), "south")


def _other_game(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["game"] = "ab" * 32
    f.write(path, data, "north")


def _other_history(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["prev"] = "ab" * 32
    f.write(path, data, "north")


def _moved_stage(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    for suffix in (".json", ".sig"):
        shutil.copy(path.with_suffix(suffix), f.folder(stage + 1) / path.with_suffix(suffix).name)


def _renamed(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    for suffix in (".json", ".sig"):
        path.with_suffix(suffix).rename(path.with_name(f"{'0' * 64}{suffix}"))


def _no_signature(f: Forger, stage: int) -> None:
    f.find(stage, "order", "north").with_suffix(".sig").unlink()


def _no_statement(f: Forger, stage: int) -> None:
    f.find(stage, "order", "north").unlink()


def _gone(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    path.unlink()
    path.with_suffix(".sig").unlink()


def _not_canonical(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    raw = path.read_bytes().replace(b'"body":', b'"body" :', 1)
    path.write_bytes(raw)
    path.with_suffix(".sig").write_text(signer_of("north").sign(raw))


def _unknown_member(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["extra"] = 1
    f.write(path, data, "north")


def _damaged_signature(f: Forger, stage: int) -> None:
    sig = f.find(stage, "order", "north").with_suffix(".sig")
    lines = sig.read_text().split("\n")
    lines[-4] = lines[-4][:-6] + ("AAAAAA" if not lines[-4].endswith("AAAAAA") else "BBBBBB")
    sig.write_text("\n".join(lines))


def _swapped_order(f: Forger, stage: int) -> None:
    """The player himself replaces an order that the record has accepted."""
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["standing"] = [{"decision": "card", "answer": "calm"}]
    f.write(path, data, "north")


def _second_revision(f: Forger, stage: int) -> None:
    """The GM throws away the order a record names and puts in another one the player did sign."""
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["rev"] = 7
    new = f.write(path, data, "north")
    f.record(stage, lambda record: record["accepted"].__setitem__("north", new.stem))


def _invented_order(f: Forger, stage: int) -> None:
    """The GM makes up an order and signs it himself."""
    path = f.find(stage, "order", "north")
    new = f.write(path, f.data(path), "gm")
    f.record(stage, lambda record: record["accepted"].__setitem__("north", new.stem))


def _left_out(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        record["accepted"]["north"] = None
        record["forfeits"] = ["north"]
        record["links"].pop("north", None)

    f.record(stage, change)


SAID: Mapping[str, tuple[Callable[[Forger, int], None], Wanted]] = {
    "an order is changed after it was signed": (_order_text, Wanted("signature", "north")),
    "an order is signed by a stranger": (_foreign_signer, Wanted("signer", "north")),
    "an order is signed by another player": (_other_party, Wanted("sender", "north")),
    "an order is for another game": (_other_game, Wanted("game", "north")),
    "an order answers another history": (_other_history, Wanted("missing", "north")),
    "an order is copied into another stage": (_moved_stage, Wanted("other-stage", "north")),
    "a statement has another name than its id": (_renamed, Wanted("other-name", "north")),
    "a signature is taken away": (_no_signature, Wanted("no-signature")),
    "a statement is taken away and its signature left": (_no_statement, Wanted("no-statement")),
    "an order is taken away": (_gone, Wanted("missing", "north")),
    "an order is not canonical": (_not_canonical, Wanted("canonical")),
    "an order has an unknown member": (_unknown_member, Wanted("schema")),
    "a signature is damaged": (_damaged_signature, Wanted("signature", "north")),
    "a player replaces the order that counts": (_swapped_order, Wanted("missing", "north")),
    "the GM takes another revision": (_second_revision, Wanted("prev")),
    "the GM makes up an order": (_invented_order, Wanted("sender", "north")),
    "the GM leaves out an order": (_left_out, Wanted("seed")),
}
