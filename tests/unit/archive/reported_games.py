"""Games for tests of what becomes of reports, locks and forks, and of what `verify` says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pbem.archive.adjudicating import correcting, gm_stage, link_due
from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import new_rules, proposing
from pbem.archive.deputies import charging
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.verify import verify
from pbem.stages.two_players import turn_of
from pbem.trust import sshsig
from pbem.trust.armour import Signed
from tests import luck
from tests.primer import FOG, SYSTEM
from tests.unit.archive.games_at_points import Rooms
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in
from tests.unit.archive.test_amendments import agreed, revised
from tests.unit.archive.test_corrections import a_bug
from tests.unit.archive.test_deputies import Deputised, forked, good, handed_over, with_deputy
from tests.unit.archive.test_refusals import asked, idle, north

T = TypeVar("T")


class built(cached_property[T]):
    """What is made once for all cases, with the same luck whichever case comes first."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        def drawn(rooms: Any) -> T:
            with luck.drawn_for(f"{__name__} {make.__name__}"):
                return make(rooms)

        super().__init__(drawn)


def south(table: Table) -> Seat:
    return table.players["south"]


def in_order(mails: list[Path]) -> list[Signed]:
    """What mails carry, by what it is: no digest decides what comes first."""

    def place(one: Signed) -> tuple[object, ...]:
        data = json.loads(one.data)
        return data["stage"], data["type"], data["from"], data["rev"]

    return sorted(statements_in(*mails), key=place)


