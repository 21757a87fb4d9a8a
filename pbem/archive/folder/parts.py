"""The parts of a game folder that functions need: each a few names of `Folder`.

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
    """The place of the folder."""

    @property
    def root(self) -> Path: ...


class Owned(Protocol):
    """The owner of the folder."""

    @property
    def me(self) -> str | None: ...
    def need_me(self, *roles: str) -> str: ...


class Agreed(Protocol):
    """The terms that all have signed."""

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
    """The knowledge of a reader."""

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView: ...


class Placed(Protocol):
    """The progress of the game."""

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
    """The statements and heads that can be named by a sid or a head."""


class Archived(Chained, Filed, Protocol):
    """Records and statements: what everybody holds of a game."""


class Mine(Owned, Placed, Filed, Protocol):
    """The progress for the owner of the folder, and received statements."""


class Signing(Owned, Agreed, Secret, Placed, Protocol):
    """The parts to make a statement of one's own."""


class Committing(Signing, Filed, Protocol):
    """The owner's commitments and their openings."""


class Ruled(Agreed, Played, Protocol):
    """The rules, and what was agreed about them."""


class Mastered(Protocol):
    """The question whether the folder is the GM's."""

    @property
    def is_gm(self) -> bool: ...


class Changed(Rooted, Protocol):
    """The changes of a command, all or none, without others at the same time."""

    def working(self) -> AbstractContextManager[None]: ...
    def commit(self, changes: Changes) -> list[Path]: ...


class Sound(Agreed, Owned, Protocol):
    """The checks before signing: no history in conflict, no other rules."""

    def check_module(self) -> None: ...
    def check_no_fork(self) -> None: ...


class Linking(Owned, Placed, Protocol):
    """The progress for the owner, and the owner's chain."""

    def own_chain(self) -> Chain: ...


class Called(Owned, Placed, Filed, Mastered, Agreed, Protocol):
    """The owner's pending questions."""


class Going(Agreed, Placed, Filed, Mastered, Protocol):
    """The progress of a game and what was opened at its end."""


class Gathered(Rooted, Agreed, Filed, Protocol):
    """Statements that came in time, and those that lie aside."""


class Committed(Rooted, Placed, Filed, Protocol):
    """The public files of the folder."""


class Enrolled(Rooted, Agreed, Protocol):
    """The parties, and their statements here that are unread or unjudged."""


class Seated(Enrolled, Played, Protocol):
    """The parties that have joined, and the free seats."""


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
    """Letters and their recipients: before the roster those of the invitation."""

    @property
    def roster(self) -> Roster | None: ...

    @property
    def coming_in(self) -> bool: ...


class Answering(Addressed, Owned, Chained, Protocol):
    """The parts to answer a letter."""


class Watching(Owned, Seen, Protocol):
    """The knowledge of the owner."""


class Asking(Watching, Placed, Protocol):
    """The questions to the owner."""


class Checking(Asking, Played, Protocol):
    """The parts to check an answer of the owner."""


class Ordering(Checking, Signing, Going, Protocol):
    """The parts to write and read an order file."""

    def state(self) -> GameState: ...


class Stood(Rooted, Placed, Played, Secret, Mastered, Protocol):
    """The ends of stages."""

    def state(self) -> GameState: ...
    def facts(self) -> Sequence[Fact]: ...


class Told(Stood, Agreed, Chained, Protocol):
    """The events that the owner saw in earlier stages."""

    def events(self, stage: int) -> list[Json]: ...


class Remembered(Told, Owned, Protocol):
    """The events that the owner saw in any stage."""


class Public(Rooted, Owned, Played, Mastered, Protocol):
    """The parts to make the public texts again, and the owner's."""

    def facts(self) -> Sequence[Fact]: ...


class Rolling(Agreed, Played, Chained, Filed, Mastered, Protocol):
    """The rolls of stages, and the seeds they came from as far as they are known."""

    def events(self, stage: int) -> list[Json]: ...
    def secret_for(self, stage: int) -> bytes: ...


class Running(Filed, Played, Placed, Protocol):
    """The parts to run a stage."""

    def setting(self, *, secret: bool = False) -> Setting: ...
    def state(self) -> GameState: ...


class Locking(Archived, Owned, Played, Secret, Mastered, Protocol):
    """The parts to accept links and locks."""

    @property
    def role(self) -> str | None: ...


class Unsealing(Archived, Signing, Played, Mastered, Protocol):
    """The openings at the end of a game, and what is still hidden."""

    def signed_roster(self) -> Roster: ...


class Awaiting(Going, Rooted, Played, Protocol):
    """The parties that the game waits for."""


class Proposing(Mine, Played, Protocol):
    """The parts of a proposal."""

    def state(self) -> GameState: ...


class Again(Rooted, Owned, Filed, Played, Placed, Secret, Mastered, Protocol):
    """The parts to run a finished stage again."""

    def state(self) -> GameState: ...
    def facts(self) -> Sequence[Fact]: ...
    def record(self, stage: int) -> Record: ...
    def secret_for(self, stage: int) -> bytes: ...


class Mailed(Archived, Agreed, Owned, Rooted, Mastered, Protocol):
    """Records and statements for a letter, and who gets it."""


class Receiving(Archived, Rooted, Played, Mastered, Owned, Protocol):
    """The parts to compare with a received letter."""

    def facts(self) -> Sequence[Fact]: ...


class Undersigned(Agreed, Protocol):
    """The signatures under the roster."""

    def roster_signatures(self) -> dict[str, str]: ...
    def unsigned(self) -> tuple[str, ...]: ...


class Ready(Sound, Going, Undersigned, Protocol):
    """The question whether the GM may run the open stage."""


class Masterly(Running, Secret, Protocol):
    """The parts for the GM to run a stage."""


class Linked(Signing, Linking, Filed, Played, Protocol):
    """The parts of a link, and its openings."""


class Writing(Ordering, Linking, Protocol):
    """The parts of the body of an order."""


class Opened(Rooted, Signing, Protocol):
    """Statements in `inbox/`, and the keys to open them."""


class Looking(Awaiting, Archived, Owned, Secret, Protocol):
    """The parties that the game waits for, and the GM's statements of theirs."""


class Posted(Addressed, Owned, Filed, Undersigned, Protocol):
    """The newest signed statement, and whether its letter was sent."""

    @property
    def initiates(self) -> bool: ...
    @property
    def roster(self) -> Roster | None: ...


class Compared(Rooted, Archived, Protocol):
    """The parts of one copy of an archive that another may lack."""


class Readable(Rooted, Owned, Agreed, Played, Secret, Seen, Chained, Filed, Mastered, Protocol):
    """All reading parts of a folder, to run a stage or compare results.

    It changes nothing; for changes use the `Folder`.
    """

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
