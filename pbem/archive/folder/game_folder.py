"""A game folder: its files, its owner, and the progress of its game (protocol 12.2, 17.16).

Reading is lazy and cheap: opening a folder reads the roster and the newest record. What is read here was
checked when it was written; `verify` is for folders of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout, one_command, private_side, two_reports
from pbem.archive.folder.changes import Changes, Journal, commit, journal, recover, unfinished
from pbem.archive.folder.edited_state import check_unedited
from pbem.archive.folder.joined import joined
from pbem.archive.folder.layout import DERIVED_LIMIT, SIG_LIMIT
from pbem.archive.folder.named_readers import apart_facts
from pbem.archive.folder.owner import Owner
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.records_kept import RecordsKept
from pbem.archive.folder.seat_letters import addresses, as_sent
from pbem.archive.folder.statements_kept import StatementsKept
from pbem.engine import pins
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.engine.system import System
from pbem.model import state as states
from pbem.model.state import GameState
from pbem.stages import deputies, gunboat
from pbem.stages.amendments import module_in_play, proposals
from pbem.stages.inputs import Setting
from pbem.stages.progress import Progress
from pbem.stages.scenario_terms import brought, system_as_played
from pbem.stages.views import PlayerView, known_to, told_to
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, Voice
from pbem.trust import groups
from pbem.trust.chain import Chain, Checked
from pbem.trust.keys import Passphrase
from pbem.trust.roster import Pinned, Roster, Terms, own_roster
from pbem.trust.sshsig import parse_public_line

_PLACE = ("stage", "progress", "module", "_facts", "_views")
"""What is read once and follows from where the game stands."""
_AGREED = ("roster", "terms", "amended")
"""What is read once and follows from what all have signed."""
FALSE = "false-"
"""How the note about a report that is not as it must be is called, in `inbox/`."""


class Folder(Owner, RecordsKept, StatementsKept):
    """One party's folder of one game.

    Made by `open`; `refresh` forgets what was read. `say` puts the emails that it writes into words.
    """

    finished = False  # opening it finished what an earlier command had begun

    def __init__(self, root: Path, passphrase: Passphrase | None = None, *, wait: bool = False) -> None:
        Owner.__init__(self, Private(root, passphrase))
        RecordsKept.__init__(self, root)
        StatementsKept.__init__(self, root)
        self.wait = wait
        self.say: Voice = str
        self._passphrase = passphrase
        self._journal: Journal | None = None
        self._systems: dict[Pinned, System] = {}

    @classmethod
    def open(
        cls, path: Path | str = ".", passphrase: Passphrase | None = None, *, wait: bool = False
    ) -> Folder:
        """Return the game folder at `path` or above it; Refused if there is none.

        Finishes what a crash cut short, unless another command is at work; `wait`: until it is not.
        """
        start = Path(path).absolute()
        for root in (start, *start.parents):
            if (root / layout.ROSTER).is_file() or (root / private_side.INVITATION).is_file():
                folder = cls(root, passphrase, wait=wait)
                if unfinished(root):
                    with one_command.hold(root, wait=wait):
                        folder.finished = recover(root)
                return folder
        help_ = (
            Message("archive.folder.name-game-folder-with-c"),
            Message("archive.folder.pbem-new-starts-game"),
        )
        raise Refused(
            Diagnostic("no-game", Message("archive.folder.start-is-no-game-folder", start=start), help=help_)
        )

    def refresh(self) -> None:
        """Forget everything read so far, because files have changed."""
        for name in (*_PLACE, *_AGREED):
            self.__dict__.pop(name, None)
        self.forget_records()
        self.forget_statements()
        self.private = Private(self.root, self._passphrase)

    def _forget(self, changes: Changes) -> None:
        """Forget what was read of files that a change has written or removed, and what follows from them."""
        names = {*changes.files, *changes.removed}
        for name in _PLACE:
            self.__dict__.pop(name, None)
        if layout.ROSTER in names or any(name.endswith(layout.IN_FORCE) for name in names):
            for name in _AGREED:
                self.__dict__.pop(name, None)
        for name in names:
            stage, sid = layout.of_stage(name)
            if stage is not None:
                self.forget_records(stage)
                self.forget_statements(stage, sid)
        if any(name.startswith(private_side.SECRET) for name in names):
            self.private = Private(self.root, self._passphrase)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Hold the folder's lock while a command changes it; Refused if another does and it may not wait."""
        with one_command.hold(self.root, wait=self.wait):
            recover(self.root)
            self.refresh()
            yield

    @contextmanager
    def working_long(self) -> Iterator[None]:
        """Lock the folder for a command with many changes, each of which is carried out at once."""
        with self.working(), journal(self.root) as self._journal:
            try:
                yield
            finally:
                self._journal = None

    def commit(self, changes: Changes) -> list[Path]:
        """Carry out changes, all or none, and forget what was read of those files."""
        written = commit(self.root, self._addressed(changes), self._journal)
        self._forget(changes)
        return written

    def _addressed(self, changes: Changes) -> Changes:
        """Return changes with emails as a game with pseudonyms sends them; of other games as they are."""
        if self.me is None or not any(name.endswith((".eml", layout.IN_FORCE)) for name in changes.files):
            return changes
        if not gunboat.of(self.terms):
            return changes
        parties = self.need_roster().parties if self.roster else joined(self).values()
        return as_sent(changes, parties, self.me, addresses(self.private))

    # ---- what is agreed -----------------------------------------------------------------------------------

    @cached_property
    def roster(self) -> Roster | None:
        """Return the roster, signed by all or not, or None before there is one."""
        data = layout.read(self.root, layout.ROSTER, layout.PLAYER_LIMIT)
        return own_roster(data) if data is not None else None

    def need_roster(self) -> Roster:
        """Return the roster in force in the current stage; Refused before there is one."""
        signed = self.signed_roster()
        return self.progress.roster if self.stage >= 0 else signed

    def signed_roster(self) -> Roster:
        """Return the roster that all sign, before any amendment; Refused before there is one."""
        if self.roster is None:
            message = Message("archive.folder.no-roster")
            raise Refused(
                Diagnostic(
                    "no-roster", message, help=(Message("archive.folder.pbem-status-says-who-is-missing"),)
                )
            )
        return self.roster

    def roster_signatures(self) -> dict[str, str]:
        """Return the signatures under the roster in this folder, by party."""
        signatures: dict[str, str] = {}
        for party in layout.roster_signers(self.root):
            data = layout.read(self.root, layout.roster_signature_name(party), SIG_LIMIT)
            signatures[party] = (data or b"").decode("ascii", "replace")
        return signatures

    def unsigned(self) -> tuple[str, ...]:
        """Return the parties whose signature under the roster is missing here."""
        signed = self.roster_signatures()
        return tuple(party.id for party in self.signed_roster().parties if party.id not in signed)

    @cached_property
    def terms(self) -> Terms:
        """Return the terms in force: from the roster, before that from the invitation."""
        if self.roster is not None:
            return self.need_roster().terms
        data = self.private.json(private_side.INVITATION)
        if not data:
            raise Refused(
                Diagnostic(
                    "no-game",
                    Message("archive.folder.root-has-neither-roster-nor-invitation", root=self.root),
                )
            )
        return Terms.of(data)

    @cached_property
    def module(self) -> Pinned:
        """Return the rules of the current stage: those of a fully signed amendment, else of the terms."""
        if self.roster is None or self.stage < 0:
            return self.terms.module
        return module_in_play(self.progress, proposals(self.progress, self))

    @cached_property
    def scenario(self) -> WholeScenario | None:
        """Return the scenario that came with this game; None for one that pins a scenario of the package."""
        data = layout.read(self.root, layout.SCENARIO, layout.PLAYER_LIMIT)
        signed = self.roster.terms if self.roster is not None else self.terms
        return brought(signed, data)

    @property
    def system(self) -> System:
        """Return the installed rules system of this game."""
        module = self.module
        if module not in self._systems:
            self._systems[module] = system_as_played(self.terms, module, self.scenario)
        return self._systems[module]

    def check_module(self) -> None:
        """Check that the installed rules are those of the current stage; Refused if not."""
        pinned, here = self.module, self.system
        if not pins.plays(here, pinned.sha256, pinned.version):
            message = Message(
                "archive.folder.other-rules",
                rules=pinned.name,
                version=pinned.version,
                sha256=pinned.sha256[:12],
                installed=here.version,
                digest=here.digest[:12],
            )
            notes = tuple(
                Message("archive.folder.rules-changed-since", change=line)
                for line in pins.changes_since(here, pinned.version)
            )
            help_: tuple[str, ...] = (
                Message("archive.folder.play-on-with-installed-rules"),
                Message("archive.folder.or-install-version-game-was-played-with"),
            )
            if self.roster is None:
                help_ = help_[1:]
            raise Refused(Diagnostic("other-rules", message, notes=notes, help=help_))

    def setting(self, *, secret: bool = False) -> Setting:
        """Return what a run needs besides the state; with the GM's secret if asked for."""
        me = self.me if self.role == "deputy" else None
        return Setting(self.system, self.need_roster(), self.gm_side.gm_secret if secret else None, me)

    def need_gm(self) -> str:
        """Return the GM's party id; Refused in a folder that does not hold the GM's secrets."""
        if not self.knows_all:
            self.need_me("gm")
        return self.signed_roster().terms.arbiter or ""

    @property
    def acting(self) -> bool:
        """Return True if the owner may act for the game now: the GM always, the deputy with a charge."""
        return self.is_gm or (self.role == "deputy" and self._why_not_acting() is None)

    def need_acting(self) -> str:
        """Return my party id if I may act as or for the GM in the current stage; Refused if not."""
        if self.role != "deputy":
            return self.need_me("gm")
        fault = self._why_not_acting()
        if fault is not None:
            help_ = (Message("archive.folder.status-shows-who-is-in-charge"),)
            raise Refused(Diagnostic("charge", fault, help=help_))
        return self.need_me()

    def _why_not_acting(self) -> str | None:
        """Return why a deputy may not act in the current stage, or None."""
        if not self.knows_all:
            return Message("archive.folder.no-handover-here")
        if self.roster is None or self.stage < 0:
            return Message("archive.folder.deputy-before-the-game")
        progress = self.progress
        if deputies.gm_is_back(progress, self):
            return Message("stages.deputies.gm-is-back", stage=progress.open_stage)
        if deputies.mandate(progress, self) is None:
            return Message("stages.deputies.no-charge", deputy=self.me, stage=progress.open_stage)
        return None

    def own_key(self) -> bytes:
        """Return the public key that the owner signs with, or will once they have joined."""
        me = self.need_me()
        assert self.private.me is not None
        joined_with = parse_public_line(self.private.me.sign)
        if self.roster is None or self.stage < 0:
            return joined_with
        roster = self.need_roster()
        had = {entry.party.sign for entry in roster.former if entry.party.id == me}
        if me not in roster.by_id:  # a deputy whom nobody has named yet
            return joined_with
        return roster.by_id[me].sign if joined_with in had else joined_with

    @property
    def coming_in(self) -> bool:
        """Return True if the owner is to join the running game, with a key that is not in force yet."""
        me = self.private.me
        if me is None or self.roster is None or self.stage < 0:
            return False
        known = self.need_roster().by_id
        if me.party not in known:
            return me.role == "deputy"
        return self.own_key() != known[me.party].sign

    def own_chain(self) -> Chain:
        """Return the owner's chain that counts in the current stage; Refused if its secret is not here."""
        roster = self.need_roster()
        if self.knows_all:
            return self.gm_side.chain(roster.terms.chain_length, roster.by_id[self.need_gm()].anchor)
        return self.private.chain(roster.terms.chain_length, roster.by_id[self.need_me()].anchor)

    def secret_for(self, stage: int) -> bytes:
        """Return the GM's secret that a stage was hidden with; Refused if it is not here.

        One's own, or that of an earlier GM whose private side was handed over.
        """
        return self.gm_side.secret_of(self.need_roster().terms.salt, self.need_roster().secret_at(stage))

    # ---- where the game stands -----------------------------------------------------------------------------

    def head(self, stage: int) -> str:
        """Return the head of a stage's record; of stage -1 the game id."""
        return self.signed_roster().game if stage < 0 else self.record(stage).head

    @cached_property
    def progress(self) -> Progress:
        """Return the end of the chain of records."""
        return self.progress_at(self.stage)

    def progress_at(self, last: int) -> Progress:
        """Return the progress at the end of a stage."""
        progress = Progress.start(self.signed_roster(), self.record)
        if last < 0:
            return progress
        newest = self.record(last)
        in_force = self._in_force(last)
        links: dict[str, Checked] = {}
        seed: bytes | None = None
        dropped = set(in_force["roster"]["dropped"]) if in_force else set()
        wanted = {party.id for party in progress.roster.parties if party.anchor is not None} - dropped
        for stage in range(last, 0, -1):
            record = newest if stage == last else self.record(stage)
            seed = seed or record.seed
            links = {**{party: Checked(stage, link) for party, link in record.links.items()}, **links}
            if seed and wanted <= set(links):
                break
        return Progress.resume(progress, newest, seed, links, in_force)

    def _in_force(self, last: int) -> Any:
        """Return the roster in force after the newest record with amendments, or None."""
        newest = next((stage for stage in self.amended if stage <= last), None)
        return self.stage_json(newest, layout.IN_FORCE) if newest is not None else None

    # ---- two stories ---------------------------------------------------------------------------------------

    def fork(self) -> str | None:
        """Return the note in `inbox/` about two reports of one stage that the GM signed, if there is one."""
        notes = (entry.name for entry in layout.entries(self.root / layout.INBOX))
        return next((name for name in notes if name.startswith(two_reports.FORK)), None)

    def check_no_fork(self) -> None:
        """Check that nothing forbids signing; Refused if the GM has signed two reports, or a false one.

        Nobody signs on top of these (protocol 5.3, 5.6).
        """
        note = self.fork()
        if note is not None:
            text = (layout.read(self.root, f"{layout.INBOX}/{note}", layout.PLAYER_LIMIT) or b"").decode()
            message = (
                Message("archive.folder.both-are-in-this-folder", note=text.splitlines()[0].rstrip(":"))
                if text
                else note
            )
            stage = two_reports.disputed(self)
            ways = [Message("archive.folder.read-note-and-talk-to-others", note=note)]
            if stage is not None:
                ways.append(Message("archive.folder.end-the-fork", to=stage - 1))
            raise Refused(Diagnostic("fork", message, help=tuple(ways)))
        note = f"{FALSE}{self.progress.open_stage:04d}.txt"
        if (self.root / layout.INBOX / note).exists():
            message = Message("archive.folder.false-report", open_stage=self.progress.open_stage)
            help_ = (Message("archive.folder.read-note-and-talk-to-gm-and-others", note=note),)
            raise Refused(Diagnostic("false-report", message, help=help_))

    # ---- state and views -----------------------------------------------------------------------------------

    @property
    def state_name(self) -> str:
        """Return the name of the whole state: in the root if the game hides nothing, else private."""
        return private_side.STATE if self.system.hidden else layout.STATE

    def state(self) -> GameState:
        """Return the whole state: the GM's, or anybody's in a system that hides nothing.

        Refused if it is not here, or if somebody edited the file since it was written.
        """
        data = layout.read(self.root, self.state_name, DERIVED_LIMIT)
        if data is None:
            message = Message("archive.folder.no-state", state_name=self.state_name)
            raise Refused(Diagnostic("no-state", message))
        check_unedited(self.root)
        noted = (self.private.json(private_side.FACTS) or {}).get("state")
        if noted is not None and noted != sha256(layout.as_written(data)).hexdigest():
            message = Message("archive.folder.state-name-is-not-what-pbem-wrote", state_name=self.state_name)
            raise Refused(
                Diagnostic(
                    "edited-state", message, help=(Message("archive.folder.bring-it-back-from-backup"),)
                )
            )
        from pbem.text.json_first import read_state_text

        return states.from_json(read_state_text(data, self.state_name).data)

    def facts(self) -> list[groups.Fact]:
        """Return everything this folder's owner may know at the end of the newest stage."""
        return self._facts

    @cached_property
    def _facts(self) -> list[groups.Fact]:
        data = self.private.json(private_side.FACTS)
        if data is None or data["stage"] != self.stage:
            if self.stage < 0:
                help_ = (Message("archive.folder.pbem-status-says-who-is-awaited"),)
                raise Refused(Diagnostic("not-started", Message("archive.folder.not-started"), help=help_))
            if self.private.me is None:
                help_ = (Message("archive.folder.commands-for-what-all-may-know"),)
                message = Message("archive.folder.this-copy-of-game-has-no-private-side")
                raise Refused(Diagnostic("no-secret", message, help=help_))
            message = Message("archive.folder.no-facts")
            raise Refused(
                Diagnostic(
                    "no-facts",
                    message,
                    help=(Message("archive.folder.pbem-receive-report-of-that-stage-again"),),
                )
            )
        return [groups.Fact(key, value, tuple(audience)) for key, value, audience in data["facts"]]

    @property
    def reader(self) -> str | None:
        """Return whose view the owner has; None, for the public one, also if no roster has the owner yet."""
        named = self.role != "deputy" or self.me in self.need_roster().by_id
        return self.me if named else None

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView:
        """Return a player's view; without `player` the owner's. The GM may have anybody's.

        Refused where this folder does not hold it.
        """
        roster = self.need_roster()
        reader = None if public else player or self.reader
        if reader is not None and reader not in roster.by_id:
            near = ", ".join(roster.by_id)
            raise Refused(
                Diagnostic("unknown-party", Message("archive.folder.unknown-party", reader=reader, near=near))
            )
        if self.system.hidden and reader not in (None, self.me) and not self.knows_all:
            raise Refused(
                Diagnostic("not-yours", Message("archive.folder.not-yours", reader=reader, party=self.me))
            )
        if reader not in self._views:
            self._views[reader] = self._view(roster, reader)
        return self._views[reader]

    @cached_property
    def _views(self) -> dict[str | None, PlayerView]:
        """Return the cache of views by reader, with their positions."""
        return {}

    def _view(self, roster: Roster, reader: str | None) -> PlayerView:
        all_ = reader is not None and reader == self.me and self.knows_all
        everything = [*self.facts(), *apart_facts(self.private, self.stage)]
        facts = known_to(everything, reader, roster.everybody, reader if all_ else "")
        events = told_to(self.events(self.stage), facts)
        own = self.laid_down if reader is not None and reader == self.me else None
        return PlayerView(self.system, roster.terms.scenario.name, reader, self.stage, facts, events, own)

    def laid_down(self, name: str) -> Json | None:
        """Return the content of my newest commitment of that name, from my private side, or None."""
        for stage in range(self.stage, 0, -1):
            sid = self.progress.accepted(stage, self.need_me())
            order = self.find(stage, sid) if sid else None
            if order is not None and name in order.said.commits:
                known = self.private.openings(stage, order.type, order.rev).get(name)
                return known.value if known is not None else None
        return None