class Reported(Rooms):
    """Games in which the GM has said something that nobody has read; they are shared, so cases copy them."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.uncorrected: dict[str, Seat] = {}

    def _reported(self, table: Table, by: Seat | None = None) -> tuple[Table, list[Signed]]:
        for seat in table.asked():
            seat.answer_all(chooser(4))
        good(table.post())
        by = by or table.gm
        assert gm_stage.adjudicate(by.folder, by.signer).done
        return table, in_order(by.mails())

    @built
    def before(self) -> dict[str, Table]:
        """Nothing of stage 3 has been said."""
        shown = {"open": SYSTEM, "fog": FOG}
        return {name: begun(self.root / f"before {name}", of_, by=(2, 2)) for name, of_ in shown.items()}

    @built
    def plain(self) -> tuple[Table, list[Signed]]:
        return self._reported(self.before["open"].copy(self.root / "plain"))

    @built
    def foggy(self) -> tuple[Table, list[Signed]]:
        return self._reported(self.before["fog"].copy(self.root / "foggy"))

    @built
    def wrong(self) -> tuple[Table, list[Signed]]:
        """The report of stage 3, which all have, is wrong; it was corrected, which nobody has read."""
        return self._corrected("open")

    @built
    def wrong_fog(self) -> tuple[Table, list[Signed]]:
        return self._corrected("fog")

    def _corrected(self, name: str) -> tuple[Table, list[Signed]]:
        table = self.before[name].copy(self.root / f"wrong {name}")
        with a_bug(table.system):
            table.play_stage(chooser(4))
        self.uncorrected[name] = self.alone(table.gm)
        correcting.correct(table.gm.folder, table.gm.signer)
        return table, in_order(table.gm.mails())

    @built
    def crossed(self) -> tuple[Deputised, list[Signed], list[Signed]]:
        """GM and deputy have reported the same stage, with the same result."""
        table = with_deputy(self.root / "crossed", FOG)
        handed_over(table)
        charging.charge(table.gm.folder, table.gm.signer, "dora")
        good(table.post())
        _, by_gm = self._reported(table)
        self.waiting_deputy = self.alone(table.deputy)
        assert gm_stage.adjudicate(table.deputy.folder, table.deputy.signer).done
        return table, by_gm, in_order(table.deputy.mails())

    @built
    def told(self) -> tuple[Table, list[Signed]]:
        """All have the orders of stage 3, and the lock was sent."""
        return self._told("told", SYSTEM)

    @built
    def told_fog(self) -> tuple[Table, list[Signed]]:
        return self._told("told in the fog", FOG)

    def _told(self, name: str, system: Any) -> tuple[Table, list[Signed]]:
        table = begun(self.root / name, system, by=(5, 5), dice="locked")
        for seat in table.asked():
            seat.answer_all(chooser(5))
        good(table.post())
        assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).locked
        return table, in_order(table.gm.mails())

    @built
    def linked(self) -> tuple[Table, list[Signed]]:
        """The lock has come to all, and one player has answered it."""
        table = self.told[0].copy(self.root / "linked")
        for seat in table.players.values():
            good(seat.receive_signed(*self.told[1]))
        link_due.give_link(south(table).folder, south(table).signer)
        return table, in_order(south(table).mails())

    @built
    def last(self) -> tuple[Table, Seat, list[Signed]]:
        """A game of two: one has run stage 3 with a last link, and the other has not read it."""
        table = begun(self.root / "last", SYSTEM, by=(5, 5), dice="pair")
        while True:
            turn = turn_of(table.progress, north(table).folder)
            seat, other = sorted(table.everybody, key=lambda each: each.name != turn.to_write)
            if link_due.link_due(seat.folder):
                link_due.give_link(seat.folder, seat.signer)
                return table, other, in_order(seat.mails())
            seat.answer_all(chooser(5))
            good(table.post())

    @built
    def torn(self) -> tuple[Deputised, int, dict[str, list[Signed]]]:
        """GM and deputy have reported different things, and all have agreed to play the stage anew."""
        place = self.place()
        table, stage, late = forked(place, SYSTEM)
        said = {"gm": in_order(table.gm.mails()), "dora": in_order(table.deputy.mails())}
        self.untouched = self.alone(idle(table) if late is not idle(table) else south(table))
        self.has_one = self.alone(self.untouched)
        self.has_one.receive_signed(*said["gm"])
        for seat in table.everybody:
            seat.receive_signed(*said["gm"], *said["dora"], *statements_in(*table.late))
        self.disputing = self.alone(self.untouched)
        self.disputing.receive_signed(*said["gm"], *said["dora"], *statements_in(*table.late))
        made = proposing.propose(late.folder, [{"op": "rewind", "to": stage - 1}], [late.signer], aware=True)
        said["half"] = statements_in(*(path for path in made.written if path.name.endswith(".pbem.txt")))
        good(table.post())
        for seat in table.everybody:
            if seat not in (late, table.deputy):
                proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
                good(table.post())
        assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).done
        said["end"] = in_order(table.gm.mails())
        return table, stage, said

    @built
    def renewed(self) -> tuple[Table, Seat, list[Signed]]:
        """South has a new key since stage 3, and has used it; a watcher has read nothing since stage 2."""
        table = self.before["open"].copy(self.root / "renewed")
        watcher, seat, new = self.alone(north(table)), south(table), signer_of("south, later")
        op = {"op": "key", "party": "south", "sign": sshsig.public_line(new.public)}
        begins = len(table.sent)
        proposing.propose(seat.folder, [op], [seat.signer, new])
        good(table.post())
        table.play_stage(chooser(4))
        seat.signer = new
        table.play_stage(chooser(4))
        return table, watcher, statements_in(*table.sent[begins:])

    @built
    def closed(self) -> tuple[Table, Signed]:
        """All have closed stage 3 by going back, after an order that only its sender has."""
        table = self.before["open"].copy(self.root / "closed")
        late = self.alone(asked(table))
        order = statements_in(late.answer_all(chooser(5)))[-1]
        agreed(table, table.gm, {"op": "rewind", "to": 2}, aware=True)
        assert table.run().done
        return table, order

    @built
    def overtaken(self) -> dict[str, Table]:
        """One has signed stage 3 once more, and the GM has run it with the first order; all have both."""
        return {name: self._overtaken(name) for name in self.before}

    def _overtaken(self, name: str) -> Table:
        table = self.before[name].copy(self.root / f"overtaken {name}")
        for seat in table.asked():
            seat.answer_all(chooser(4))
        good(table.post())
        run = self.alone(table.gm)
        asked(table).answer_all(chooser(5))
        good(table.post())
        acknowledge(table.gm.folder, table.gm.signer)
        good(table.post())
        assert gm_stage.adjudicate(run.folder, run.signer).done
        report = in_order(run.mails())
        for seat in table.players.values():
            receive(seat.folder, report, late=True)
        return table

    @built
    def kept_back(self) -> Table:
        """The GM has unsealed a game that went on: some of what was committed to was never opened."""
        table = begun(self.root / "kept back", FOG, by=(2, 2, 2))
        unseal(table.gm.folder, table.gm.signer, early=True)
        good(table.post())
        return table

    @built
    def noted(self) -> tuple[Table, Verified]:
        """A game of which a note was taken when it had played two stages; it has played four."""
        table = self.before["open"].copy(self.root / "noted")
        note = verify(table.gm.root).note
        assert note is not None
        table.play_on(chooser(2), 2)
        return table, note

    @built
    def ruled(self) -> Table:
        """All have agreed to another revision of the rules in stage 3, and two stages were played with it."""
        table = self.before["open"].copy(self.root / "ruled")
        usual = table.system
        with pytest.MonkeyPatch.context() as patch:
            table.system = revised(table, patch)
            agreed(table, table.gm, *new_rules.module_ops(table.gm.folder))
            table.play_on(chooser(4), 2)
        table.system = usual
        return table
