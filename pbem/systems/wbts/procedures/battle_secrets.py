"""Takes in what players have laid down sealed for battles to come, and opens it when its battle is there."""

from __future__ import annotations

from typing import Any, cast

from pbem.rules import Game, Sealed, lodge, opened

from ..battle.state import Battle
from ..decisions.battle_chits import NONE, IntensityStanding, Role
from ..decisions.battle_secrets import Chits, Leaders, SealedCommit, SealedIntensity
from ..events.battle import SecretLodged

AHEAD = 6  # battles ahead for which something may be laid down
ROLES: tuple[Role, Role] = ("attack", "defend")
KINDS = (SealedIntensity, SealedCommit)


def count(game: Game, side: str, role: Role) -> int:
    """How many battles a side has fought in this role, the present one included."""
    return int(game.tracks["fought"][side][role])


def count_battle(game: Game, battle: Battle) -> None:
    """One battle more for both; what was laid down for it stays until it is over."""
    for side, role in zip(battle.sides(), ROLES, strict=True):
        game.tracks["fought"][side][role] += 1


def forget_battle(game: Game, battle: Battle) -> None:
    """The battle is over: what was laid down for it and not called for is never opened."""
    for side, role in zip(battle.sides(), ROLES, strict=True):
        for cls in KINDS:
            game.tracks["secrets"][side].pop(f"{cls.kind}/{role}/{count(game, side, role)}", None)


async def lodge_secrets(game: Game, side: str) -> None:
    """Take in what the side's order brings; to be called directly before it is asked something."""
    listed = cast("dict[str, str]", game.tracks["secrets"][side])
    for role in ROLES:
        first = count(game, side, role) + (0 if _fighting(game, side, role) else 1)
        for number in range(first, first + AHEAD):
            for cls in KINDS:
                name = f"{cls.kind}/{role}/{number}"
                if name in listed:
                    continue
                sealed = await lodge(cls(side, role, number))
                if sealed is not None:
                    listed[name] = sealed.key
                    game.emit(SecretLodged(side, name))


def _fighting(game: Game, side: str, role: Role) -> bool:
    """Whether the side is in a battle in this role just now."""
    battle = game.tracks["battle"]
    key = "attacker" if role == "attack" else "defender"
    return battle is not None and battle[key] == side


def _sealed(game: Game, cls: Any, side: str, role: Role) -> Sealed | None:
    name = f"{cls.kind}/{role}/{count(game, side, role)}"
    key = game.tracks["secrets"][side].get(name)
    return None if key is None else Sealed(key, cls(side, role, count(game, side, role)))


def has_chit(game: Game, side: str, role: Role) -> bool:
    """Whether a chit was laid down for this battle."""
    return _sealed(game, SealedIntensity, side, role) is not None


async def open_chit(game: Game, side: str, role: Role, ratio: int | None, limit: int) -> int:
    """The chit that was laid down for this battle, at most the limit; none that fits is 0."""
    sealed = _sealed(game, SealedIntensity, side, role)
    assert sealed is not None
    chits = cast(Chits, await opened(sealed))
    return min(limit, IntensityStanding(defend=chits).chit("defend", 0, ratio) or 0)


def has_leader(game: Game, side: str, role: Role) -> bool:
    """Whether a leader, or nobody, was laid down for this battle."""
    return _sealed(game, SealedCommit, side, role) is not None


async def open_leader(game: Game, side: str, role: Role, table: int, able: list[str]) -> str:
    """The leader who was laid down for this battle and table, `none` if he is not there."""
    sealed = _sealed(game, SealedCommit, side, role)
    assert sealed is not None
    named = cast(Leaders, await opened(sealed)).get(str(table)) or NONE
    return named if named in able else NONE
