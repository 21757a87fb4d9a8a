"""What functions need of a game folder, where they need a part of it only: each a few names of `Folder`.

Whoever takes one of these says what he looks at, and can be given something made up in a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.private_side import Private
from pbem.engine.system import System
from pbem.model.state import GameState
from pbem.stages.inputs import Setting
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.stages.views import PlayerView
from pbem.text.canonical import Json
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.groups import Fact
from pbem.trust.records import Record
from pbem.trust.roster import Roster, Terms
from pbem.trust.statements import Statement


class Rooted(Protocol):
    """Where it lies."""

    @property
    def root(self) -> Path: ...


class Owned(Protocol):
    """Whose it is."""

    @property
    def me(self) -> str | None: ...
    def need_me(self, *roles: str) -> str: ...


class Agreed(Protocol):
    """What all have signed."""

    @property
    def terms(self) -> Terms: ...
    def need_roster(self) -> Roster: ...


class Played(Protocol):
    """The rules it is played by."""

    @property
    def system(self) -> System: ...


class Secret(Protocol):
    """The private side."""

    @property
    def private(self) -> Private: ...


class Seen(Protocol):
    """What somebody may know."""

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView: ...


class Placed(Protocol):
    """Where the game stands."""

    @property
    def progress(self) -> Progress: ...
    @property
    def stage(self) -> int: ...


class Chained(Placed, Protocol):
    """The records so far."""

    def head(self, stage: int) -> str: ...
    def record(self, stage: int) -> Record: ...


class Filed(Shelf, Protocol):
    """The statements that came in time."""

    def statement(self, stage: int, sid: str) -> tuple[Statement, Signed] | None: ...
    def statements(self, stage: int) -> Sequence[tuple[Statement, Signed]]: ...


class Quoted(Rooted, Agreed, Chained, Protocol):
    """What of it can be named by a sid or a head."""


class Archived(Chained, Filed, Protocol):
    """Records and statements: what everybody holds of a game."""


class Mine(Owned, Placed, Filed, Protocol):
    """Where the game stands for whoever owns the folder, and what came."""


class Signing(Owned, Agreed, Secret, Placed, Protocol):
    """What a statement of one's own is made with."""


class Committing(Signing, Filed, Protocol):
    """What one has committed to, and what opens it."""


class Ruled(Agreed, Played, Protocol):
    """The rules, and what was agreed about them."""


class Mastered(Protocol):
    """Whether it is the GM's."""

    @property
    def is_gm(self) -> bool: ...


class Changed(Rooted, Protocol):
    """What a command changes, all or nothing, while no other does."""

    def working(self) -> AbstractContextManager[None]: ...
    def commit(self, changes: Changes) -> list[Path]: ...


class Sound(Agreed, Owned, Protocol):
    """Whether anything may be signed in it: nothing is, on top of two histories or by other rules."""

    def check_module(self) -> None: ...
    def check_no_fork(self) -> None: ...


class Linking(Owned, Placed, Protocol):
    """Where the game stands for its owner, and his chain."""

    def own_chain(self) -> Chain: ...


class Called(Owned, Placed, Filed, Mastered, Agreed, Protocol):
    """Whether its owner is asked anything."""


class Going(Agreed, Placed, Filed, Mastered, Protocol):
    """Whether the game goes on: where it stands, and what was opened at its end."""


class Gathered(Rooted, Agreed, Filed, Protocol):
    """Statements that came in time, and those that lie aside."""


class Committed(Rooted, Placed, Filed, Protocol):
    """Which of its files are public."""


class Enrolled(Rooted, Agreed, Protocol):
    """Who is in the game, and what of theirs lies here unread or unjudged."""


class Seated(Enrolled, Played, Protocol):
    """Who has joined, and who is still to join."""


class Inviting(Seated, Owned, Secret, Protocol):
    """The time before the game: invitation, entries and signatures under the roster."""

    @property
    def roster(self) -> Roster | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def initiates(self) -> bool: ...
    def unsigned(self) -> tuple[str, ...]: ...


class Addressed(Rooted, Agreed, Placed, Protocol):
    """Letters and to whom they go: before the roster to whom the invitation names."""

    @property
    def roster(self) -> Roster | None: ...

    @property
    def coming_in(self) -> bool: ...


class Answering(Addressed, Owned, Chained, Protocol):
    """What the answer to a letter is made from."""


class Watching(Owned, Seen, Protocol):
    """What its owner may know."""


class Asking(Watching, Placed, Protocol):
    """What its owner is asked."""


