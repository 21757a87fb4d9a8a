"""Parties that play by email among themselves, each with their own key and folder.

They share nothing but the emails, and use the functions that the commands use. For `pbem demo` and sample
games.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.archive import (
    GM,
    Folder,
    Person,
    Receipt,
    StageResult,
    close_between_two,
    give_link,
    join,
    link_due,
    never_opened,
    new_game,
    order_file,
    read_invitation,
    receive,
    sign_orders,
    sign_roster,
    unseal,
)
from pbem.archive import adjudicate as run_stage
from pbem.archive import answers_ahead as ahead
from pbem.bot.ahead import Ahead, answers_ahead
from pbem.bot.answers import Brain, clever, speaker
from pbem.cli.games.telling import renderer
from pbem.cli.shell.language import in_its_language
from pbem.engine.ahead import name_of
from pbem.engine.rehearsal import Speaker, standpoint
from pbem.engine.resolve import faults_of
from pbem.mail.read import read_path
from pbem.stages import two_players
from pbem.stages.agreements import NOTHING, Agreement
from pbem.stages.deadlines import Deadlines
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.trust.keys import FileSigner, Signer, make_key

if TYPE_CHECKING:
    from pbem.archive import Render
    from pbem.engine.decisions import Decision
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question
    from pbem.engine.system import System

KEY = "private/id_ed25519"
ANSWERS = "private/orders.yaml"
FIRST_DAY = date(2026, 1, 5)
"""A Monday, for the deadlines of games that nobody waits for."""


@dataclass
class Seat:
    """One party at the table: its folder and key, its brain, and its first standing orders.

    `written` are answers by question that were thought of before; they count where they are still legal.
    `given` has the party's answers, advance orders too.
    """

    id: str
    name: str
    root: Path
    signer: Signer
    brain: Brain = clever
    standing: list[Json] = field(default_factory=list)
    written: Mapping[str, Json] = field(default_factory=dict)
    given: dict[str, Json] = field(default_factory=dict)
    filed: bool = False

    @property
    def folder(self) -> Folder:
        """Return the party's folder as it is now."""
        return in_its_language(Folder.open(self.root))

    def take(self, mails: Iterable[Path], render: Render | None = None) -> None:
        """Receive emails; a refusal would be a fault in the program."""
        folder, render = self.folder, render or renderer()
        statements = [signed for mail in mails for signed in read_path(mail).signed]
        bad = [receipt for receipt in receive(folder, statements, render=render) if not _harmless(receipt)]
        if bad:
            raise _fault(
                Message("cli.table.could-not-take", id=self.id, words=bad[0].words, reason=bad[0].reason)
            )


def _harmless(receipt: Receipt) -> bool:
    return receipt.good or receipt.outcome == "waiting"


def _fault(message: Message) -> PbemError:
    return Refused(Diagnostic("table-fault", message))


