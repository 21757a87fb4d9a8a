"""A game on one computer, with one or several persons.

Each has a seat and a key. The computer plays the others and is the game master, or two persons play without
one (dice `pair`).

Keys, folders, statements, seals and dice are those of any game, and every command works in the folders;
only the emails are carried from folder to folder instead of sent. The folders hold everything, so a
game can be left at any moment and continued later.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text import copies
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, StageResult
    from pbem.cli.games.table import Seat, Table
    from pbem.engine.system import System

NAME = "table.json"
KEPT, BACK, GONE = "before", "taking-back", "taken-back"
MOST_KEPT = 10
"""Answers that can be taken back, one after the other."""


@dataclass(frozen=True)
class Person:
    """A person who plays a seat: the name, and the passphrase of the key (none: it is open)."""

    name: str
    passphrase: str = ""


Watch = Callable[["Practice", "StageResult"], None]


@dataclass
class Practice:
    """A table at which `you` is the present person; `people` are all persons at this computer."""

    root: Path
    you: str
    scenario: str
    seats: list[str]
    dice: str = "swift"
    people: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.people = self.people or (self.you,)

    @property
    def folder(self) -> Path:
        """Return the game folder of the person."""
        return self.root / self.you

    @property
    def folders(self) -> list[Path]:
        """Return the game folders of all persons."""
        return [self.root / party for party in self.people]

    def awaited(self) -> list[str]:
        """Return the persons who are asked and have not answered, in the order of seats.

        Between two without a game master the one who has to write.
        """
        return [party for party in self.people if _owes(self.root / party, party)]

    def table(self, system: System) -> Table:
        """Return the table with the seats from their folders."""
        from pbem.archive import GM
        from pbem.bot.answers import thorough
        from pbem.cli.games.table import Seat, Table
        from pbem.trust.keys import FileSigner, is_locked, public_of

        seats: dict[str, Seat] = {}
        for party in self.seats:
            root = self.root / party
            key = _key_of(root, party)
            signer = _Himself(public_of(key)) if is_locked(key) else FileSigner.load(key)
            seat = Seat(party, party, root, signer)
            if party not in (*self.people, GM):
                seat.brain, seat.standing = thorough, system.standing_well(party)
                seat.filed = any(root.glob(f"outbox/stage-*-{party}-orders-*"))
            seats[party] = seat
        return Table(
            self.root,
            system,
            self.scenario,
            seats=seats,
            mails=len(list((self.root / "mails").glob("*"))),
            dice=self.dice,
            pages=False,
            unread=[party for party in self.seats if party not in self.people],
        )


def _key_of(root: Path, party: str) -> bytes:
    """Return the key file of a seat; Refused if it is gone, as nobody else can replace it here."""
    from pbem.cli.games.table import KEY

    try:
        return (root / KEY).read_bytes()
    except FileNotFoundError:
        from pbem.text.diagnostics import Diagnostic, Refused

        message = Message("cli.practice.key-is-gone", party=party, root=root / KEY)
        help_ = (
            Message("cli.practice.put-the-file-back"),
            Message("cli.practice.without-it-only-reading"),
        )
        raise Refused(Diagnostic("no-key", message, help=help_)) from None


@dataclass(frozen=True)
class _Himself:
    """A person's key with a passphrase: only that person can sign with it."""

    public: bytes

    def sign(self, message: bytes) -> str:
        raise AssertionError("who has a passphrase signs himself")


def practice_of(folder: Folder) -> Practice | None:
    """Return the table that a folder belongs to as the person's; None for a game by email."""
    table = table_in(folder.root.parent)
    if table is None or folder.root not in table.folders:
        return None
    return replace(table, you=folder.root.name)


def table_in(root: Path) -> Practice | None:
    """Return the table in a folder; None if there is none, or it is unfinished."""
    data = _data(root)
    if data is None or not data.get("ready"):
        return None
    if (root / BACK).is_dir():
        _finish(root)
    people = tuple(data.get("people", ()))
    return Practice(root, data["you"], data["scenario"], data["seats"], data["dice"], people)


# ---- taking back ---------------------------------------------------------------------------------------


def keep(folder: Folder) -> None:
    """Save a copy of a table before its owner signs and the others react.

    A folder at no table stays as it is.
    """
    practice = practice_of(folder)
    if practice is None:
        return
    with _one_at_a_time(practice.root):
        _keep(practice)


@contextmanager
def _one_at_a_time(root: Path) -> Iterator[None]:
    """Make other commands at this table wait while this block runs."""
    from pbem.archive import one_command

    with one_command.hold(root, wait=True):
        yield