class Checking(Asking, Played, Protocol):
    """What an answer of its owner is checked against."""


class Ordering(Checking, Signing, Going, Protocol):
    """What an order file is written and read from."""

    def state(self) -> GameState: ...


class Stood(Rooted, Placed, Played, Secret, Mastered, Protocol):
    """How stages have ended."""

    def state(self) -> GameState: ...
    def facts(self) -> Sequence[Fact]: ...


class Told(Stood, Agreed, Chained, Protocol):
    """What its owner was told of the stages before."""

    def events(self, stage: int) -> list[Json]: ...


class Remembered(Told, Owned, Protocol):
    """What its owner was told of any stage."""


class Public(Rooted, Owned, Played, Mastered, Protocol):
    """What its owner can make again of the public texts, and his own."""

    def facts(self) -> Sequence[Fact]: ...


class Rolling(Agreed, Played, Chained, Filed, Mastered, Protocol):
    """The rolls of stages, and the seeds they came from as far as they are known."""

    def events(self, stage: int) -> list[Json]: ...
    def secret_for(self, stage: int) -> bytes: ...


class Running(Filed, Played, Placed, Protocol):
    """What a stage is run with."""

    def setting(self, *, secret: bool = False) -> Setting: ...
    def state(self) -> GameState: ...


class Locking(Archived, Owned, Played, Secret, Mastered, Protocol):
    """What links and locks are taken by."""

    @property
    def role(self) -> str | None: ...


class Unsealing(Archived, Signing, Played, Mastered, Protocol):
    """What is opened at the end of a game, and what stays hidden until then."""

    def signed_roster(self) -> Roster: ...


class Awaiting(Going, Rooted, Played, Protocol):
    """Who is waited for."""


class Proposing(Mine, Played, Protocol):
    """What a proposal is made from."""

    def state(self) -> GameState: ...


class Again(Rooted, Owned, Filed, Played, Placed, Secret, Mastered, Protocol):
    """What a stage that is over is run with once more."""

    def state(self) -> GameState: ...
    def facts(self) -> Sequence[Fact]: ...
    def record(self, stage: int) -> Record: ...
    def secret_for(self, stage: int) -> bytes: ...


class Mailed(Archived, Agreed, Owned, Rooted, Mastered, Protocol):
    """Records and statements for a letter, and who gets it."""


class Receiving(Archived, Rooted, Played, Mastered, Owned, Protocol):
    """What is compared with a letter that came."""

    def facts(self) -> Sequence[Fact]: ...


class Undersigned(Agreed, Protocol):
    """Who has signed the roster."""

    def roster_signatures(self) -> dict[str, str]: ...
    def unsigned(self) -> tuple[str, ...]: ...


class Ready(Sound, Going, Undersigned, Protocol):
    """Whether the GM may run the open stage."""


class Masterly(Running, Secret, Protocol):
    """What the GM runs a stage with."""


class Linked(Signing, Linking, Filed, Played, Protocol):
    """What a link is made from, and what it opens."""


class Writing(Ordering, Linking, Protocol):
    """What the body of an order is made from."""


class Opened(Rooted, Signing, Protocol):
    """What lies aside, and what opens it."""


class Looking(Awaiting, Archived, Owned, Secret, Protocol):
    """Who is waited for, and what the GM has of theirs."""


class Posted(Addressed, Owned, Filed, Undersigned, Protocol):
    """What was signed last, and whether its letter has gone."""

    @property
    def initiates(self) -> bool: ...
    @property
    def roster(self) -> Roster | None: ...


class Compared(Rooted, Archived, Protocol):
    """What of one copy of an archive another may lack."""


class Readable(Rooted, Owned, Agreed, Played, Secret, Seen, Chained, Filed, Mastered, Protocol):
    """Everything that is read in a folder: for who runs a stage, or compares what somebody else made of it.
    It changes nothing; who does takes the `Folder`."""

    @property
    def role(self) -> str | None: ...
    @property
    def roster(self) -> Roster | None: ...
    def signed_roster(self) -> Roster: ...
    def unsigned(self) -> tuple[str, ...]: ...
    def check_module(self) -> None: ...
    def check_no_fork(self) -> None: ...
    def fork(self) -> str | None: ...
    def own_chain(self) -> Chain: ...
    def secret_for(self, stage: int) -> bytes: ...
    def setting(self, *, secret: bool = False) -> Setting: ...
    def state(self) -> GameState: ...
    def facts(self) -> Sequence[Fact]: ...
    def events(self, stage: int) -> list[Json]: ...
