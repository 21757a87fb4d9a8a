"""A game in which any party may be the attacker: folders that receive what others forged."""

from __future__ import annotations

import shutil
from pathlib import Path

from pbem.archive.adjudicating import gm_stage as stages
from pbem.archive.adjudicating.gm_stage import StageResult
from pbem.archive.receiving.receive import Receipt, receive
from pbem.archive.verifying.verify import verify
from pbem.trust.armour import Signed
from tests.adversary.forge import Party, Report, bytes_of
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
        verified = verify(seat.root, own=seat.folder.private if own else None)
        return [str(finding) for finding in verified.of("false")]


class Pending:
    """A stage that the GM has run while the players wait for the report: to try one lie after another."""

    def __init__(self, game: Game) -> None:
        self.game = game
        orders = honest_orders(game)
        for name in ("gm", "north", "south"):
            game.give(name, *orders)
        assert game.adjudicate().done
        self._mails = statements_in(*game.table.gm.mails())
        self._party = Party(game.table.gm)

    @property
    def report(self) -> Report:
        """The honest report, to be changed."""
        return Report(self._party, self._mails, 1)

    def told(self, name: str, mail: list[Signed]) -> list[Receipt]:
        """What a player is told of a mail that he must not believe; his folder forgets it again."""
        root = self.game.seat(name).root
        before = bytes_of(root)
        receipts = self.game.give(name, *mail)
        stage, after = self.game.seat(name).folder.stage, bytes_of(root)
        for file in {*before, *after}:
            if file not in before:
                (root / file).unlink()
            elif before[file] != after.get(file):
                (root / file).write_bytes(before[file])
        shutil.rmtree(root / "stages/0001/views", ignore_errors=True)
        assert stage == 0 and bytes_of(root) == before, receipts
        touched = {file for file in {*before, *after} if before.get(file) != after.get(file)}
        assert {file.split("/")[0] for file in touched} <= {"inbox", "outbox"}, touched
        return [receipt for receipt in receipts if receipt.outcome in ("refused", "waiting")]


def everything_outside_private(root: Path) -> dict[str, bytes]:
    """All that may be pushed to a public place."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] != "private"
    }


def honest_orders(game: Game) -> tuple[Signed, Signed]:
    """Honest orders: north's card is opened in the stage, what he commits for later is kept."""
    return game.north.order(secret={"T1/cards/card": "calm", "later": 1}), game.south.order()


def unbegin(game: Game) -> list[Signed]:
    """Put the players' folders before the GM's first report; gives the mail it is in."""
    for name in ("north", "south"):
        root = game.seat(name).root
        shutil.rmtree(root / "stages")
        for file in ("state.yaml", "private/state-copy.yaml", "private/facts.json", "private/view.yaml"):
            (root / file).unlink(missing_ok=True)
        assert game.seat(name).folder.stage == -1
    (mail,) = (game.gm.root / "outbox").glob("stage-0000-*.pbem.txt")
    return statements_in(mail)


def without_south(report: Report) -> None:
    """South is left out, with links and seed as they would be without him."""
    report.record["accepted"]["south"] = None
    report.record["forfeits"] = ["south"]
    del report.record["links"]["south"]
    report.reseed()
