"""The place where `pbem table` was started: its games, and what the pages do in their folders by the same
functions that the commands call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli._memory import Memory
from pbem.cli._web import commands
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli._practice import Person, Practice
    from pbem.cli._web.commands import Said

OUTGOING = (".eml", ".txt")


@dataclass(frozen=True)
class Desk:
    """Where `pbem table` was started, and what this computer remembers of games elsewhere."""

    start: Path
    memory: Memory = field(default_factory=Memory)
    kept: dict[str, tuple[Any, Folder]] = field(default_factory=dict, repr=False, compare=False)
    seated: list[str] = field(default_factory=list, repr=False, compare=False)
    """The one folder of those of several persons at this computer whose pages are open."""

    def games(self) -> dict[str, Path]:
        """The game folders of this place and those remembered, by a short name for addresses."""
        from pbem.cli._home import games

        return {name_of(root): root for root in (*games(self.start), *self.memory.games())}

    def first_page(self) -> str:
        """Where the link leads: into the game in which the table was opened, else to the page of games."""
        from pbem.archive import layout, private_side
        from pbem.cli._home import games

        found = games(self.start)
        here = len(found) == 1 and found[0] in (self.start.absolute(), *self.start.absolute().parents)
        known = any(
            (self.start / one).is_file() for one in (layout.ROSTER, private_side.INVITATION, "table.json")
        )
        return f"/g/{name_of(found[0])}/" if found and (here or known) else "/"

    def open(self, name: str, passphrase: str | None = None) -> Folder:
        """A game folder by its short name; Refused if there is none."""
        from pbem.archive import Folder

        root = self.games().get(name)
        if root is None:
            raise Refused(Diagnostic("no-game", "there is no such game here"))
        return Folder.open(root, lambda what: passphrase)

    def at_hand(self, name: str) -> Folder:
        """The same for what every click asks: as it was opened before, if nothing has changed in it."""
        from pbem.cli._web.at_hand import AtHand, looks

        root = self.games().get(name)
        if root is None:
            raise Refused(Diagnostic("no-game", "there is no such game here"))
        look = looks(root)
        if name not in self.kept or self.kept[name][0] != look:
            folder = AtHand.open(root)
            self.kept.clear()  # one at a time is enough
            self.kept[name] = (looks(root), folder)
        return self.kept[name][1]

    @property
    def home(self) -> Path:
        """Where games are begun: here, or beside the game in whose folder the table was opened."""
        from pbem.cli._home import games
        from pbem.cli._practice import table_in

        here = self.start.absolute()
        found = games(here)
        if len(found) == 1 and found[0] in (here, *here.parents):
            here = found[0].parent
        return here.parent if table_in(here) is not None else here

    def fresh(self, title: str) -> Path:
        """A folder for a game that begins, called by its title; no other game is in it."""
        from pbem.archive import outbox

        root = self.home / outbox.slug(title)
        number = 1
        while root.exists():
            number += 1
            root = self.home / f"{outbox.slug(title)}-{number}"
        return root

    def with_key(self, passphrase: str | None, words: list[str]) -> Said:
        """Run a command that begins or joins a game; whoever has no key gets one first."""
        if not has_key():
            made = commands.run(self.start, "key", "new", passphrase=passphrase)
            if not made.ok:
                return made
        return commands.run(self.start, *words, passphrase=passphrase)

    def practice(self, system_name: str, seat: str) -> str:
        """Begin a game against the computer, or go back to it; its short name."""
        from pbem.cli._practice import Person
        from pbem.engine.system import find

        return self.lay(system_name, find(system_name).scenarios()[0], {seat: Person("You")})

    def lay(
        self, system_name: str, scenario: str, people: Mapping[str, Person], *, dice: str = "swift"
    ) -> str:
        """Begin a game on this computer with persons in these seats, or go back to it; the short name of the
        first who is awaited. With dice `pair` two persons play without a game master."""
        from pbem.cli._practice import begin, table_in
        from pbem.engine.system import find

        system = find(system_name)
        for seat in people:
            if seat not in system.players(system.scenario(scenario)):
                raise Refused(Diagnostic("unknown-seat", f"there is no seat '{seat}' in {scenario}"))
        first = [scenario] if scenario != system.scenarios()[0] else []
        alone = ["alone"] if dice == "pair" else []
        root = self.home / "-".join((system.name, *first, *people, *alone))
        there = table_in(root)
        if there is None:
            if root.exists() and any(root.iterdir()) and not (root / "table.json").is_file():
                raise Refused(Diagnostic("folder-in-use", f"{root} is not empty"))
            root.mkdir(parents=True, exist_ok=True)
            title = str(system.scenario(scenario).get("title") or system.title or system.name)
            there = begin(root, system, scenario, people, dice=dice, title=title)
        self.play_on(there.folder)
        for one in there.folders:
            self.memory.remember(one)
        return name_of(there.root / next(iter(there.awaited()), there.you))

    # ---- several persons at one computer -----------------------------------------------------------------

    def others_turn(self, name: str) -> Practice | None:
        """The table at which this seat's pages are closed, because its person does not sit there now."""
        root = self.games().get(name)
        found = _around(root) if root is not None else None
        return found if found is not None and str(root) not in self.seated else None

    def sit(self, name: str, passphrase: str | None) -> None:
        """This seat's person sits down, and everybody else is gone. Refused where his key does not open."""
        from pbem.cli._practice import give_link

        folder = self.open(name)
        if locked(folder):
            give_link(folder, signer(folder, passphrase))
            self.play_on(folder.root)
        self.seated[:] = [str(folder.root)]

    def stand_up(self) -> None:
        """Nobody sits there now: all pages of games with several persons are closed."""
        self.seated.clear()
        self.kept.clear()

    def play_on(self, root: Path) -> int:
        """In a game against the computer let the others go on; gives the stages that were run."""
        from pbem.archive import Folder
        from pbem.cli._practice import play_on, practice_of

        found = practice_of(Folder.open(root))
        return play_on(found) if found is not None else 0


