"""A table of players for tests: each has a folder of his own, and nothing passes between them but mails."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pbem.archive.adjudicating import gm_stage, link_due
from pbem.archive.adjudicating.gm_stage import StageResult
from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder.game_folder import Folder
from pbem.archive.ordering import order_file, signing
from pbem.archive.receiving.receive import Receipt, receive
from pbem.archive.setting_up import before_the_game
from pbem.archive.setting_up.before_the_game import Person
from pbem.engine.resolve import Question
from pbem.engine.system import System
from pbem.stages.progress import Progress
from pbem.stages.two_players import turn_of
from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from tests import luck
from tests.copying import copied

Choose = Callable[["Seat", Question], Any]


def signer_of(name: str) -> FileSigner:
    """The same key for the same name, in every run."""
    return FileSigner.from_seed(hashlib.sha256(f"pbem test {name}".encode()).digest())


def statements_in(*files: Path) -> list[Signed]:
    """What a mail program would hand over."""
    return [signed for file in files for signed in armour.sound(armour.read(file.read_text("utf-8")))]


class Seat:
    """One person at the table: folder, key, and what he does."""

    renderer: Callable[[], Render] | None = None
    """Gives what makes reports in words, if this table has any."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.name = name
        self.signer = signer_of(name)
        self.seen: set[Path] = set()

    @property
    def folder(self) -> Folder:
        return Folder.open(self.root)

    @property
    def person(self) -> Person:
        return Person(self.name.capitalize(), f"{self.name}@example.org", self.signer)

    def mails(self) -> list[Path]:
        """The `.pbem.txt` files written since the last call."""
        files = sorted((self.root / "outbox").glob("*.pbem.txt"))
        new = [file for file in files if file not in self.seen]
        self.seen.update(new)
        return new

    def copy(self, root: Path) -> Seat:
        """The same person with a folder of his own."""
        copied(self.root, root)
        twin = copy.copy(self)
        twin.root, twin.seen = root, {root / file.relative_to(self.root) for file in self.seen}
        return twin

    def receive(self, *mails: Path, late: bool = False) -> list[Receipt]:
        return receive(self.folder, statements_in(*mails), late=late, render=self.render)

    def receive_signed(self, *found: Signed) -> list[Receipt]:
        return receive(self.folder, found, render=self.render)

    @property
    def render(self) -> Render | None:
        return self.renderer() if self.renderer is not None else None

    def file(self, answers: dict[str, Any], standing: list[Any] | None = None) -> str:
        folder = self.folder
        data: dict[str, Any] = {
            "game": folder.need_roster().game[:12],
            "stage": folder.progress.open_stage,
            "answers": answers,
        }
        if standing is not None:
            data["standing"] = standing
        return json.dumps(data, indent=1)

    def order(self, answers: dict[str, Any], standing: list[Any] | None = None) -> Path:
        """Load, check and sign an order file; gives the mail."""
        folder = self.folder
        document = order_file.load(folder, self.file(answers, standing), "orders.yaml")
        checked = order_file.check(folder, document)
        assert checked.ok, checked.diagnostics
        written = signing.sign_orders(folder, checked, self.signer)
        (mail,) = [path for path in written if path.name.endswith(".pbem.txt")]
        return mail

    def answer_all(self, choose: Choose) -> Path:
        folder = self.folder
        return self.order({question.key: choose(self, question) for question in order_file.questions(folder)})


