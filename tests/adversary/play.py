"""A game in which any party may be the attacker: folders that receive what others forged."""

from __future__ import annotations

from pathlib import Path

from pbem.archive import stage as stages
from pbem.archive.receive import Receipt, receive
from pbem.archive.stage import StageResult
from pbem.archive.verify import verify
from pbem.trust.armour import Signed
from tests.adversary.forge import Party, Report
from tests.unit.archive.table import Seat, Table, chooser, statements_in


class Game:
    """The folders of a game and its parties as attackers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.gm, self.north, self.south = (Party(seat) for seat in table.everybody)

    def seat(self, name: str) -> Seat:
        return self.table.gm if name == "gm" else self.table.players[name]

    def give(self, name: str, *found: Signed, late: bool = False) -> list[Receipt]:
        """A party receives statements in one mail."""
        return receive(self.seat(name).folder, found, late=late)

    def one(self, name: str, found: Signed) -> Receipt:
        (receipt,) = self.give(name, found)
        return receipt

    def answer(self, *names: str, seed: int = 1) -> None:
        """Honest orders of these players (of all who are asked if none are named), mailed to all."""
        for seat in self.table.asked():
            if not names or seat.name in names:
                seat.answer_all(chooser(seed))
        self.table.post()

    def adjudicate(self, **options: object) -> StageResult:
        """The GM runs the stage; nobody has his mail yet."""
        return stages.adjudicate(self.table.gm.folder, self.table.gm.signer, **options)  # type: ignore[arg-type]

    def run(self) -> StageResult:
        """The GM runs the stage and mails it."""
        return self.table.run()

    def report(self) -> Report:
        """Run the stage honestly; the report is not mailed but handed to the forger."""
        result = self.adjudicate()
        assert result.done, result.missing
        return Report(Party(self.table.gm), statements_in(*self.table.gm.mails()), result.stage)

    def play(self, stages_: int, seed: int = 1) -> None:
        for _ in range(stages_):
            self.table.play_stage(chooser(seed))

    def verify(self, name: str = "gm", *, own: bool = False) -> list[str]:
        """What `verify` says is false in somebody's folder."""
        seat = self.seat(name)
        found = verify(seat.root, own=seat.folder.private if own else None)
        return [str(one) for one in found.of("false")]


def everything_outside_private(root: Path) -> dict[str, bytes]:
    """All that may be pushed to a public place."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] != "private"
    }
