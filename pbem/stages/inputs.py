"""The inputs of a stage as data: who plays what, and what was accepted (protocol 12.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from pbem.engine.answers import Reply
from pbem.engine.system import System
from pbem.model.facts import PUBLIC, Audience
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.trust import dice
from pbem.trust.readers import Listed
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Opening:
    """The opening of a commitment; `stage` is that of the commitment."""

    stage: int
    nonce: str
    value: Json

    @classmethod
    def of(cls, shown: Shown, stage: int) -> Opening:
        """Return an opening from its public form; `stage` is the default for the commitment's stage."""
        return cls(stage if shown.stage is None else shown.stage, shown.nonce, shown.value)


@dataclass(frozen=True)
class Order:
    """An accepted order as a run needs it. `openings` holds those that are known here."""

    sid: str
    answers: Mapping[str, Reply] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    openings: Mapping[str, Opening] = field(default_factory=dict)
    standing: Sequence[Json] | None = None


Kept = Mapping[str, Mapping[str, Opening]]
"""Openings of earlier commitments that still wait: party -> commitment -> opening."""


@dataclass(frozen=True)
class Setting:
    """The fixed data of a game.

    `secret` is the GM's, or None for those who do not know it. `deputy`: who acts for the GM, None if the GM
    does.
    """

    system: System
    roster: Roster
    secret: bytes | None = None
    deputy: str | None = None

    @property
    def acting(self) -> str:
        """Return the party that signs what the GM signs."""
        return self.deputy or self.gm

    @property
    def gm(self) -> str:
        """Return the GM's party id, in a game that has one."""
        assert self.roster.terms.arbiter is not None, "only a game with a GM hides anything from anybody"
        return self.roster.terms.arbiter

    def audience(self, players: Audience) -> tuple[str, ...]:
        """Return the engine's audience as party ids, with the GM.

        In a game that hides nothing all is for everybody.
        """
        if players == PUBLIC or not self.system.hidden:
            return self.roster.everybody
        return tuple(sorted({*players, self.gm}))

    def hidden_seed(self, stage: int, seed: bytes) -> bytes | None:
        """Return the seed of hidden rolls, or None if the GM's secret is unknown.

        A game that hides nothing uses the seed itself.
        """
        if not self.system.hidden:
            return seed
        if self.secret is None:
            return None
        return dice.hidden_seed(seed, dice.hidden_key(self.secret, self.roster.game_id, stage))


@dataclass(frozen=True)
class StageInputs:
    """The inputs of one stage.

    `asked` is what the previous record asked of whom: only that may be forfeited (17.23). None is the rule of
    engine 1: a forfeit held until the run came to rest.

    `later` are standing orders that hold from the next stage on: party -> (sid, list). `lock` is the sid of
    the lock under which the links were given, with dice locked. `amends` are the amendments that ride along,
    `ruled` the changes of committed rulings that are known here, by sid. `readers` is what the record says of
    answers for named readers: it stands where their openings are unknown here.
    """

    stage: int
    prev: str
    seed_before: bytes
    orders: Mapping[str, Order | None] = field(default_factory=dict)
    links: Mapping[str, bytes] = field(default_factory=dict)
    forfeits: frozenset[str] = frozenset()
    asked: Mapping[str, Sequence[str]] | None = field(default_factory=dict)
    later: Mapping[str, tuple[str, Sequence[Json]]] = field(default_factory=dict)
    kept: Kept = field(default_factory=dict)
    lock: str | None = None
    amends: tuple[Statement, ...] = ()
    ruled: Mapping[str, Json] = field(default_factory=dict)
    readers: Listed = ()
