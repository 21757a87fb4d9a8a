"""4.8.14, 4.8.16, D-18: The end of a fight: advance, captures, lone leaders, detraining."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.kit.faults import illegal
from pbem.kit.picking import Picks
from pbem.rules import (
    Diagnostic,
    Game,
    Growing,
    Message,
    Name,
    Next,
    ask,
    audience_of,
    decision,
)

from ..asking import InBattle
from ..events import battle_after as told
from ..handling import displace, move
from ..pieces import leaders, left, unit, units, works_at, world_of
from ..telling import NOBODY, tell_displaced
from ..tracks import T
from ..victory import decide_at_once
from .leaving import HARD
from .record import Battle
from .retreats import shown, wipe_out
from .secrets import forget_battle

Standing = Literal["none", "all"] | tuple[Name, ...]


def able_to_advance(battle: Battle) -> list[str]:
    """Return the attacking units that may enter the target, hex by hex.

    None may if it is held or the attack was unsupplied.
    """
    if battle.naval or battle.attacker in battle.unsupplied or battle.held:
        return []
    return [u.id for u in battle.attacking() if u.id not in battle.retreated]


def able_to_follow(battle: Battle) -> list[str]:
    """Return leaders, HQs and supply trains that may advance with units from their hexes."""
    board, world, followers = battle.board, world_of(battle.board), list[str]()
    for hex in dict.fromkeys(unit(board, id).hex for id in able_to_advance(battle)):
        rough = world.terrain[battle.target] in HARD and not world.road(hex, battle.target)
        for u in units(board, battle.attacker, hex):
            if u.is_hq or (u.type == "supply_train" and not rough):
                followers.append(u.id)
        followers += [who.id for who in leaders(board, battle.attacker, hex) if not who.naval]
    return followers


def _advances(id: str) -> str:
    return Message("wbts.advance.advances", id=id)


class AdvanceDraft(Picks):
    """R-50: The draft of an advance: units, then leaders, HQs and trains with a unit that fought."""

    def __init__(self, game: Game, player: str, rule: str) -> None:
        battle = Battle.of(game)
        self.fighting = able_to_advance(battle)
        able = [*self.fighting, *able_to_follow(battle)]
        nothing = Message("wbts.advance.nobody-advances")
        super().__init__(game, player, able, rule=rule, words=_advances, place=battle.target, nothing=nothing)

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        led = any(id in self.fighting for id in self.elements)
        yield from (option for option in super().next(of) if led or option.element in self.fighting)

    def lacking(self) -> list[Diagnostic]:
        if not self.elements or any(id in self.fighting for id in self.elements):
            return []
        message = Message("wbts.advance.leaders-hqs-and-trains-advance-only")
        return [illegal("illegal-answer", "4.8.14", message)]


@decision("advance", rule="4.8.14", answer=tuple[Name, ...], standing=("advance", Standing), facts=("hex",))
class Advance(InBattle, Growing[tuple[str, ...]]):
    """Which attackers enter the hex that was taken, with which leaders, HQs and supply trains?"""

    def draft(self, game: Game) -> AdvanceDraft:
        return AdvanceDraft(game, self.player, self.rule)

    def from_standing(self, game: Game, orders: list[Standing]) -> tuple[str, ...] | None:
        if not orders:
            return None
        if orders[0] == "none":
            return ()
        if orders[0] == "all":
            battle = Battle.of(game)
            return (*able_to_advance(battle), *able_to_follow(battle))
        return self.repair(game, tuple(orders[0]))


async def advance(game: Game, battle: Battle) -> None:
    """4.8.14: Let attackers that did not retreat enter an empty hex, and end the battle."""
    tell_displaced(game, displace(game, battle.defender, [battle.target]))
    if able_to_advance(battle):
        going = await ask(Advance(battle.attacker, battle.number, battle.target))
        if going:
            _enter(game, battle, going)
    elif (why := _why_nobody(battle)) is not None:
        game.emit(told.NoAdvance(battle.number, battle.target, battle.attacker, why))
    _clear_away(game, battle)


def _why_nobody(battle: Battle) -> str | None:
    """Return the reason why no attacker advances, or None if ships fought."""
    if battle.naval:
        return None
    if battle.held:
        return Message("wbts.advance.hex-still-held")
    if not battle.attacking():
        return Message("wbts.advance.no-attacker-left")
    return (
        Message("wbts.advance.attack-unsupplied")
        if battle.attacker in battle.unsupplied
        else Message("wbts.advance.all-attackers-retreated")
    )


def _enter(game: Game, battle: Battle, going: tuple[str, ...]) -> None:
    """Move in, destroy logistic units and lone HQs, and take the hex."""
    allowed = (*able_to_advance(battle), *able_to_follow(battle))
    assert all(id in allowed for id in going), "somebody advances who cannot"
    lost = _sweep(game, battle)
    came = move(game, going, battle.target)
    place = world_of(game).place(battle.target)
    seen, unseen = shown(game, battle, going)
    game.emit(told.Advanced(battle.number, battle.target, place, battle.attacker, seen))
    if unseen:
        along = tuple(f"{id} to {battle.target}" for id in unseen)
        game.emit(told.WentAlong(battle.attacker, battle.target, along))
    _tell_found(game, battle, lost)
    if came.took:
        game.emit(told.HexTaken(battle.target, place, battle.attacker, came.took))


def _sweep(game: Game, battle: Battle) -> dict[str, int]:
    """Destroy enemy logistic units and lone HQs with their supply. Return their points by id."""
    lost: dict[str, int] = {}
    commanders = [who.hq for who in leaders(game, battle.defender, battle.target)]
    for u in units(game, battle.defender, battle.target):
        if u.is_logistic or (u.is_hq and u.id not in commanders):
            lost[u.id] = u.sp
            wipe_out(u)
    works = works_at(game, battle.target, battle.defender)
    if works is not None:
        works.remove()
    return lost


def _tell_found(game: Game, battle: Battle, lost: dict[str, int]) -> None:
    """Report the counters destroyed in the hex. Only their owner learns of unrevealed ones."""
    for ids, audience in zip(shown(game, battle, lost), (None, audience_of(battle.defender)), strict=True):
        texts = tuple(f"{id} {lost[id]}" if lost[id] else id for id in ids)
        if texts:
            points = sum(lost[id] for id in ids)
            game.emit(told.LeftBehind(battle.target, battle.defender, texts, points), audience)


def _clear_away(game: Game, battle: Battle) -> None:
    """Clear lone leaders of both sides, detrain units that fought (4.4.5), and end the battle."""
    for side in battle.sides:
        tell_displaced(game, displace(game, side, [*battle.hexes(side), battle.target]))
    detrained = left(game, battle.entrained)
    for u in detrained:
        u.entrained = False
    if detrained:
        game.emit(told.UnitsDetrained(battle.target, tuple(u.id for u in detrained)))
    entered = any(u.is_combat for u in units(game, battle.attacker, battle.target))
    holder = battle.defender if battle.held else battle.attacker if entered else NOBODY
    losses, place = dict(T.of(game).losses_sp), world_of(game).place(battle.target)
    game.emit(told.BattleEnded(battle.number, battle.target, place, holder, losses))
    forget_battle(game, battle)
    battle.end()
    decide_at_once(game)
