"""The start folder of `pbem table`: its games, and the actions of pages by the commands' functions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.games.memory import Memory
from pbem.cli.web import commands
from pbem.cli.web.signing import has_key, locked, signer
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.games.practice import Person, Practice
    from pbem.cli.web.commands import Said


@dataclass(frozen=True)
class Desk:
    """The start folder of `pbem table`, and the remembered games elsewhere."""

    start: Path
    memory: Memory = field(default_factory=Memory)
    kept: dict[str, tuple[Any, Folder]] = field(default_factory=dict, repr=False, compare=False)
    seated: list[str] = field(default_factory=list, repr=False, compare=False)
    """The one folder of those of several persons at this computer whose pages are open."""

    opened: list[str] = field(default_factory=list, repr=False, compare=False)
    """The game that the first page is, by its short name: the one that `--practice` began."""

    def games(self) -> dict[str, Path]:
        """Return the game folders here and those remembered, by a short name for addresses."""
        from pbem.cli.games.home import games

        return {name_of(root): root for root in (*games(self.start), *self.memory.games())}

    def first_page(self) -> str:
        """Return the first page: the game in which the table was opened, else the page of games."""
        from pbem.archive import layout, private_side
        from pbem.cli.games.home import games

        if self.opened:
            return f"/g/{self.opened[0]}/table"
        entries = games(self.start)
        here = len(entries) == 1 and entries[0] in (self.start.absolute(), *self.start.absolute().parents)
        known = any(
            (self.start / file).is_file() for file in (layout.ROSTER, private_side.INVITATION, "table.json")
        )
        return f"/g/{name_of(entries[0])}/table" if entries and (here or known) else "/"

    def open(self, name: str, passphrase: str | None = None) -> Folder:
        """Return a game folder by its short name; Refused if there is none."""
        from pbem.archive import Folder
        from pbem.cli.shell.language import in_its_language

        root = self.games().get(name)
        if root is None:
            raise Refused(Diagnostic("no-game", Message("cli.web.no-such-game-here")))
        return in_its_language(Folder.open(root, lambda what: passphrase))

    def at_hand(self, name: str) -> Folder:
        """Return a game folder for clicks: the one opened before, if nothing has changed in it."""
        from pbem.cli.shell.language import in_its_language
        from pbem.cli.web.addresses.at_hand import AtHand, looks

        root = self.games().get(name)
        if root is None:
            raise Refused(Diagnostic("no-game", Message("cli.web.no-such-game-here")))
        look = looks(root)
        if name not in self.kept or self.kept[name][0] != look:
            folder = in_its_language(AtHand.open(root))
            self.kept.clear()  # one at a time is enough
            self.kept[name] = (looks(root), folder)
        return self.kept[name][1]

    @property
    def home(self) -> Path:
        """Return the folder for new games: here, or beside the game in whose folder the table was opened."""
        from pbem.cli.games.home import games
        from pbem.cli.games.practice import table_in

        here = self.start.absolute()
        entries = games(here)
        if len(entries) == 1 and entries[0] in (here, *here.parents):
            here = entries[0].parent
        return here.parent if table_in(here) is not None else here

    def fresh(self, title: str) -> Path:
        """Return a new folder for a game, named by its title."""
        from pbem.archive import outbox

        root = self.home / outbox.slug(title)
        number = 1
        while root.exists():
            number += 1
            root = self.home / f"{outbox.slug(title)}-{number}"
        return root

    def with_key(self, passphrase: str | None, words: list[str]) -> Said:
        """Run a command that begins or joins a game; a user without a key gets one first."""
        if not has_key():
            made = commands.run(self.start, "key", "new", passphrase=passphrase)
            if not made.ok:
                return made
        return commands.run(self.start, *words, passphrase=passphrase)

    def practice(self, system_name: str, seat: str) -> str:
        """Begin a game against the computer, or go back to it; its short name."""
        from pbem.cli.games.practice import Person
        from pbem.engine.system import find

        return self.lay(system_name, find(system_name).scenarios()[0], {seat: Person("You")})

    def lay(
        self, system_name: str, scenario: str, people: Mapping[str, Person], *, dice: str = "swift"
    ) -> str:
        """Begin a game on this computer with these persons, or go back to it.

        Returns the short name of the first who is awaited. With dice `pair` two persons play without a game
        master.
        """
        from pbem.cli.games.practice import begin, table_in
        from pbem.engine.system import find

        system = find(system_name)
        for seat in people:
            if seat not in system.players(system.scenario(scenario)):
                raise Refused(
                    Diagnostic("unknown-seat", Message("cli.web.no-such-seat", seat=seat, scenario=scenario))
                )
        first = [scenario] if scenario != system.scenarios()[0] else []
        alone = ["alone"] if dice == "pair" else []
        root = self.home / "-".join((system.name, *first, *people, *alone))
        there = table_in(root)
        if there is None:
            if root.exists() and any(root.iterdir()) and not (root / "table.json").is_file():
                raise Refused(Diagnostic("folder-in-use", Message("cli.demo.folder-is-not-empty", root=root)))
            root.mkdir(parents=True, exist_ok=True)
            title = str(system.scenario(scenario).get("title") or system.title or system.name)
            there = begin(root, system, scenario, people, dice=dice, title=title)
        self.play_on(there.folder)
        for folder in there.folders:
            self.memory.remember(folder)
            self._look(folder)
        return name_of(there.root / next(iter(there.awaited()), there.you))

    # ---- several persons at one computer -----------------------------------------------------------------

    def others_turn(self, name: str) -> Practice | None:
        """Return the table at which this seat's pages are closed, as its person does not play now."""
        root = self.games().get(name)
        table = _around(root) if root is not None else None
        return table if table is not None and str(root) not in self.seated else None

    def sit(self, name: str, passphrase: str | None) -> None:
        """Let this seat's person play, and nobody else.

        Raises Refused if the key does not open.
        """
        from pbem.cli.games.practice import give_link

        folder = self.open(name)
        if locked(folder):
            give_link(folder, signer(folder, passphrase))
            self.play_on(folder.root)
        self.seated[:] = [str(folder.root)]

    def stand_up(self) -> None:
        """Close all pages of games with several persons: nobody plays now."""
        self.seated.clear()
        self.kept.clear()

    def play_on(self, root: Path) -> int:
        """Let the others go on in a practice game; return the number of stages."""
        from pbem.archive import Folder
        from pbem.cli.games.practice import play_on, practice_of

        practice = practice_of(Folder.open(root))
        stages = play_on(practice) if practice is not None else 0
        self._look(root)
        return stages

    def _look(self, root: Path) -> None:
        """Keep where a game stands, while its rules are there, for the page of games of a later visit."""
        from pbem.archive import Folder
        from pbem.cli.web import stood
        from pbem.text.diagnostics import PbemError

        try:
            stood.look(self.memory, Folder.open(root))
        except (PbemError, OSError):  # the page of games says it
            return


