"""D-2, D-3, D-4, D-6 and D-10 in one: a pass, or orders for a whole Player Turn (4.2.3, 4.3, 4.4, 4.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.rules import Decision, Diagnostic, Game, Option, decision, fact

from ..blocks import supply_units
from ..initiative import Initiative, current_round, must_act, step_total
from ..orders import Reveal, TurnOrder
from ..planning import Plan, longer


@dataclass(frozen=True)
class PassIf:
    """When to pass unasked: once the supply units have no more steps than this together."""

    su_steps_at_most: int


STANDING = {"pass_from_round": int, "pass_if": PassIf}


@decision("turn-order", rule="4.2.3", answer=TurnOrder, secrecy="sealed", standing=STANDING)
class PassOrTurn(Decision[TurnOrder]):
    """Pass, or take a Player Turn: the orders for all of it."""

    player: str
    round: int
    owed: int = 0

    def options(self, game: Game, so_far: TurnOrder | None = None) -> Iterator[Option]:
        return longer(game, self.player, so_far)

    def check(self, game: Game, answer: TurnOrder) -> list[Diagnostic]:
        return Plan(game, self.player, answer).faults

    def warnings(self, game: Game, answer: TurnOrder) -> list[Diagnostic]:
        return Plan(game, self.player, answer).doubts

    def default(self, game: Game) -> TurnOrder:
        """A pass; of a holder who owes turns the cheapest turn there is (D-2)."""
        if not must_act(game, self.player):
            return TurnOrder("pass")
        if current_round(game) <= 1:
            return TurnOrder("turn")
        weakest = min(supply_units(game, self.player), key=lambda u: (u.cv, u.id))
        return TurnOrder("turn", reveal=(Reveal(weakest.id, "local"),))

    def repair(self, game: Game, answer: TurnOrder) -> TurnOrder:
        """Bad elements are dropped one by one (R-35); a bad choice, or no reveal left, gives the default."""
        plan = Plan(game, self.player, answer, mend=True)
        fatal = any(f.code.startswith("E-ACT") or f.code == "pass-with-moves" for f in plan.faults)
        if fatal or (answer.choice == "turn" and plan.round >= 2 and not plan.kept.reveal):
            return self.default(game)
        return plan.kept if answer.choice == "turn" else TurnOrder("pass")

    def from_standing(self, game: Game, orders: list[int | PassIf]) -> TurnOrder | None:
        """A pass when one of the orders says so; the holder who owes turns is asked all the same."""
        if must_act(game, self.player):
            return None
        steps, now = step_total(game, self.player), current_round(game)
        late = any(isinstance(order, int) and now >= order for order in orders)
        spent = any(isinstance(order, PassIf) and steps <= order.su_steps_at_most for order in orders)
        return TurnOrder("pass") if late or spent else None

    @fact
    def turn(self, game: Game) -> int:
        return int(game.tracks["turn"])

    @fact("round")
    def round_now(self, game: Game) -> int:
        return current_round(game)

    @fact
    def holder(self, game: Game) -> bool:
        return Initiative.of(game).holder == self.player

    @fact("owed")
    def owed_now(self, game: Game) -> int:
        return Initiative.of(game).owed(self.player)

    @fact
    def su_steps(self, game: Game) -> int:
        return step_total(game, self.player)
