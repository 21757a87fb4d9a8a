"""The page of games, and what begins one: a practice game, a new game, an invitation."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bottle

from pbem.cli.club.receiving import reason_of
from pbem.cli.web import catalogue, commands, desk, pages, post, signing
from pbem.cli.web.rooms import Room, Route, go
from pbem.text.browser import in_browser
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message


class AtLobby(Room):
    """The pages for known games, and for new ones."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/", self.lobby),
            ("POST", "/forget", self.forget),
            ("POST", "/practice", self.practice),
            ("GET", "/around/<system>/<scenario>", self.several),
            ("POST", "/around/<system>/<scenario>", self.lay),
            ("POST", "/g/<name>/sit", self.sit),
            ("GET", "/g/<name>/seated", self.seated),
            ("POST", "/leave", self.leave),
            ("GET", "/new", self.scenarios),
            ("GET", "/new/<system>/<scenario>", self.new),
            ("POST", "/new/<system>/<scenario>", self.begin),
            ("GET", "/join", self.invitation),
            ("POST", "/mail", self.mail),
            ("POST", "/join", self.join),
            ("POST", "/take-over", self.take_over),
            ("GET", "/restore", self.backups),
            ("POST", "/restore", self.restore),
            ("GET", "/g/<name>/keep", self.keep),
        ]

    def lobby(self) -> str:
        """Return the page of the games here and those opened before, the soonest deadline first."""
        from pbem.cli.club.listing import soonest

        games, shown = [], set()
        for name, root in self.place.games().items():
            people = desk.around(root)
            if name not in shown:
                shown |= {name, *(other for _, other, _ in people)}
                games.append((name, *self._row_of(name, root), people))
        games.sort(key=lambda game: soonest(game[1]) if game[1] is not None else (False, True, "", True))
        return self.plain(
            "lobby.html.j2",
            games=games,
            seats=catalogue.seats(),
            first=catalogue.firsts(),
            titles=catalogue.titles(),
        )

    def _row_of(self, name: str, root: Path) -> tuple[Any, int, str, str]:
        """Return a game's state with its deadline, its unread reports, why it is broken, and its title."""
        from pbem.cli.web import stood

        memory = self.place.memory
        try:
            found = stood.seen(memory, root) or stood.look(memory, self.place.open(name))
        except PbemError as fault:
            return None, 0, f"{root.name}: {fault}", ""
        except Exception as fault:  # one broken game must not take the others off the page
            return None, 0, f"{root.name}: {reason_of(fault)}", ""
        read, stage = memory.noted(root, "read"), found.entry.standing.stage
        unread = max(0, stage - read) if isinstance(read, int) else 0
        return found.entry, unread, "", catalogue.titles().get(found.system, found.system)

    def forget(self) -> None:
        """Take a game off the list; its folder stays."""
        games = self.place.games()
        root = games.get(self.field("game"))
        if root is not None:
            for _, other, _ in desk.around(root):
                self.place.memory.forget(games.get(other, root))
            self.place.memory.forget(root)
        go("/")

    def practice(self) -> None:
        """Begin a game against the computer."""
        name = self.place.practice(self.field("system"), self.field("seat"))
        go(f"/g/{name}/table")

    # ---- several persons at this computer ----

    def several(self, system: str, scenario: str) -> str:
        """Return the page to choose who plays which seat, each with a key."""
        return self.plain("several.html.j2", found=catalogue.scenario(system, scenario))

    def lay(self, system: str, scenario: str) -> str:
        """Begin it, and go to the page between."""
        from pbem.cli.games.practice import Person

        chosen = catalogue.scenario(system, scenario)
        people = {
            seat: Person(self.field(f"name-{seat}") or seat.capitalize(), self._word(seat))
            for seat in chosen.seats
            if self.field(f"who-{seat}") == "person"
        }
        if not people:
            raise Refused(Diagnostic("no-person", Message("cli.web.no-person")))
        dice = "pair" if self.field("master") == "nobody" else "swift"
        if dice == "pair" and (not chosen.alone or len(people) < 2):
            raise Refused(Diagnostic("not-alone", self.words.say("two-alone-only")))
        self.place.stand_up()
        name = self.place.lay(chosen.system, chosen.name, people, dice=dice)
        go(f"/g/{name}/")
        return ""

    def _word(self, seat: str) -> str:
        return str(bottle.request.forms.getunicode(f"passphrase-{seat}", ""))

    def sit(self, name: str) -> str:
        """Let a person play at this computer."""
        self.place.sit(name, self.passphrase())
        go(f"/g/{name}/")
        return ""

    def seated(self, name: str) -> None:
        """Check that the pages of this seat may stay open.

        Otherwise the page between is the answer.
        """
        raise bottle.HTTPResponse(status=204)

    def leave(self) -> None:
        """Close the person's pages: show the next one's page between, or the page of games."""
        self.place.stand_up()
        to = self.field("to")
        go(f"/g/{to}/" if to in self.place.games() else "/")

    # ---- a new game ----

    def scenarios(self) -> str:
        """Return the page of scenarios."""
        return self.plain("scenarios.html.j2", systems=catalogue.listed())

    def new(self, system: str, scenario: str, key_result: Any = None) -> str:
        """Return the form of a new game."""
        chosen = catalogue.scenario(system, scenario)
        return self.plain(
            "new.html.j2", found=chosen, said=key_result, key=signing.has_key(), given=self.field
        )

    def begin(self, system: str, scenario: str) -> str:
        """Make a folder and an invitation, with a key if there is none yet."""
        chosen = catalogue.scenario(system, scenario)
        dice = self.field("dice")
        options = [
            f"--option={field}" for field in self.fields("option") if "=" in field and not field.endswith("=")
        ]
        root = self.place.fresh(self.field("title") or chosen.title)
        words = [
            *("new", f"--name={self.field('name')}", f"--mail={self.field('mail')}"),
            *(f"--title={self.field('title') or chosen.title}", f"--absent={self.field('absent') or 'stop'}"),
            *(["--pair", f"--as={self.field('seat')}"] if dice == "pair" else [f"--dice={dice or 'swift'}"]),
            *options,
            *([f"--site={site}"] if (site := self.field("site") or own_site()) else []),
            *("--", f"{chosen.system}/{chosen.name}", str(root)),
        ]
        key_result = self.place.with_key(self.passphrase(), words)
        if not key_result.ok:
            return self.new(system, scenario, key_result)
        return self._into(root)

    def _into(self, root: Path) -> str:
        """Go to the emails to send; in a browser, which may forget, a backup is asked for before."""
        self.place.memory.remember(root, read=0)
        go(f"/g/{desk.name_of(root)}/{'keep' if in_browser() else 'post'}")
        return ""

    # ---- a seat moves to another device ----

    def keep(self, name: str) -> str:
        """Return the page that asks for a backup before anything is sent."""
        folder = self.place.open(name)
        saved = bool(self.place.memory.noted(folder.root, "saved"))
        return self.page("keep.html.j2", name, folder, saved=saved)

    def backups(self, fault: str = "") -> str:
        """Return the form that takes a backup in."""
        return self.plain("restore.html.j2", fault=fault)

    def restore(self) -> str:
        """Make a game of a backup; another passphrase is asked for again."""
        from pbem.cli.games.backup import moved_in
        from pbem.trust.backup import restore
        from pbem.trust.errors import BadBackup

        sent, words = self.sent(), self.passphrase()
        if not sent or not words:
            return self.backups(self.words.say("backup-needs-both"))
        try:
            data = restore(sent[0][1].decode("ascii", "replace"), words)
        except BadBackup as fault:
            return self.backups(str(fault))
        root = self.place.fresh(self.words.say("restored-game"))
        folder = moved_in(root, data)
        self.place.memory.remember(folder.root, saved=True)
        go(f"/g/{desk.name_of(folder.root)}/{'table' if folder.stage >= 0 else 'post'}")
        return ""

    # ---- what came ----

    def invitation(self) -> str:
        """Return the page to which an invitation leads: paste it, and nothing else."""
        return self.plain("join.html.j2")

    def mail(self) -> str:
        """Take in emails for all games; an invitation leads to its form."""
        from pbem.cli.web.intake import Arrived, look_at

        sent = self.sent()
        arrived: Arrived = look_at(self.place, sent)
        if arrived.archive:
            return self._handed_on(arrived.archive, None)
        took = [self._taken(name, reading) for name, reading in arrived.games.items()]
        games = [taken for taken in took if taken[2]]
        nothing = post.nothing_in(arrived.reading) if arrived.reading.telling else ""
        if len(arrived.invitations) == 1 and not games:
            return self._invited(arrived.invitations[0][1], None)
        if not (games or arrived.invitations or nothing):
            message = self.words.say("no-mail-of-a-game") if sent else self.words.say("nothing-sent")
            raise Refused(Diagnostic("nothing-found", message))
        if games and not arrived.invitations and all(self.place.others_turn(game[0]) for game in games):
            go(f"/g/{games[0][0]}/")
        invited = [(invitation.terms.title, source.decode()) for invitation, source in arrived.invitations]
        return self.plain(
            "taken.html.j2", games=games, invited=invited, foreign=arrived.foreign, nothing=nothing
        )

    def _taken(self, name: str, reading: Any) -> tuple[str, str, list[str]]:
        """Take in what is for a game, and return its name, its title and what to say of it."""
        folder = self.place.open(name)
        receipts = post.take_in(folder, reading)
        if receipts and self.place.others_turn(name) is not None:  # nobody sees anything of another's
            receipts = [self.words.say("taken-for-another")]
        return name, folder.terms.title, receipts

    def _invited(self, source: bytes, key_result: Any) -> str:
        from pbem.cli.games.joining import own_scenario
        from pbem.cli.shell.language import spoken
        from pbem.cli.web.intake import invitation
        from pbem.stages import gunboat

        opened = invitation(source)
        carried = b64encode(source).decode()
        return self.plain(
            "invited.html.j2",
            found=opened,
            carried=carried,
            said=key_result,
            scenario=[spoken(line) for line in own_scenario(opened, self.place.home)],
            key=signing.has_key(),
            given=self.field,
            mine=opened.terms.salt.hex() in self._begun_here(),
            masked=gunboat.of(opened.terms),
        )

    def _begun_here(self) -> set[str]:
        """Return the salts of games whose GM is on this computer."""
        from pbem.cli.club.games import Index

        return {game.salt for game in Index.of(self.place.games().values()).games if game.is_gm}

    def join(self) -> str:
        """Answer the invitation: a folder, and the email with the entry."""
        from pbem.cli.web.intake import invitation

        source = _carried(self.field("invitation"))
        opened = invitation(source)
        root = self.place.fresh(f"{opened.terms.title} {self.field('seat')}")
        with TemporaryDirectory() as beside:
            file = Path(beside) / "invitation.pbem-invitation"
            file.write_bytes(source)
            words = [
                *("join", f"--as={self.field('seat')}", f"--name={self.field('name')}"),
                *(f"--mail={self.field('mail')}", *self._proxied(root), "--", str(file), str(root)),
            ]
            key_result = self.place.with_key(self.passphrase(), words)
        return self._into(root) if key_result.ok else self._invited(source, key_result)

    def _proxied(self, root: Path) -> list[str]:
        """Return the options for a player whose keys the GM holds: a key of their own, in their folder."""
        if not self.field("proxy"):
            return []
        key = root / "private" / "id_ed25519"
        commands.run(self.place.start, "key", "new", "--no-passphrase", f"--file={key}")
        return ["--proxy", f"--key={key}"]

    # ---- joining a game that goes on ----

    def _handed_on(self, archive: bytes, key_result: Any) -> str:
        """Return the page to choose the seat to take over, in an archive from another player."""
        from pbem.archive import handed_on
        from pbem.cli.games.game_id import ENOUGH, grouped
        from pbem.cli.web.handing_on import unpacked

        with TemporaryDirectory() as beside:
            unpacked(archive, Path(beside))
            handed = handed_on(Path(beside))
        values = {
            "found": handed,
            "id": grouped(handed.game[:ENOUGH]),
            "carried": b64encode(archive).decode(),
        }
        values["deputy"] = _DEPUTY
        return self.plain(
            "handed_on.html.j2", said=key_result, key=signing.has_key(), given=self.field, **values
        )

    def take_over(self) -> str:
        """Make the folder of a new player of a seat, and the email with the entry that the others sign."""
        from pbem.archive import handed_on
        from pbem.cli.web.handing_on import unpacked

        archive = _carried(self.field("archive"))
        with TemporaryDirectory() as beside:
            unpacked(archive, Path(beside))
            root = self.place.fresh(f"{handed_on(Path(beside)).title} {self.field('seat')}")
            deputy = ["--deputy"] if self.field("seat") == _DEPUTY else []
            words = [
                *("join", f"--as={self.field('seat')}", f"--name={self.field('name')}", *deputy),
                *(f"--mail={self.field('mail')}", "--", beside, str(root)),
            ]
            key_result = self.place.with_key(self.passphrase(), words)
        return self._into(root) if key_result.ok else self._handed_on(archive, key_result)


_DEPUTY = "deputy"
"""The id that a page gives to a GM's deputy."""


def own_site() -> str:
    """Return the address of the site on which these pages are; "" on a computer."""
    return pages.root().removesuffix("t") if in_browser() else ""


def _carried(text: str) -> bytes:
    """Return what a form has carried; b"" if somebody has changed it."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""