def _around(root: Path) -> Practice | None:
    """The table of several persons that a folder belongs to; None for all other games."""
    from pbem.cli._practice import table_in

    if not (root.parent / "table.json").is_file():
        return None
    found = table_in(root.parent)
    if found is None or len(found.people) < 2 or root not in found.folders:
        return None
    return replace(found, you=root.name)


def around(root: Path) -> list[tuple[str, str, bool]]:
    """Everybody who plays a game at this computer: seat, short name of his folder, is he awaited. Empty where
    one person plays."""
    found = _around(root)
    if found is None:
        return []
    awaited = found.awaited()
    return [(one, name_of(found.root / one), one in awaited) for one in found.people]


def name_of(root: Path) -> str:
    """The short name of a game folder in addresses."""
    return hashlib.sha256(str(root.absolute()).encode()).hexdigest()[:10]


@cache
def seats() -> dict[str, list[str]]:
    """Every installed system with the seats of its first scenario, for a game against the computer.

    A system of others that cannot be loaded keeps nobody from his games: it is not offered.
    """
    from pbem.engine.system import find, installed

    found: dict[str, list[str]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            found[name] = list(system.players(system.scenario(system.scenarios()[0])))
        except (ImportError, PbemError):
            continue
    return found


@cache
def titles() -> dict[str, str]:
    """What every system in `seats` is called."""
    from pbem.engine.system import find

    return {name: find(name).title or name for name in seats()}


@cache
def firsts() -> dict[str, str]:
    """The first scenario of every system in `seats`."""
    from pbem.engine.system import find

    return {name: find(name).scenarios()[0] for name in seats()}


@dataclass(frozen=True)
class Scenario:
    """What can be played: a scenario of an installed system, with its seats and options."""

    system: str
    name: str
    title: str
    seats: list[str]
    options: dict[str, dict[str, Any]]
    alone: bool = False
    """May two play it without a game master?"""


@cache
def scenarios() -> dict[str, list[Scenario]]:
    """Every scenario of every installed system that can be loaded, by the title of the system."""
    from pbem.engine.system import find, installed

    found: dict[str, list[Scenario]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            found[system.title or name] = [_scenario(system, one) for one in system.scenarios()]
        except (ImportError, PbemError):
            continue
    return found


def _scenario(system: Any, name: str) -> Scenario:
    data = system.scenario(name)
    title = str(data.get("title") or f"{system.title or system.name}: {name}")
    seats = list(system.players(data))
    alone = len(seats) == 2 and not system.as_played(system.options(data, {})).hidden
    return Scenario(system.name, name, title, seats, dict(system.option_specs()), alone)


def scenario(system: str, name: str) -> Scenario:
    """One of them; Refused if there is none such."""
    for one in (each for group in scenarios().values() for each in group):
        if (one.system, one.name) == (system, name):
            return one
    raise Refused(Diagnostic("no-scenario", f"there is no scenario {name} of {system} here"))


def has_key() -> bool:
    """Is there a key that new games are begun with?"""
    from pbem.cli._keys import login_key_file, own_key_file, passphrase_is, usual_key
    from pbem.trust.errors import TrustError

    if own_key_file().exists() or login_key_file().exists():
        return True
    try:
        with passphrase_is(""):
            usual_key(None)
    except (TrustError, OSError):
        return False
    return True


def locked(folder: Folder) -> bool:
    """Does whoever signs here have to type a passphrase?"""
    from pbem.cli._keys import key_at_hand

    return folder.me is not None and key_at_hand(folder) is None


def signer(folder: Folder, passphrase: str | None) -> Any:
    """Whoever signs for the owner of a folder; the passphrase is kept nowhere."""
    from pbem.cli._keys import folder_key, passphrase_is

    with passphrase_is(passphrase or ""):
        return folder_key(folder, None)


def sign(folder: Folder, checked: Any, passphrase: str | None) -> list[str]:
    """Sign orders that were checked; the names of the files that are to be sent."""
    from pbem.archive import sign_orders

    files = sign_orders(folder, checked, signer(folder, passphrase))
    return [path.name for path in files if path.suffix in OUTGOING]


def take_in(folder: Folder, data: bytes, name: str) -> list[str]:
    """Take in a mail or a file; a line for each statement found, in the words of its receipt."""
    from pbem.cli._intake import TakenIn
    from pbem.cli._intake import take_in as taking
    from pbem.cli._keys import passphrase_is
    from pbem.mail.read import read_stream

    taken = TakenIn()
    with passphrase_is(""):
        taking(folder, read_stream(BytesIO(data), name), taken)
    lines = [_receipt(one) for one in taken.receipts] + taken.links + taken.returned
    lines += [f"{where}: {text}" for where, text in taken.warnings]
    lines += [f"{len(taken.before)} refused before, and again"] if taken.before else []
    return lines or ["nothing that was signed for a game was found"]


def _receipt(one: Any) -> str:
    return f"{one.outcome}: {one.words}" + (f" ({one.reason})" if one.reason else "")


@dataclass(frozen=True)
class Letter:
    """A letter for a page: `file` is its name in addresses, `link` writes it in a mail program, `text` is its
    attachment to copy."""

    file: str
    name: str
    to: str
    words: str
    state: str
    link: str
    text: str


def letters(folder: Folder, *, whole: bool = False) -> list[Letter]:
    """The letters of a game, newest first: those that wait or did not arrive, with `whole` all."""
    from pbem.archive import waiting_letters

    found = waiting_letters.letters(folder, waiting_letters.book(folder))
    kept = [one for one in found if whole or one.state in ("ready", "partly", "unsure", "draft")]
    return [_letter(folder, one) for one in reversed(kept)]


def _letter(folder: Folder, one: Any) -> Letter:
    from pbem.archive import waiting_letters
    from pbem.mail.envelope import mail_link
    from pbem.mail.read import read as signed_in
    from pbem.trust import armour

    path = folder.root / one.name
    beside = path.with_suffix(".pbem.txt")
    text = beside.read_text("utf-8") if beside.is_file() and not beside.is_symlink() else ""
    link = ""
    if one.state == "ready" and len(text) < MAX_TEXT:
        data = waiting_letters.read(folder, one.name)
        signed = signed_in(data).signed
        short = "\n".join(armour.armour(each) for each in signed)
        link = mail_link(data, text or short, armour_only=short) if signed else ""
    return Letter(path.name, one.name, ", ".join(one.to), one.words, one.state, link, text[:MAX_TEXT])


MAX_TEXT = 20_000
"""Characters of a letter that are shown to be copied; a longer one is saved as a file."""


def letter(folder: Folder, file: str) -> bytes:
    """A letter, or the invitation, by its file name; Refused for any other name."""
    from pbem.archive import waiting_letters

    for one in waiting_letters.letters(folder, waiting_letters.book(folder)):
        if one.name.rpartition("/")[2] == file:
            return waiting_letters.read(folder, one.name)
    if file in invitations(folder):
        return (folder.root / "outbox" / file).read_bytes()
    raise Refused(Diagnostic("no-file", "there is no such letter"))


def invitations(folder: Folder) -> list[str]:
    """The invitation that is to be sent, while seats are free."""
    if not folder.initiates or folder.roster is not None:
        return []
    found = (folder.root / "outbox").glob("*.pbem-invitation")
    return sorted(path.name for path in found if path.is_file() and not path.is_symlink())


def came_in(folder: Folder, most: int = 30) -> list[tuple[str, str]]:
    """What others sent, newest first: in words, and when it came, as far as that was noted."""
    from pbem.archive import arrivals
    from pbem.stages.receipts import words_for

    times = arrivals.arrivals(folder)
    found = (
        [
            (words_for(one), times.get(one.sid, ""))
            for stage in range(folder.progress.open_stage, -1, -1)
            for one, _ in folder.statements(stage)
            if one.sender != folder.me
        ]
        if folder.stage >= 0
        else []
    )
    return found[:most]


def is_practice(folder: Folder) -> bool:
    """Is it a game against the computer on this one?"""
    from pbem.cli._practice import practice_of

    return practice_of(folder) is not None


def can_take_back(folder: Folder) -> bool:
    """Is there an answer to take back in a game against the computer?"""
    from pbem.cli import _practice

    found = _practice.practice_of(folder)
    return found is not None and _practice.can_take_back(found)


def signed_here(folder: Folder) -> str:
    """The orders signed in the open stage that may still be taken back, in words; empty if there are none."""
    from pbem.archive import last_signed

    if folder.role != "player" or folder.stage < 0 or is_practice(folder):
        return ""
    try:
        found = last_signed(folder)
        return found.words if found.statement is not None else ""
    except PbemError:
        return ""


def verified(folder: Folder) -> tuple[bool, dict[str, list[str]]]:
    """What `pbem verify` finds: is it sound, and the findings by class."""
    from pbem.archive import verify
    from pbem.cli._telling import renderers
    from pbem.cli._verified import own_side

    found = verify(folder.root, None, None, own=own_side(folder.root), renderers=renderers)
    listed: dict[str, list[str]] = {}
    for one in found.findings:
        where = f"stage {one.stage}: " if one.stage is not None else ""
        listed.setdefault(one.kind, []).append(where + one.text)
    return found.ok, listed
