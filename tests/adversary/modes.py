"""Games with dice locked, and of two without a GM, in which any party may be the attacker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.archive.adjudicating import gm_stage as stages
from pbem.archive.adjudicating import link_due
from pbem.archive.receiving.receive import Receipt, receive
from pbem.archive.verifying.verify import verify
from pbem.trust.armour import Signed
from tests.adversary.forge import Data, Party, parsed, sid_of
from tests.copying import copied
from tests.unit.archive.table import Seat, Table, chooser, statements_in


class Modes:
    """The folders of a game and its parties as attackers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.parties = {seat.name: Party(seat) for seat in table.everybody}

    def __getattr__(self, name: str) -> Party:
        try:
            return self.parties[name]
        except KeyError:
            raise AttributeError(name) from None

    def seat(self, name: str) -> Seat:
        return self.table.gm if name == "gm" else self.table.players[name]

    def give(self, name: str, *found: Signed, late: bool = False) -> list[Receipt]:
        return receive(self.seat(name).folder, found, late=late)

    def one(self, name: str, *found: Signed, late: bool = False) -> Receipt:
        return self.give(name, *found, late=late)[-1]

    def says_of(self, seat: Seat) -> list[Signed]:
        """What a seat's own tool has written since it was asked last."""
        return statements_in(*seat.mails())

    def order(self, name: str, seed: int = 1) -> list[Signed]:
        """An honest order; nobody has the mail yet."""
        seat = self.seat(name)
        seat.answer_all(chooser(seed))
        return self.says_of(seat)

    def link(self, name: str) -> list[Signed]:
        """An honest link; nobody has the mail yet."""
        seat = self.seat(name)
        link_due.give_link(seat.folder, seat.signer)
        return self.says_of(seat)

    def adjudicate(self, **options: Any) -> list[Signed]:
        """The GM's honest lock or report; nobody has the mail yet."""
        result = stages.adjudicate(self.table.gm.folder, self.table.gm.signer, **options)
        assert result.done, result.missing
        return self.says_of(self.table.gm)

    def false(self, name: str) -> list[str]:
        """What `verify` says is false in somebody's folder."""
        return [finding.code for finding in verify(self.seat(name).root).of("false")]

    def proved(self, name: str) -> list[str]:
        return [finding.code for finding in verify(self.seat(name).root).of("proved")]

    def claimed(self, name: str) -> list[str]:
        return [finding.code for finding in verify(self.seat(name).root).of("claimed")]

    def file(self, name: str, *found: Signed) -> None:
        """Put statements into a stage's folder, as whoever hands over an archive can."""
        for one in found:
            data, sid = parsed(one), sid_of(one)
            folder = self.seat(name).root / f"stages/{data['stage']:04}"
            folder.mkdir(exist_ok=True)
            (folder / f"{sid}.json").write_bytes(one.data)
            (folder / f"{sid}.sig").write_text(one.signatures[0])


def copy_of(table: Table, root: Path) -> Modes:
    """The same game in other folders, as it stands now."""
    twin = object.__new__(Table)
    twin.system, twin.sent, twin.pair = table.system, [], table.pair
    twin.gm = Seat(root / "gm", "gm")
    twin.players = {name: Seat(root / name, name) for name in table.players}
    for old, new in zip(table.everybody, twin.everybody, strict=True):
        copied(old.root, new.root)
        new.mails()
    return Modes(twin)


def of_type(found: list[Signed], type_: str) -> Signed:
    """The one statement of a type."""
    (one,) = [each for each in found if parsed(each)["type"] == type_]
    return one


def changed(by: Party, found: Signed, **body: Any) -> Signed:
    """A statement said again with another body; None takes a member out."""
    data: Data = parsed(found)
    inner = {name: value for name, value in (data["body"] | body).items() if value is not None}
    return by.says(data["type"], inner, stage=data["stage"], prev=data["prev"], rev=data["rev"])