def _around(root: Path) -> Practice | None:
    """Return the table of several persons that a folder belongs to; None for all other games."""
    from pbem.cli.games.practice import table_in

    if not (root.parent / "table.json").is_file():
        return None
    table = table_in(root.parent)
    if table is None or len(table.people) < 2 or root not in table.folders:
        return None
    return replace(table, you=root.name)


def around(root: Path) -> list[tuple[str, str, bool]]:
    """Return each player at this computer: seat, short name of the folder, awaited or not.

    [] if one person plays.
    """
    table = _around(root)
    if table is None:
        return []
    awaited = table.awaited()
    return [(person, name_of(table.root / person), person in awaited) for person in table.people]


def name_of(root: Path) -> str:
    """Return the short name of a game folder in addresses."""
    return hashlib.sha256(str(root.absolute()).encode()).hexdigest()[:10]


def verified(folder: Folder) -> tuple[bool, dict[str, list[str]]]:
    """Return whether `pbem verify` finds no fault, and the findings by class."""
    from pbem.archive import verify
    from pbem.cli.games.telling import renderers
    from pbem.cli.games.verified import own_side

    report = verify(folder.root, None, None, own=own_side(folder.root), renderers=renderers)
    listed: dict[str, list[str]] = {}
    for finding in report.findings:
        where = "" if finding.stage is None else Message("cli.verify.stage", stage=finding.stage)
        listed.setdefault(finding.kind, []).append(
            Message("cli.verify.finding", where=where, text=finding.text)
        )
    return report.ok, listed
