"""What functions need of a game folder, where they need a part of it only: each a few names of `Folder`.

Whoever takes one of these says what he looks at, and can be given something made up in a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pbem.archive.folder.private_side import Private
from pbem.engine.system import System
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.stages.views import PlayerView
from pbem.trust.armour import Signed
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


class Archived(Chained, Filed, Protocol):
    """Records and statements: what everybody holds of a game."""


class Mine(Owned, Placed, Filed, Protocol):
    """Where the game stands for whoever owns the folder, and what came."""


class Signing(Owned, Placed, Agreed, Secret, Protocol):
    """What a statement of one's own is made with."""


class Ruled(Agreed, Played, Protocol):
    """The rules, and what was agreed about them."""