def _keep(practice: Practice) -> None:
    before = practice.root / KEPT
    before.mkdir(mode=0o700, exist_ok=True)
    kept = _kept(practice.root)
    number = _number(kept[-1]) + 1 if kept else 1
    copies.keep(before, f"{number:05d}-{practice.you}", practice.root, (*practice.seats, "mails"))
    copies.drop(_kept(practice.root)[:-MOST_KEPT])


def can_take_back(practice: Practice) -> bool:
    """Return True if there is an answer to undo; with several persons the last one must be this person's."""
    kept = _kept(practice.root)
    return bool(kept) and kept[-1].name.removesuffix(".json").partition("-")[2] in ("", practice.you)


def take_back(practice: Practice) -> None:
    """Bring the table back to where its owner last signed: the draft, other players, dice not yet rolled.

    If it is cut short, the next command that opens the table finishes it.
    """
    with _one_at_a_time(practice.root):
        kept = _kept(practice.root)
        assert kept, "something was put aside"
        last = kept[-1]
        making = last.with_suffix(".tmp")
        shutil.rmtree(making, ignore_errors=True)
        copies.restore(last, making)
        making.rename(practice.root / BACK)
        copies.drop([last])
        _finish(practice.root)


def _kept(root: Path) -> list[Path]:
    return sorted(path for path in (root / KEPT).glob("*.json") if _number(path))


def _number(path: Path) -> int:
    number = path.name.partition("-")[0]
    return int(number) if number.isdigit() else 0


def _finish(root: Path) -> None:
    """Put what was kept in place, folder by folder."""
    gone = root / GONE
    for path in sorted((root / BACK).iterdir()):
        shutil.rmtree(gone, ignore_errors=True)
        if (root / path.name).exists():
            (root / path.name).rename(gone)
        path.rename(root / path.name)
    shutil.rmtree(gone, ignore_errors=True)
    (root / BACK).rmdir()


def _data(root: Path) -> dict[str, Any] | None:
    path = root / NAME
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_bytes())
    except ValueError:
        return None
    known = isinstance(data, dict) and {"you", "scenario", "seats", "dice"} <= set(data)
    return data if known else None


def begin(
    root: Path, system: System, scenario: str, people: Mapping[str, Person], *, dice: str, title: str
) -> Practice:
    """Set up a table: keys and folders, invitation, roster, the first report. `people` by their
    seats.
    """
    from pbem.archive import GM
    from pbem.cli.games.table import Table

    players = system.players(system.scenario(scenario))
    left = _data(root)
    if left is not None and not left.get("ready"):  # an earlier run was cut short before anything began
        for party in (*left["seats"], "mails"):
            shutil.rmtree(root / party, ignore_errors=True)
    seats = [player for player in players if player in people]
    everybody = players if dice == "pair" else [GM, *players]
    _note(root, Practice(root, seats[0], scenario, list(everybody), dice, tuple(seats)), ready=False)
    bots = [player for player in players if player not in people]
    table = Table(root, system, scenario, dice=dice, pages=False, unread=bots)
    table.sit_down(title, people={seat: person.name for seat, person in people.items()})
    for seat, person in people.items():
        if person.passphrase:
            _lock(root / seat, person.passphrase)
    done = Practice(root, seats[0], scenario, list(table.seats), dice, tuple(seats))
    _note(root, done, ready=True)
    return done


def _lock(folder: Path, passphrase: str) -> None:
    """Encrypt the key of a person with a passphrase."""
    from pbem.cli.games.table import KEY
    from pbem.text.writing import write_all
    from pbem.trust.keys import locked

    path = folder / KEY
    write_all({path: locked(path.read_bytes(), passphrase)}, private=[path])


def _note(root: Path, table: Practice, *, ready: bool) -> None:
    from pbem.text.writing import write_all

    data = {
        "about": Message("cli.practice.game-on-one-computer"),
        "you": table.you,
        "people": list(table.people),
        "scenario": table.scenario,
        "seats": table.seats,
        "dice": table.dice,
        "ready": ready,
    }
    write_all({root / NAME: (json.dumps(data, indent=2) + "\n").encode()})


def play_on(practice: Practice, watch: Watch | None = None) -> int:
    """Carry emails and run stages until the person is asked or the game is over.

    Returns the number of stages.
    """
    with _one_at_a_time(practice.root):
        return _play_on(practice, watch)