@dataclass
class Table:
    """The parties of one game, and their emails, kept in order under `root`/emails.

    `ahead`: they answer their next questions ahead where they can, up to the game turn `last`. `days`: how
    many of them everybody has for each answer, by a calendar that begins at `FIRST_DAY`; 0 for no deadlines.
    `pages`: reports go out as pages with maps too, which take most of the time and which only people read.
    `unread`: whose own reports nobody reads.
    """

    root: Path
    system: System
    scenario: str
    seed: str = "demo"
    seats: dict[str, Seat] = field(default_factory=dict)
    mails: int = 0

    dice: str = "swift"
    last: int | None = None
    ahead: bool = True
    days: int = 0
    pages: bool = True
    unread: Collection[str] = ()

    @property
    def gm(self) -> Seat:
        """Return the game master; between two, who began the game."""
        return self.seats[GM] if self.dice != "pair" else next(iter(self.seats.values()))

    @property
    def players(self) -> list[Seat]:
        """Return everybody else, in the order of the scenario's seats."""
        return [seat for seat in self.seats.values() if seat.id != GM]

    # before the game

    def sit_down(
        self,
        title: str,
        keys: Mapping[str, bytes] | None = None,
        people: Mapping[str, str] | None = None,
        options: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        """Set up the game: invitation, joins, roster, signatures, and the GM's first report.

        `keys` are OpenSSH private keys by party; those not given are made. `people` are names by party.
        """
        players = self.system.players(self.system.scenario(self.scenario))
        for party in players if self.dice == "pair" else (GM, *players):
            data = (keys or {}).get(party) or make_key()
            self.seats[party] = self._seat(party, (people or {}).get(party, party.capitalize()), data)
        gm = self.gm
        person = self._person(gm)
        written = new_game(
            gm.root,
            self.system,
            self.scenario,
            person,
            title=title,
            options=options,
            dice=self.dice,
            agreed=Agreement(Deadlines(self.days)) if self.dice == "pair" else NOTHING,
            seat=gm.id,
        )
        invitation = next(path for path in written if path.suffix == ".pbem-invitation")
        mail = self.post([invitation])
        for seat in self.players:
            if seat is gm:
                continue
            opened = read_invitation(read_path(mail[0]).signed[0])
            gm.take(self.post(join(seat.root, opened, seat.id, self._person(seat))), self._renderer)
        for sender in self.seats.values():
            folder = sender.folder
            mails = self.post(sign_roster(folder, sender.signer, render=self._renderer))
            for seat in self.seats.values():
                if seat is not sender:
                    seat.take(mails, self._renderer)
        if self.dice != "pair":
            self.adjudicate()
            return
        for seat in self.seats.values():
            if seat.folder.stage < 0:  # the last signer had all signatures and has nothing to receive
                close_between_two(seat.folder, seat.signer, render=self._renderer)

    def _seat(self, party: str, name: str, key: bytes) -> Seat:
        root = self.root / party
        path = root / KEY
        path.parent.mkdir(parents=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_bytes(key)
        return Seat(party, name, root, FileSigner.load(key))

    def _person(self, seat: Seat) -> Person:
        return Person(seat.name, f"{seat.id}@example.invalid", seat.signer, str(seat.root / KEY))

    # mail

    def post(self, written: Iterable[Path]) -> list[Path]:
        """Post the files of an outbox as numbered copies. Return the emails to read."""
        folder = self.root / "mails"
        folder.mkdir(exist_ok=True)
        sent: list[Path] = []
        outgoing = sorted(path for path in written if path.parent.name == "outbox")
        mails = [path for path in outgoing if path.suffix == ".eml"] or outgoing
        for path in mails:
            self.mails += 1
            copy = folder / f"{self.mails:04}-{path.name}"
            shutil.copyfile(path, copy)
            sent.append(copy)
        return sent

    # the game

    def answer(self, seat: Seat) -> list[Path]:
        """Let a player answer every open question: order file, check, signature, mail."""
        folder = seat.folder
        game, stage_ = folder.need_roster().game, folder.progress.open_stage
        lines = [f'game: "{game[: order_file.LABEL]}"', f"stage: {stage_}", "answers:"]
        asked = order_file.questions(folder)
        given = {question.key: self._thought(seat, folder, question) for question in asked}
        lines += [f"  {key}: {flow(value)}" for key, value in given.items()]
        sent = self._ahead(seat, folder, asked, given)
        lines += [f"  {kind}: {flow(value)}" for kind, value in sent.secrets.items()]
        in_force = ahead.in_force(folder)
        if sent.entries:
            lines.append(f"ahead: {flow(list(sent.entries))}")
        gone = [name_of(entry) for entry in sent.withdrawn(in_force)]
        left = [entry for entry in in_force if name_of(entry) not in gone]
        left += [entry for entry in sent.entries if folder.system.sealed_as(entry, ahead=True) is None]
        if gone and (left or folder.system.hidden):  # an order cannot empty a public list
            lines.append(f"withdraw: {flow(list(gone))}")
        if seat.standing and not seat.filed:
            lines.append(f"standing: {flow(seat.standing)}")
            seat.filed = True
        path = seat.root / ANSWERS
        path.touch(mode=0o600)
        path.write_bytes(("\n".join(lines) + "\n").encode())
        document = order_file.load(folder, path.read_bytes(), ANSWERS)
        checked = order_file.check(folder, document, speaks=False)
        return self.post(sign_orders(folder, checked, seat.signer))

    def _ahead(
        self, seat: Seat, folder: Folder, asked: Sequence[Question], given: Mapping[str, Json]
    ) -> Ahead:
        """Return the advance orders that a player can give with these answers."""
        if not asked or not self.ahead:
            return Ahead()
        view = folder.view().game
        view.stage = folder.progress.open_stage
        state = standpoint(view, asked[0]) if view.system.hidden else folder.state()
        standing = ahead.in_force(folder) or seat.standing
        sent = answers_ahead(
            view,
            state,
            asked,
            given,
            seat.id,
            lambda: self._speaker(seat, folder.progress.open_stage),
            standing=standing,
            secrets=self.dice != "pair",
            last=self.last,
        )
        seat.given |= sent.answers
        return sent

    def _speaker(self, seat: Seat, stage: int) -> Speaker:
        """Return a brain for advance orders: it gives the written answer if legal, else its own."""
        thinks = speaker(seat.brain, f"{self.seed}/{stage}/{seat.id}")

        def says(game: Game, decision: Decision[Any], question: Question) -> Json:
            written = seat.written.get(question.key)
            if question.key in seat.written and not faults_of(game, decision, written):
                return written
            return thinks(game, decision, question)

        return says

    def _thought(self, seat: Seat, folder: Folder, question: Question) -> Json:
        view = folder.view()
        decision = view.system.decision(question.kind, question.party, question.fields)
        answer = seat.written.get(question.key)
        if question.key not in seat.written or faults_of(view.game, decision, answer):
            rng = random.Random(f"{self.seed}/{folder.progress.open_stage}/{question.party}/{question.key}")
            view.game.asked = question.key
            answer = seat.brain(view.game, decision, rng)
        seat.given[question.key] = answer
        return answer

    def adjudicate(self) -> StageResult:
        """Run the stage as the GM and mail the report.

        With dice locked the lock comes first, and everybody's link.
        """
        folder = self.gm.folder
        by, render = self._due(folder.stage + 1), self._renderer
        result = run_stage(folder, self.gm.signer, by=by, render=render)
        if result.done and result.locked:
            self._send(self.gm, self.post(result.written))
            self.links()
            result = run_stage(self.gm.folder, self.gm.signer, by=by, render=render)
        if not result.done:
            missing = ", ".join(f"{party}: {why}" for party, why in result.missing.items())
            raise _fault(Message("cli.table.stage-cannot-be-run", stage=result.stage, missing=missing))
        self._send(self.gm, self.post(result.written))
        return result

    @cached_property
    def _renderer(self) -> Render:
        """Return a renderer for all of them: the GM's report, and the same one in each player's folder."""
        return renderer(pages=self.pages, unread=self.unread)

    def _due(self, stage: int) -> str | None:
        """Return when answers to the report of a stage are due, as its GM states it."""
        return f"{FIRST_DAY + (stage + 1) * timedelta(self.days)} 20:00 UTC" if self.days else None

    def _send(self, sender: Seat, mails: list[Path]) -> None:
        for seat in self.seats.values():
            if seat is not sender:
                seat.take(mails, self._renderer)

    def links(self) -> StageResult | None:
        """Give every due link until none is left, and return the result of the last one."""
        result: StageResult | None = None
        while owing := [seat for seat in self.seats.values() if link_due(seat.folder)]:
            for seat in owing:
                folder = seat.folder
                if self.dice == "pair":
                    result = close_between_two(folder, seat.signer, render=self._renderer)
                    written = result.written
                else:
                    written = give_link(folder, seat.signer)
                self._send(seat, self.post(written))
        return result

    def unseal(self) -> None:
        """Unseal the game: the GM everything, and each player what only they can open."""
        for seat in self.seats.values():
            if seat.id == GM or never_opened(seat.folder, seat.folder.progress):
                self._send(seat, self.post(unseal(seat.folder, seat.signer)))

    def play(self, turns: int, watch: Callable[[StageResult, int], None] | None = None) -> bool:
        """Play until a game turn after the last of `turns` begins; return True if the game is over.

        Nobody sends advance orders for a later turn.

        `watch` gets each stage and the number of its game turn.
        """
        self.last = turns
        while not self.gm.folder.progress.over:
            result = self.play_stage()
            if result.run is None:
                continue
            turn = turn_of(result.run.state.at)
            if watch:
                watch(result, turn)
            if turn > turns:
                break
        return self.gm.folder.progress.over

    def play_stage(self) -> StageResult:
        """Have everybody who is asked answer by email to all, then run the stage."""
        if self.dice == "pair":
            return self._play_pair()
        asked = self.gm.folder.progress.asked
        mails = [mail for party in asked for mail in self.answer(self.seats[party])]
        for seat in self.seats.values():
            seat.take(mails, self._renderer)
        return self.adjudicate()

    def _play_pair(self) -> StageResult:
        """Have each of two write in turn; the last statement ends the stage."""
        while True:
            progress = self.gm.folder.progress
            result = self.links()
            if result is not None:
                return result
            turn = two_players.turn_of(progress, self.gm.folder)
            seat = self.seats[turn.to_write]
            self._send(seat, self.answer(seat))


def turn_of(at: Iterable[object]) -> int:
    """Return the number of the outermost loop: the game turn; 1 in a game without one."""
    for frame in at:
        if isinstance(frame, Mapping) and isinstance(frame.get("n"), int):
            return int(frame["n"])
    return 1
