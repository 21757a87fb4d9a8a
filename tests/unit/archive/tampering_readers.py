"""Ways to tamper with text for named readers (protocol-letters 3), by the GM, who has all it takes.

In the last stage of the game, `tests/fixtures/murmur`, north wrote to south: GM, north and south read it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout
from pbem.trust import groups, readers, records, seal
from pbem.trust.keys import load_seal_key, seal_public
from tests.unit.archive.forger import Data, Forger

AUDIENCE = ["gm", "north", "south"]
HASH = "ab" * 32


@dataclass(frozen=True)
class OfReaders:
    """A tampering: what is done (it gives the stage), what must be said, and who sees it.

    `reader`: who must look into a private side of their own; "" if anybody finds it. `rules`: only who has
    the rules of the game.
    """

    change: Callable[[Path], int]
    code: str = "readers"
    reader: str = ""
    rules: bool = False


def _listed(*entries: Any) -> Callable[[Path], int]:
    """The record of the last stage lists other readers."""

    def done(root: Path) -> int:
        forger = _not_opened(root)
        forger.record(forger.last, lambda record: record.__setitem__("readers", [*entries]))
        return forger.last

    return done


def _left_out(root: Path) -> int:
    forger = _not_opened(root)
    forger.record(forger.last, lambda record: record.__delitem__("readers"))
    return forger.last


def _not_opened(root: Path) -> Forger:
    forger = Forger(root)
    shutil.rmtree(forger.folder(forger.last + 1))
    for name in ("state.yaml", f"stages/{forger.last:04}/report.txt"):  # what follows from the rest
        (root / name).unlink()
    return forger


def _other_hash_and_opened(root: Path) -> int:
    """The record has another hash than what was opened after the game; the unseal follows the record."""
    forger = Forger(root)
    forger.record(forger.last, lambda record: record.__setitem__("readers", [[AUDIENCE, HASH]]))
    record = forger.data(forger.find(forger.last, "report"))["body"]["record"]
    path = forger.find(forger.last + 1, "unseal")
    forger.write(path, {**forger.data(path), "prev": records.head(record).hex()}, "gm")
    for name in ("state.yaml", f"stages/{forger.last:04}/report.txt"):
        (root / name).unlink()
    return forger.last


def _other_text_opened(root: Path) -> int:
    forger = Forger(root)
    path = forger.find(forger.last + 1, "unseal")
    data = forger.data(path)
    sid = forger.find(forger.last, "order", "north").stem
    data["body"]["openings"][sid]["note"]["value"]["text"] = "I come for you."
    forger.write(path, data, "gm")
    return forger.last + 1


def _viewed(change: Callable[[Data], None], *, fits: bool = True) -> Callable[[Path], int]:
    """South is shown something else; `fits`: the record has the hash of that."""

    def done(root: Path) -> int:
        side = root / "private/reader"
        forger = _not_opened(root)
        stage, game = forger.last, bytes.fromhex(forger.data(forger.find(1, "report"))["game"])
        key = load_seal_key((side / "seal.pem").read_bytes(), None, "south")
        name = root / layout.view_name(stage, "south")
        args = (game, stage, seal.VIEW_KIND, "gm", "south")
        view: Any = seal.unpack_view(seal.unseal(name.read_bytes(), key, *args))
        change(view)
        blob = seal.seal(seal.pack_view(view), seal_public(key), *args)
        name.write_bytes(blob)

        def report(data: Data) -> None:
            data["body"]["views"]["south"] = groups.view_hash(blob).hex()
            if fits:
                entries = [
                    readers.ForReaders(tuple(one["audience"]), one["facts"], one["nonces"])
                    for one in view["readers"]
                ]
                data["body"]["record"]["readers"] = [
                    [[*who], digest] for who, digest in readers.listed(entries, game, stage)
                ]

        forger.report(stage, report)
        return stage

    return done


def _entry(view: Data) -> Data:
    found: Data = view["readers"][0]
    return found


def _text(view: Data) -> None:
    _entry(view)["facts"]["answer/north/note"] = {"to": ["south"], "text": "I come for you."}


def _nonce(view: Data) -> None:
    _entry(view)["nonces"]["north"]["note"] = "0" * 64


def _event(view: Data) -> None:
    event = {"after": 0, "event": {"event": "noted", "rule": "1.2", "by": "north", "text": "more"}}
    _entry(view)["facts"]["event/gm.north.south/0002"] = event


def _invented(view: Data) -> None:
    entry = _entry(view)
    entry["facts"]["answer/south/note"] = {"to": ["north"], "text": "I never wrote this."}
    entry["nonces"]["south"] = {"note": "1" * 64}


def _withheld(view: Data) -> None:
    view["readers"] = []


READERS: Mapping[str, OfReaders] = {
    "the GM does not read a note": OfReaders(_listed([["north", "south"], HASH])),
    "readers of a note without its author": OfReaders(_listed([["east", "gm"], HASH])),
    "a note is for everybody": OfReaders(_listed([["east", "gm", "north", "south"], HASH])),
    "a stranger reads a note": OfReaders(_listed([["gm", "north", "zoe"], HASH])),
    "the GM adds readers to whom nobody wrote": OfReaders(_listed([["east", "gm"], HASH], [AUDIENCE, HASH])),
    "a note that was committed to is for nobody": OfReaders(_left_out, rules=True),
    "an opened note is not what the record hashes": OfReaders(_other_hash_and_opened, "results", rules=True),
    "the GM opens a note as another": OfReaders(_other_text_opened, "unseal"),
    "a reader is shown another text": OfReaders(_viewed(_text), reader="south", rules=True),
    "a reader is shown another nonce": OfReaders(_viewed(_nonce), reader="south", rules=True),
    "a reader is shown an event that nobody wrote": OfReaders(_viewed(_event), reader="south", rules=True),
    "a reader is shown a note that nobody wrote": OfReaders(_viewed(_invented), reader="south", rules=True),
    "a note is withheld from a reader": OfReaders(_viewed(_withheld, fits=False), reader="south", rules=True),
    "a note does not fit the hash of the record": OfReaders(
        _viewed(_text, fits=False), reader="south", rules=True
    ),
}
