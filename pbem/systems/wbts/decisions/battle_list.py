"""Which battles the phasing player fights (D-07, rules 4.8.1 and 4.8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbem.rules import Decision, Diagnostic, Game, Option, decision, to_json

from ..battle.selection import BattleOrder, candidates, faults
from ..pieces import leaders, units, world_of


@dataclass(frozen=True)
class BattleOrders:
    """Battles in the order in which they are fought. `more`: ask again after them; else they are all."""

    battles: tuple[BattleOrder, ...] = ()
    more: bool = False


@decision("battles", rule="4.8.1", answer=BattleOrders, secrecy="sealed")
class Battles(Decision[BattleOrders]):
    """Which battles do you fight, in which order? None is to pass, which ends the segment."""

    player: str

    def options(self, game: Game, so_far: BattleOrders | None = None) -> Iterator[Option]:
        if so_far is None:
            yield Option({}, "fight no battle, the segment ends")
            so_far = BattleOrders()
        used = [id for order in so_far.battles for id in order.named]
        for order in candidates(game, self.player, used):
            longer = replace(so_far, battles=(*so_far.battles, order))
            yield Option(to_json(longer), in_words(order))
        if so_far.battles and not so_far.more:
            yield Option(to_json(replace(so_far, more=True)), "ask again after these battles")

    def check(self, game: Game, answer: BattleOrders) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        used: list[str] = []
        for n, order in enumerate(answer.battles):
            found += self._one(game, order, n, used)
            used += order.named
        if answer.more and not answer.battles:
            message = "more battles are wanted after none: name one, or leave `more` out to pass"
            found.append(Diagnostic("E-BAT-8", message, family="illegal", rule="4.8.1", path=("more",)))
        return found

    def _one(self, game: Game, order: BattleOrder, n: int, used: list[str]) -> list[Diagnostic]:
        """A target further down may still become occupied, and a hidden one hold anything (R-36, R-68)."""
        left_open = "E-BAT-8" if n > 0 or self._may_hold_anything(game, order.target) else ""
        wrong = [f for f in faults(game, self.player, order, used) if f.code != left_open]
        found = [fault.diagnostic("4.8.1", "battles", n) for fault in wrong]
        wish = order.only_if
        if wish is not None and wish.min_ratio_face is not None and game.options["limited_intelligence"]:
            message = "min_ratio_face would tell what is hidden and is not allowed with limited intelligence"
            path = ("battles", n, "only_if", "min_ratio_face")
            found.append(Diagnostic("hidden-condition", message, family="illegal", rule="4.8.1", path=path))
        return found

    def _may_hold_anything(self, game: Game, hex: str) -> bool:
        """With limited intelligence only the attack finds out what an occupied hex holds."""
        enemy = world_of(game).enemy(self.player)
        return bool(
            game.options["limited_intelligence"] and (units(game, enemy, hex) or leaders(game, enemy, hex))
        )

    def default(self, game: Game) -> BattleOrders:
        return BattleOrders()

    def repair(self, game: Game, answer: BattleOrders) -> BattleOrders:
        """Faulty battles are dropped, the others fought."""
        kept: list[BattleOrder] = []
        used: list[str] = []
        for order in answer.battles:
            if not self._one(game, order, len(kept), used):
                kept.append(order)
                used += order.named
        return BattleOrders(tuple(kept), answer.more and bool(kept))


def in_words(order: BattleOrder) -> str:
    """One battle in a line."""
    if order.naval:
        return f"{', '.join(order.naval)} attack the fort in {order.target}"
    stacks = " and ".join(f"{', '.join(stack.units)} from {stack.hex}" for stack in order.stacks)
    declared = f", declared: {', '.join(order.declared_cavalry)}" if order.declared_cavalry else ""
    return f"{order.leader} attacks {order.target} with {stacks}{declared}"
