"""4.8.6, 4.8.8, D-11, D-13: The secret choices of a battle: intensity chit and committed leader.

Both may be sealed for later battles. No question is asked for those. A player sends them with any
order, as `sealed-intensity/defend/1` for example. The number counts the player's attacks, or
defences, from the beginning of the game. Each is a commitment of its own, so that opening one
reveals nothing of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder
from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    Message,
    Name,
    Option,
    Range,
    Sealed,
    ask_all,
    dataclass,
    decision,
    fact,
    lodge,
    opened,
)

from ..asking import InBattle
from ..events.battle import SecretLodged
from ..pieces import leader
from ..tracks import T
from .record import Battle, Role
from .strength import ENDLESS

NONE = "none"
AHEAD = 6  # the number of later battles for which a choice may be sealed
ROLES: tuple[Role, Role] = ("attack", "defend")
TABLES = ("1", "2", "3", "4")
Chit = Annotated[int, Range(0, 99)]
Number = Annotated[int, Range(1, 999)]


@dataclass(frozen=True)
class DefendChit:
    """A chit for a defence at a ratio up to `max_ratio` per cent (100 x A / D after c.5).

    Without `max_ratio` it is for any ratio.
    """

    chit: Chit
    max_ratio: int | None = None


Chits = tuple[DefendChit, ...]
Leaders = dict[str, Name | None]


def fitting(chits: Chits, ratio: int | None) -> int | None:
    """Return the first chit that fits a ratio, or None. Ratio None is a defence of nothing."""
    for entry in chits:
        if entry.max_ratio is None or (ratio is not None and ratio <= entry.max_ratio):
            return entry.chit
    return None


@dataclass(frozen=True)
class IntensityStanding:
    """A standing order: a chit for each attack of the turn, and chits for defences by ratio."""

    attack: tuple[Chit, ...] = ()
    defend: Chits = ()


@decision(
    "intensity",
    rule="4.8.6",
    answer=Chit,
    secrecy="together",
    standing=("intensity", IntensityStanding),
    facts=("role", "hex", "number", "limit"),
)
class Intensity(InBattle, ByOrder[int]):
    """Which intensity chit do you pick, up to the modified initiative of your commanding leader?"""

    role: Role
    limit: int
    ratio: int | None

    def options(self, game: Game) -> Iterator[Option]:
        for chit in range(self.limit + 1):
            yield Option(chit, Message("wbts.secrets.intensity", chit=chit))

    def check(self, game: Game, answer: int) -> list[Diagnostic]:
        message = Message("wbts.secrets.chit-above-initiative-of-commander", answer=answer, limit=self.limit)
        return [] if answer <= self.limit else [illegal("E-CHIT-1", "4.8.6", message)]

    def default(self, game: Game) -> int:
        return 0

    def repair(self, game: Game, answer: int) -> int:
        """4.8.6: Return the answer, at most the limit."""
        return min(answer, self.limit)

    def from_order(self, game: Game, order: IntensityStanding) -> int | None:
        if self.role == "defend":
            chit = fitting(order.defend, self.ratio)
        else:
            chit = order.attack[self.number - 1] if self.number <= len(order.attack) else None
        return None if chit is None else min(chit, self.limit)

    def read(self, chits: Chits) -> int:
        """Return the chit of a sealed plan, at most the limit, or 0 if none fits."""
        return min(self.limit, fitting(chits, self.ratio) or 0)

    @fact("ratio")
    def ratio_now(self, game: Game) -> int:
        return ENDLESS if self.ratio is None else self.ratio


@decision(
    "commit-leader",
    rule="4.8.8",
    answer=Name,
    secrecy="together",
    standing=("commit", Leaders),
    facts=("role", "hex", "number", "table"),
)
class CommitLeader(InBattle, ByOrder[str]):
    """Which leader in a combat hex do you put at risk to shift the combat die? `none` is allowed."""

    role: Role
    table: int
    leaders: tuple[Name, ...]

    def options(self, game: Game) -> Iterator[Option]:
        yield Option(NONE, Message("wbts.secrets.commit-nobody"))
        for id in self.leaders:
            who = leader(game, id)
            yield Option(id, Message("wbts.secrets.commit-combat", who=who.name or id, combat=who.combat))

    def default(self, game: Game) -> str:
        return NONE

    def read(self, leaders: Leaders) -> str:
        """Return the leader for this table. An absent leader counts as none."""
        named = leaders.get(str(self.table)) or NONE
        return named if named in self.leaders else NONE

    def from_order(self, game: Game, order: Leaders) -> str | None:
        return self.read(order) if str(self.table) in order else None


@dataclass(frozen=True)
class LaidDown:
    """A sealed choice for one later battle. Players are not asked for it."""

    player: str
    role: Role
    number: Number

    def subject(self) -> tuple[str | int, ...]:
        return (self.role, self.number)

    def waits(self, game: Game) -> bool:
        return False


@decision("sealed-intensity", rule="4.8.6", answer=Chits, secrecy="kept")
class SealedIntensity(LaidDown, Decision[Chits]):
    """Which chit by the ratio of this battle, the first entry that fits? It stays sealed until c.6."""

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], Message("wbts.secrets.intensity-0"))
        for chit in range(1, 5):
            yield Option(
                [{"chit": chit}], Message("wbts.secrets.intensity-or-as-far-as-commander-goes", chit=chit)
            )

    def check(self, game: Game, answer: Chits) -> list[Diagnostic]:
        return []  # a chit over the limit counts as the limit when it is opened

    def default(self, game: Game) -> Chits:
        return ()


@decision("sealed-commit", rule="4.8.8", answer=Leaders, secrecy="kept")
class SealedCommit(LaidDown, Decision[Leaders]):
    """Which leader do you commit, by the number of the table? It stays sealed until c.8."""

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, Message("wbts.secrets.commit-nobody"))

    def check(self, game: Game, answer: Leaders) -> list[Diagnostic]:
        unknown = [table for table in answer if table not in TABLES]
        return [
            illegal("illegal-answer", "4.8.8", Message("wbts.secrets.no-table-1-to-4", table=table), table)
            for table in unknown
        ]

    def default(self, game: Game) -> Leaders:
        return {}

    def repair(self, game: Game, answer: Leaders) -> Leaders:
        return {table: who for table, who in answer.items() if table in TABLES}


KINDS: dict[str, type[SealedIntensity | SealedCommit]] = {
    "intensity": SealedIntensity,
    "commit-leader": SealedCommit,
}


def count_battle(game: Game, battle: Battle) -> None:
    """Count a battle for both sides. Sealed choices for it are kept until it is over."""
    for side, role in zip(battle.sides, ROLES, strict=True):
        T.of(game).fought[side][role] += 1


def forget_battle(game: Game, battle: Battle) -> None:
    """Forget sealed choices of a battle that is over. Unused ones are never opened."""
    tracks = T.of(game)
    for side, role in zip(battle.sides, ROLES, strict=True):
        for cls in KINDS.values():
            tracks.secrets[side].pop(f"{cls.kind}/{role}/{tracks.fought[side][role]}", None)


async def lodge_secrets(game: Game, side: str) -> None:
    """Receive the sealed choices in a side's order. Call this directly before asking the side."""
    listed = T.of(game).secrets[side]
    for role in ROLES:
        first = T.of(game).fought[side][role] + (0 if _fighting(game, side, role) else 1)
        for number in range(first, first + AHEAD):
            for cls in tuple(KINDS.values()):
                name = f"{cls.kind}/{role}/{number}"
                if name in listed:
                    continue
                sealed = await lodge(cls(side, role, number))
                if sealed is not None:
                    listed[name] = sealed.key
                    game.emit(SecretLodged(side, name))


def _fighting(game: Game, side: str, role: Role) -> bool:
    """Return True if the side is in a battle in this role now."""
    if not Battle.begun(game):
        return False
    battle = Battle.of(game)
    return (battle.attacker if role == "attack" else battle.defender) == side


async def chosen(game: Game, asked: Mapping[str, Intensity | CommitLeader]) -> dict[str, Any]:
    """Return the sides' choices: sealed ones for this battle, or answers, asked for at once."""
    sealed = {side: _laid_down(game, question) for side, question in asked.items()}
    open_: list[Decision[Any]] = [question for side, question in asked.items() if sealed[side] is None]
    answers = dict(zip((question.player for question in open_), await ask_all(open_), strict=True))
    for side, laid_down in tuple(sealed.items()):
        if laid_down is not None:
            answers[side] = asked[side].read(await opened(laid_down))
    return answers


def _laid_down(game: Game, asked: Intensity | CommitLeader) -> Sealed | None:
    side, role, cls = asked.player, asked.role, KINDS[asked.kind]
    number = T.of(game).fought[side][role]
    key = T.of(game).secrets[side].get(f"{cls.kind}/{role}/{number}")
    return None if key is None else Sealed(key, cls(side, role, number))