class Table:
    """GM and players around one game; `pair`: two without a GM."""

    pair = False

    def __init__(self, root: Path, system: System, scenario: str, seats: Sequence[str], **terms: Any) -> None:
        self.system = system
        self.gm = Seat(root / "gm", "gm")
        self.players = {name: Seat(root / name, name) for name in seats}
        self.sent: list[Path] = []
        self.pair = terms.get("dice") == "pair"
        host = self.players[seats[0]] if self.pair else self.gm
        terms |= {"seat": seats[0]} if self.pair else {}
        before_the_game.new_game(host.root, system, scenario, host.person, title="Test at dawn", **terms)
        (invitation,) = (host.root / "outbox").glob("*.pbem-invitation")
        for name, seat in self.players.items():
            if seat is not host:
                before_the_game.join(
                    seat.root, before_the_game.read_invitation(invitation.read_bytes()), name, seat.person
                )

    def copy(self, root: Path) -> Table:
        """The same game at the same point, in folders of its own."""
        twin = copy.copy(self)
        twin.gm = self.gm if self.pair else self.gm.copy(root / "gm")
        twin.players = {name: seat.copy(root / name) for name, seat in self.players.items()}
        places = {old.root: new.root for old, new in zip(self.everybody, twin.everybody, strict=True)}
        twin.sent = [places[file.parents[1]] / "outbox" / file.name for file in self.sent]
        return twin

    @property
    def everybody(self) -> list[Seat]:
        return [*([] if self.pair else [self.gm]), *self.players.values()]

    @property
    def progress(self) -> Progress:
        """Where the game is now for the one who is farthest."""
        return max((seat.folder for seat in self.everybody), key=lambda folder: folder.stage).progress

    def post(self) -> list[Receipt]:
        """Everybody sends what is new in his outbox to all others."""
        receipts: list[Receipt] = []
        for sender in self.everybody:
            mails = sender.mails()
            self.sent += mails
            for reader in self.everybody:
                if reader is not sender and mails:
                    receipts += reader.receive(*mails)
        return receipts

    def start(self) -> StageResult:
        """Joins, roster, signatures, stage 0."""
        self.post()
        for seat in self.everybody:
            before_the_game.sign_roster(seat.folder, seat.signer, render=seat.render)
            self.post()
        if self.pair:
            return gm_stage.StageResult(0, True)
        return self.run()

    def follow(self) -> None:
        """Everybody's tool gives the links that are due, until there are none."""
        while True:
            owing = [seat for seat in self.everybody if link_due.link_due(seat.folder)]
            if not owing:
                return
            for seat in owing:
                link_due.give_link(seat.folder, seat.signer, render=seat.render)
            wrong = [receipt for receipt in self.post() if not receipt.good]
            assert not wrong, wrong

    def run(self, **options: Any) -> StageResult:
        """The GM adjudicates and everybody gets the report."""
        render = self.gm.render
        result = gm_stage.adjudicate(self.gm.folder, self.gm.signer, render=render, **options)
        if result.done and not options.get("dry_run"):
            receipts = self.post()
            wrong = [receipt for receipt in receipts if not receipt.good]
            assert not wrong, wrong
        if result.locked:
            self.follow()
            return self.run(**{name: value for name, value in options.items() if name != "forfeits"})
        return result

    def asked(self) -> list[Seat]:
        return [self.players[party] for party in self.progress.asked]

    def play_stage(self, choose: Choose) -> StageResult:
        """All who are asked answer, then the GM runs the stage."""
        if self.pair:
            return self._play_pair(choose)
        for seat in self.asked():
            seat.answer_all(choose)
        receipts = self.post()
        wrong = [receipt for receipt in receipts if not receipt.good]
        assert not wrong, wrong
        return self.run()

    def _play_pair(self, choose: Choose) -> StageResult:
        """Each of two writes when it is his turn, until the stage is over."""
        progress = self.progress
        while self.progress.stage == progress.stage:
            turn = turn_of(progress, self.players[progress.roster.players[0]].folder)
            seat = self.players[turn.to_write]
            if link_due.link_due(seat.folder):
                self.follow()
                continue
            seat.answer_all(choose)
            wrong = [receipt for receipt in self.post() if not receipt.good]
            assert not wrong, wrong
        return gm_stage.StageResult(progress.open_stage, True)

    def play_on(self, choose: Choose, stages: int) -> None:
        """Some stages more, or as many as there are."""
        for _ in range(stages):
            if not self.progress.over:
                self.play_stage(choose)

    def play(self, choose: Choose, most: int = 60) -> int:
        """Play to the end; gives the last stage."""
        while not self.progress.over:
            assert self.progress.stage < most, "the game does not end"
            self.play_stage(choose)
        return self.progress.stage


def chooser(seed: int) -> Choose:
    """Legal options by chance, the same for the same seed."""
    rng = random.Random(seed)

    def choose(seat: Seat, question: Question) -> Any:
        return rng.choice(list(order_file.options(seat.folder, question))).answer

    return choose


_FORD = ("ford", ("north", "south"))
_tables: dict[tuple[object, ...], tuple[System, Table]] = {}


def begun(
    root: Path,
    system: System,
    scenario: str = _FORD[0],
    seats: Sequence[str] = _FORD[1],
    by: Sequence[int] = (),
    over: int | None = None,
    **terms: Any,
) -> Table:
    """A game whose stage 1 is open, or one played on from there.

    `by` has a seed for each stage that is played, each with a chooser of its own; `over` is the seed of one
    who plays it to its end. Such a game is played once in a run of the tests and copied for each; its luck
    hangs on nothing but what it is.
    """
    played = (*by, *(() if over is None else (f"over {over}",)))
    return _begun(system, scenario, tuple(seats), played, {"chain_length": 64} | terms).copy(root)


def _begun(
    system: System,
    scenario: str,
    seats: tuple[str, ...],
    played: tuple[int | str, ...],
    terms: dict[str, Any],
) -> Table:
    name = repr((scenario, seats, played, sorted(terms.items())))
    key = (id(system), name)
    if key in _tables:
        return _tables[key][1]
    before = _begun(system, scenario, seats, played[:-1], terms) if played else None
    root = _shelf() / str(len(_tables))
    with luck.drawn_for(f"{system.name} {name}"):
        if before is None:
            table = Table(root, system, scenario, seats, **terms)
            table.start()
        else:
            table, last = before.copy(root), played[-1]
            if isinstance(last, int):
                table.play_stage(chooser(last))
            else:
                table.play(chooser(int(last.split()[1])))
    _tables[key] = (system, table)
    return table


@cache
def _shelf() -> Path:
    keeper = TemporaryDirectory(prefix="pbem-begun-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
    _kept.append(keeper)
    return Path(keeper.name)


_kept: list[TemporaryDirectory[str]] = []