def _play_on(practice: Practice, watch: Watch | None) -> int:
    from pbem.archive import Folder, unsealed

    table = practice.table(Folder.open(practice.folder).system)
    _carry(table)
    if practice.dice == "pair":
        return _play_on_between_two(practice, table, watch)
    count = 0
    while True:
        folder = table.gm.folder
        if folder.progress.over:
            if not unsealed(folder):
                table.unseal()
            return count
        asked = folder.progress.asked
        for seat in practice.people:
            if seat in asked:
                _go_on(table.seats[seat])
        if any(seat in asked and not _answered(table.seats[seat]) for seat in practice.people):
            return count
        for party in asked:
            if party not in practice.people and not _answered(table.seats[party]):
                table.answer(table.seats[party])
        _carry(table, always=True)
        done = table.adjudicate()
        count += 1
        if watch is not None and done.run is not None:
            watch(practice, done)


def _go_on(seat: Seat) -> None:
    """Sign for a person who has nothing to decide, as being ready is no question.

    A key with a passphrase opens only for its owner.
    """
    from pbem.archive import order_file, sign_orders

    folder = seat.folder
    if isinstance(seat.signer, _Himself) or _answered(seat) or not order_file.only_ready(folder):
        return
    game, stage = folder.need_roster().game, folder.progress.open_stage
    text = f'game: "{game[: order_file.LABEL]}"\nstage: {stage}\nanswers: {{}}\n'
    checked = order_file.check(folder, order_file.load(folder, text, "ready"))
    if checked.ok:
        sign_orders(folder, checked, seat.signer)


def _play_on_between_two(practice: Practice, table: Table, watch: Watch | None) -> int:
    """Play on without a game master: due links are given, except for keys with a passphrase.

    Such a person gives the link when they play. A link decides nothing.
    """
    from pbem.archive import link_due
    from pbem.stages import two_players

    count = 0
    while True:
        _carry(table, always=True)
        folder = table.gm.folder
        if folder.progress.over:
            table.unseal()
            return count
        owing = [seat for seat in table.seats.values() if link_due(seat.folder)]
        if any(isinstance(seat.signer, _Himself) for seat in owing):
            return count
        if owing:
            done = table.links()
            count += done is not None
            if watch is not None and done is not None and done.run is not None:
                watch(practice, done)
            continue
        writes = two_players.turn_of(folder.progress, folder).to_write
        if writes in practice.people:
            return count
        table.answer(table.seats[writes])


def give_link(folder: Folder, signer: Any) -> None:
    """Give the link that is due from the present person, between two without a game master."""
    from pbem.archive import close_between_two, link_due
    from pbem.cli.games.telling import renderer
    from pbem.cli.shell.language import of_user

    if practice_of(folder) is not None and folder.terms.dice == "pair" and link_due(folder):
        close_between_two(folder, signer, render=renderer(of_user(), pages=False))


def _owes(root: Path, party: str) -> bool:
    """Return True if a party is asked, and has not signed orders for the current stage."""
    from pbem.archive import Folder
    from pbem.stages import two_players

    folder = Folder.open(root)
    if folder.stage >= 0 and folder.terms.dice == "pair":
        over = folder.progress.over
        return not over and two_players.turn_of(folder.progress, folder).to_write == party
    if folder.stage < 0 or party not in folder.progress.asked:
        return False
    return not any(statement.sender == party for statement in folder.of(folder.progress.open_stage, "order"))


def _answered(seat: Seat) -> bool:
    """Return True if the seat has signed orders for the current stage."""
    folder = seat.folder
    return any(statement.sender == seat.id for statement in folder.of(folder.progress.open_stage, "order"))


def _carry(table: Table, *, always: bool = False) -> None:
    """Deliver every letter to those who lack it, also those left by an interrupted run.

    Without `always` only where the folders stand at different stages.
    """
    from pbem.archive import receive
    from pbem.cli.games.telling import renderer
    from pbem.cli.shell.language import of_user
    from pbem.mail.read import read_path

    stages = {party: seat.folder.stage for party, seat in table.seats.items()}
    if len(set(stages.values())) == 1 and not always:
        return
    for party, seat in table.seats.items():
        letters = [
            path
            for other in table.seats.values()
            if other is not seat
            for path in sorted((other.root / "outbox").glob("stage-*.eml"))
            if _stage(path) > stages[party]
        ]
        folder = seat.folder
        statements = [signed for path in letters for signed in read_path(path).signed]
        if statements:
            receive(folder, statements, render=renderer(of_user()))


def _stage(path: Path) -> int:
    number = path.name.split("-")[1]
    return int(number) if number.isdigit() else -1
