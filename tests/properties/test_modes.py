"""Random games in every dice mode with a post office that doubles and shuffles: they end with one head.

People write when they may, revise, file standing orders; every mail comes to everybody in the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.archive.adjudicating import gm_stage as stages
from pbem.archive.adjudicating import link_due
from pbem.archive.adjudicating.unsealing import never_opened, unseal
from pbem.archive.ordering import signing
from pbem.archive.ordering.order_file import Checked
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, statements_in

STANDING = [{"reaction": {"retreat_at_most": 1}}]


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    known, usual = {one.name: one for one in (SYSTEM, FOG)}, systems.find
    monkeypatch.setattr(systems, "find", lambda name: known.get(name) or usual(name))


class Post:
    """Mails on their way: to whom what has not come yet."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.ways: dict[str, list[list[Signed]]] = {seat.name: [] for seat in table.everybody}

    def collect(self) -> None:
        """Take what is in the outboxes."""
        for sender in self.table.everybody:
            for mail in sender.mails():
                found = statements_in(mail)
                for name, way in self.ways.items():
                    if name != sender.name and not mail.name.startswith("refused-"):
                        way.append(found)

    def deliver(self, name: str) -> None:
        """Some of what is on its way to a party, in any order, some of it twice."""
        way = self.ways[name]
        self.rng.shuffle(way)
        count = self.rng.randint(1, len(way)) if way else 0
        mails, self.ways[name] = way[:count], way[count:]
        if mails and self.rng.random() < 0.3:
            self.ways[name].append(mails[0])
        found = [one for mail in mails for one in mail]
        self.rng.shuffle(found)
        if found:
            seat = self.seat(name)
            receipts = receive(seat.folder, found, late=True)
            wrong = [one for one in receipts if one.outcome in ("fork", "unreadable", "unsigned")]
            assert not wrong, wrong

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.table.everybody if seat.name == name)


def acts(seat: Seat, rng: random.Random) -> Iterator[str]:
    """What this person does now, of his own will."""
    folder = seat.folder
    if folder.stage < 0 or folder.progress.over:
        return
    if link_due.link_due(folder):
        link_due.give_link(folder, seat.signer)
        yield "link"
    elif folder.is_gm:
        if rng.random() < 0.8:
            yield "ran" if stages.adjudicate(folder, seat.signer).done else "waits"
    elif folder.me in folder.progress.asked:
        sent = [one for one in folder.of(folder.progress.open_stage, "order") if one.sender == folder.me]
        if not sent or rng.random() < 0.2:
            try:
                seat.answer_all(chooser(rng.randrange(1000)))
                yield "order"
            except Refused as fault:
                assert fault.diagnostics[0].code == "not-your-turn", fault
    if folder.role == "player" and rng.random() < 0.05 and not seat.folder.progress.over:
        signing.sign_orders(seat.folder, Checked(standing=list(STANDING), only_standing=True), seat.signer)
        yield "standing"


def play(table: Table, seed: int, most: int = 4000) -> None:
    rng = random.Random(seed)
    post = Post(table, rng)
    for _ in range(most):
        if all(seat.folder.progress.over for seat in table.everybody):
            return
        seat = rng.choice(table.everybody)
        if rng.random() < 0.6:
            post.deliver(seat.name)
        else:
            list(acts(seat, rng))
        post.collect()
    raise AssertionError(f"no end: {[(s.name, s.folder.stage) for s in table.everybody]}")


GAMES = [(SYSTEM, "swift"), (FOG, "locked"), (SYSTEM, "pair"), (SYSTEM, "locked")]
IDS = [f"{system.name}-{dice}" for system, dice in GAMES]


def one_game(root: Path, system: System, dice: str, seed: int) -> None:
    options = {"turns": 1 + seed % 3}
    table = begun(root, system, dice=dice, options=options)
    play(table, seed)
    assert len({seat.folder.progress.head for seat in table.everybody}) == 1
    for seat in table.everybody:
        found = verify(seat.root, own=seat.folder.private)
        assert found.ok, (seat.name, found.first_bad)
    opened = []
    for seat in table.everybody:
        if seat.folder.is_gm or never_opened(seat.folder, seat.folder.progress):
            unseal(seat.folder, seat.signer)
            opened += statements_in(*seat.mails())
    for seat in table.everybody:
        receive(seat.folder, opened)
        found = verify(seat.root)
        assert found.ok and "results" in {one.code for one in found.of("proved")}, found.findings


@pytest.mark.parametrize(
    ("system", "dice"),
    [
        pytest.param(*game, id=id, marks=IN_CI if game[0].hidden else ())
        for game, id in zip(GAMES[:-1], IDS[:-1], strict=True)
    ],
)
@pytest.mark.parametrize("seed", [1])
def test_a_game_ends_with_one_head_whatever_the_post_does(
    tmp_path: Path, system: System, dice: str, seed: int
) -> None:
    one_game(tmp_path, system, dice, seed)


@pytest.mark.long
@pytest.mark.parametrize(("system", "dice"), GAMES, ids=IDS)
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_games_end_with_one_head(tmp_path: Path, system: System, dice: str, seed: int) -> None:
    one_game(tmp_path, system, dice, seed)
