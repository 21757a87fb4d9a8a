"""The desk: who owes what, running the game, rulings, amendments; what can be trusted, and back-ups."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.shell import language
from pbem.cli.web import commands, desk, post, signing
from pbem.cli.web.actions import ACTIONS, Action, Form
from pbem.cli.web.rooms import Room, Route
from pbem.cli.web.words import words
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.web.commands import Said

_SECRET = ("passphrase", "yes")


class AtDesk(Room):
    """The pages for a game master, for agreements, and for checks."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/desk", self.desk),
            ("POST", "/g/<name>/do", self.do),
            ("GET", "/g/<name>/trust", self.trust),
            ("POST", "/g/<name>/trust", self.verify),
            ("POST", "/g/<name>/backup", self.backup),
            ("GET", "/g/<name>/archive", self.archive),
        ]

    def desk(self, name: str) -> str:
        """Return the page with who owes what, and what can be done about it."""
        from pbem.archive import ended, seat_addresses, unsealed
        from pbem.cli.games.deputy_state import lines_of_deputy, steps_of
        from pbem.cli.post.plain_replies import waiting
        from pbem.stages import gunboat
        from pbem.stages.plain_replies import writers

        folder = self.place.open(name)
        begun = folder.roster is not None and not folder.unsigned()
        over = folder.stage >= 0 and ended(folder)
        values: dict[str, Any] = {
            "proposals": self._proposals(folder),
            "options": folder.system.option_specs(),
            "powers": self._powers(folder),
            "waiting": waiting(folder.root) if folder.me == "gm" else [],
            "writers": list(writers(folder.need_roster())) if begun and folder.me == "gm" else [],
            "begun": begun,
            "over": over,
            "opened": over and unsealed(folder),
            "player": folder.role == "player",
            "masked": gunboat.of(folder.terms),
            "unknown": seat_addresses.without_address(folder),
            "deputy": lines_of_deputy(folder) if begun else [],
            "acts": steps_of(folder) if begun else [],
            "practice": signing.is_practice(folder),
        }
        return self.page("desk.html.j2", name, folder, **values)

    def _proposals(self, folder: Folder) -> list[dict[str, Any]]:
        from pbem.archive import two_reports
        from pbem.cli.games.amend import lines_of, waits_for_me

        proposed = two_reports.proposed(folder)
        return [
            {
                "sid": proposal.statement.sid,
                "lines": lines_of(folder, proposal),
                "mine": folder.me is not None and waits_for_me(folder, proposal),
            }
            for proposal in proposed
        ]

    def _powers(self, folder: Folder) -> list[str]:
        return list(folder.view().game.powers) if folder.stage >= 0 else []

    # ---- doing ----

    def do(self, name: str) -> str:
        """Run one of the commands of pages.

        What is signed by agreement is shown first.
        """
        action = ACTIONS.get(self.field("what"))
        if action is None:
            raise Refused(Diagnostic("no-action", Message("cli.web.no-action")))
        folder = self.place.open(name)
        looks = action.looks and not self.field("yes")
        with TemporaryDirectory() as beside:
            outcome = self._said(folder, action, Path(beside), looks)
        self.place.play_on(folder.root)
        if looks and outcome.code == 2:
            return self._look(name, outcome)
        label = words(language.code()).say("deadline-passed")  # the box of this page, not the option
        lines = [line.replace("--deadline-passed", f'"{label}"') for line in outcome.lines]
        values: dict[str, Any] = {"lines": lines, "good": outcome.ok, "fields": []}
        values["letters"] = post.letters(self.place.open(name))
        if outcome.ok and self.field("what") == "look":
            values["fields"] = [("what", "run"), *self._filled("what")]
        return self.page("done.html.j2", name, self.place.open(name), **values)

    def _filled(self, *apart: str) -> list[tuple[str, str]]:
        """Return the filled fields to send again, without secrets."""
        form = bottle.request.forms.decode()
        return [(key, value) for key, value in form.allitems() if key not in (*_SECRET, *apart) and value]

    def _said(self, folder: Folder, action: Action, beside: Path, looks: bool) -> Said:
        """Run the command of an action. A file that was sent is handed on as a file."""
        entry = ""
        for data in self._files():
            file = beside / "entry.txt"
            file.write_bytes(data)
            entry = str(file)
        form = Form(
            lambda field: entry if field == "entry" and entry else self.field(field),
            lambda field: [text for text in self.fields(field) if text.strip()],
        )
        arguments = action.words(form)
        if action.looks and not looks:
            at = arguments.index("--") if "--" in arguments else len(arguments)
            arguments.insert(at, "--yes")
        return commands.run(folder.root, *arguments, passphrase=self.passphrase())

    def _files(self) -> list[bytes]:
        """Return the file that was sent, or that the preview has carried."""
        try:
            carried = b64decode(self.field("carried"), validate=True)
        except ValueError:
            carried = b""
        return [data for _, data in self.sent()] or ([carried] if carried else [])

    def _look(self, name: str, outcome: Said) -> str:
        """Return the preview: the public words, and the form to sign them."""
        lines = []
        for line in outcome.lines:
            if line.startswith("Usage:"):
                break
            lines.append(line)
        if not lines:
            values = {"lines": outcome.lines, "good": False, "letters": [], "fields": []}
            return self.page("done.html.j2", name, self.place.open(name), **values)
        fields = self._filled()
        fields += [("carried", b64encode(data).decode()) for _, data in self.sent()]
        return self.page("look.html.j2", name, self.place.open(name), lines=lines, fields=fields)

    # ---- trust ----

    def trust(self, name: str, report: Any = None, ok: bool | None = None) -> str:
        """Return the page of checks."""
        from pbem.cli.games.game_id import ENOUGH, grouped
        from pbem.trust import sshsig

        folder = self.place.open(name)
        parties = folder.roster.parties if folder.roster is not None else ()
        keys = [(party.id, party.name, party.mail, sshsig.fingerprint(party.sign)) for party in parties]
        shown = grouped(folder.roster.game[:ENOUGH]) if folder.roster is not None else ""
        saved = bool(self.place.memory.noted(folder.root, "saved"))
        values = {"found": report, "ok": ok, "keys": keys, "id": shown, "saved": saved}
        return self.page("trust.html.j2", name, folder, **values)

    def verify(self, name: str) -> str:
        """Check the whole archive."""
        ok, verified = desk.verified(self.place.open(name))
        return self.trust(name, verified, ok)

    def archive(self, name: str) -> bytes:
        """Return the public archive of the game as one file, for a player who takes over a seat."""
        from pbem.archive import outbox
        from pbem.cli.web.handing_on import packed

        folder = self.place.open(name)
        data = packed(folder)
        bottle.response.content_type = "application/zip"
        called = f"{outbox.slug(folder.terms.title)}.pbem-archive.zip"
        bottle.response.set_header("Content-Disposition", f'attachment; filename="{called}"')
        return data

    def backup(self, name: str) -> bytes | str:
        """Return the private side as one file, encrypted with the passphrase typed."""
        from pbem.archive import outbox
        from pbem.cli.games.backup import pack
        from pbem.trust.backup import backup as encrypted

        folder = self.place.open(name)
        words = self.passphrase()
        if not words:
            raise Refused(Diagnostic("no-passphrase", self.words.say("backup-needs-passphrase")))
        folder.need_me()
        data = encrypted(pack(folder, whole=True), words).encode()
        self.place.memory.remember(folder.root, saved=True)
        called = f"{outbox.slug(folder.terms.title)}-{folder.me}.pbem-backup"
        bottle.response.content_type = "application/octet-stream"
        bottle.response.set_header("Content-Disposition", f'attachment; filename="{called}"')
        return data
