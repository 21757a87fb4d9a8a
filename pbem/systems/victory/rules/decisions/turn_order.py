"""D-2, D-3, D-4, D-6 and D-10 together: a pass, or orders for a whole player turn (4.2.3, 4.3 to 4.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Game,
    Growing,
    Message,
    Next,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from ..activation import (
    MODES,
    activate_all,
    forced_pass,
    mended,
    must_act,
    remote_costs,
    reveal,
    reveal_faults,
    step_total,
    why_no_target,
)
from ..blocks import Block, own, supply_units, units
from ..doctrine import BattleDoctrine
from ..moves import Mover
from ..orders import Move, Reveal, SuMove, TurnOrder
from ..sides import controller, occupants
from ..state import State
from .player_turn import su_faults, su_options

#: Faults of supply units' moves that a battle may still remove before step 2.T.5 (4.7.2, R-48).
CHANGES_IN_BATTLE = ("E-MOV-08", "E-MOV-09", "E-MOV-10", "E-MOV-11")


class PlayerTurn(Draft[Part[Any]]):
    """Draft of a turn order, on a board with the player turn's moves so far but without its battles."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.state = State.of(game)
        self.mover = Mover(game, player)
        self.ours = [u.id for u in self.mover.side.units()]
        self.choice = ""
        self.supposed: list[str] = []  # sections of faulty elements
        self.reveals: list[Reveal] = []
        self.meant: list[Reveal] = []  # reveals, faulty ones included
        self.ordered: list[str] = []
        self.su_moved: list[str] = []
        self.attacked_from: dict[str, int] = {}

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        section, value = element.section, element.value
        if section == "choice":
            return list(self.choice_faults(value))
        if "nothing-else" in self.supposed:
            return []
        if section == "doctrine":
            return list(self.doctrine_faults(value))
        if self.choice != "turn":
            return [] if "pass" in self.supposed else [self.idle()]
        if value is NOTHING:
            return []
        match section:
            case "reveal":
                already = self.state.round <= 1 and "reveal" in self.supposed
                return [] if already else list(reveal_faults(self.game, self.player, value, self.meant))
            case "moves":
                return self.mover.faults(value)
            case "battle_order":
                return list(self.battle_faults(value))
            case _:
                faults = su_faults(self.su_mover, value, self.face_up, self.su_moved)
                open_ = self.battles
                return [fault for fault in faults if not open_ or fault.code not in CHANGES_IN_BATTLE]

    def choice_faults(self, choice: str) -> Iterator[Diagnostic]:
        """4.2.3: Yield the faults of the choice between pass and turn."""
        reason, initiative, place = (
            forced_pass(self.game, self.player),
            self.state.initiative,
            self.state.place,
        )
        if place is not None and place != self.player:
            yield illegal(
                "E-ACT-01", "4.2.2", Message("victory.turn-order.not-your-place-in-round", place=place)
            )
        if choice not in ("pass", "turn"):
            yield illegal("E-ACT-05", "4.2.3", Message("victory.turn-order.unknown-choice", choice=choice))
        elif choice == "turn" and reason in ("quota", "waived"):
            closed = f"{initiative.taken}/{initiative.quota}"
            yield illegal(
                "E-ACT-03",
                "4.2.3",
                Message("victory.turn-order.your-initiative-obligation-closed", closed=closed),
            )
        elif choice == "turn" and reason is not None:
            yield illegal(
                "E-ACT-04", "4.2.3", Message("victory.turn-order.no-unit-in-play", supply=reason == "no-su")
            )
        elif choice == "pass" and must_act(self.game, self.player):
            owed = initiative.owed(self.player)
            yield illegal(
                "E-ACT-02", "4.2.3", Message("victory.turn-order.initiative-player-owes-more-turn", owed=owed)
            )

    def idle(self) -> Diagnostic:
        """R-52: Return the fault of moves in a pass."""
        message = Message("victory.turn-order.pass-with-moves")
        return Diagnostic("pass-with-moves", message, family="ambiguous")

    def battle_faults(self, hex: str) -> Iterator[Diagnostic]:
        """4.6.1: Yield the fault of a hex in the battle order: no battle there, or named twice."""
        if hex not in self.battles:
            known = ", ".join(self.battles) or "none"
            message = Message("victory.turn-order.no-battle-hex", hex=hex, battles=known)
            yield illegal("no-battle-there", "4.6.1", message)
        elif hex in self.ordered:
            yield illegal("battle-twice", "4.6.1", Message("victory.activation.named-twice", name=hex))

    def doctrine_faults(self, doctrine: BattleDoctrine) -> Iterator[Diagnostic]:
        """4.6.12: Yield a fault for each name that is no block of the side and is probably misspelt."""
        for id, path in doctrine.named():
            if id not in self.ours:
                yield illegal("E-GEN-01", "4.6.12", Message("victory.turn-order.no-such-unit", id=id), *path)

    def suppose(self, element: Part[Any]) -> None:
        """Check moves as if faulty reveals were legal; for an illegal turn, report nothing else."""
        section, value = element.section, element.value
        if section == "reveal" and self.choice == "turn":
            self.meant.append(value)
            su = own(self.game, self.player, value.su)
            if su is not None and su.type == "SU" and self.state.round > 1:
                targets = tuple(t for t in value.targets if own(self.game, self.player, t))
                reveal(self.game, replace(value, targets=targets))
        if section == "choice" and value == "turn" and forced_pass(self.game, self.player) is None:
            self.do(element)
        elif section == "choice":
            section = "nothing-else"
        elif section != "doctrine" and self.choice != "turn":
            section = "pass"
        self.supposed.append(section)

    def mend(self, element: Part[Any]) -> Part[Any] | None:
        """R-35: Return a repaired element. A list that became empty stays, so that it counts as given."""
        if self.choice != "turn":
            return None
        if element.section == "reveal":
            left = mended(self.game, self.player, element.value, self.reveals)
            return None if left is None else Part("reveal", left)
        open_ = element.section in ("battle_order", "su_moves") and not self.count(element.section)
        return Part(element.section, NOTHING) if open_ else None

    def lacking(self) -> list[Diagnostic]:
        """4.3.1: Return the fault of a turn without a reveal."""
        bare = self.choice == "turn" and not self.reveals and "reveal" not in self.supposed
        if not bare or self.state.round <= 1:
            return []
        mine = ", ".join(u.id for u in supply_units(self.game, self.player))
        message = Message("victory.turn-order.reveal-least-one-supply-unit")
        return [
            illegal(
                "E-SU-01", "4.3.1", message, "reveal", help=Message("victory.turn-order.yours", mine=mine)
            )
        ]

    def do(self, element: Part[Any]) -> None:
        section, value = element.section, element.value
        if section == "choice":
            self.choice = value
            if value == "turn":
                activate_all(self.game, self.player)
        elif self.choice != "turn" or value is NOTHING:
            return
        elif section == "reveal" and self.state.round > 1:
            reveal(self.game, value)
            self.reveals.append(value)
            self.meant.append(value)
        elif section == "moves":
            start, number = Block(self.game, value.unit).hex, self.count("moves")
            if self.mover.make(value).battle:
                self.attacked_from[start] = number
        elif section == "battle_order":
            self.ordered.append(value)
        elif section == "su_moves":
            mover = self.su_mover
            if not su_faults(mover, value, self.face_up, self.su_moved):
                mover.make(value.move)
            self.su_moved.append(value.su)

    def lengthen(self, last: Part[Any], longer: Part[Any]) -> bool:
        self.reveals[-1] = self.meant[-1] = longer.value
        reveal(self.game, longer.value)
        return True

    def count(self, section: str) -> int:
        """Return the number of elements in a section."""
        return sum(1 for element in self.elements if element.section == section)

    @property
    def battles(self) -> tuple[str, ...]:
        """4.4.13: Return the battle hexes."""
        return self.mover.side.battle_hexes()

    @property
    def face_up(self) -> list[str]:
        """Return the supply units revealed so far."""
        return [order.su for order in self.reveals]

    @property
    def su_mover(self) -> Mover:
        """4.7: Return a mover for step 2.T.5 that ignores battles and supply units at their last step."""
        dying = [id for id in self.face_up if Block(self.game, id).steps == 1]
        return Mover(self.game, self.player, dying, self.mover.began)

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        late = self.state.round >= 2
        if not self.elements and of is None:
            if not must_act(self.game, self.player):
                yield Next(Part("choice", "pass"), "pass")
            if forced_pass(self.game, self.player) is None:
                text = Message("victory.turn-order.take-player-turn", revealing=late)
                yield Next(Part("choice", "turn"), text, complete=not late)
        if self.choice != "turn":
            return
        if late and self.elements[-1].section in ("choice", "reveal"):
            yield from self.more_reveals(of)
            if not self.reveals:
                return
        if self.elements[-1].section in ("choice", "reveal", "moves"):
            for block in units(self.game, self.player):
                if self.concerns(of, block.id):
                    for move in self.mover.options(block):
                        part: Part[Any] = Part("moves", move)
                        yield Next(part, self.words(part), self.mover.points(move))
        for hex in self.battles if len(self.battles) > 1 and of in (None, *self.battles) else ():
            if hex not in self.ordered:
                part = Part("battle_order", hex)
                yield Next(part, self.words(part), Points(start=hex))
        left = [id for id in self.face_up if id not in self.su_moved and self.concerns(of, id)]
        for order in su_options(self.su_mover, left):
            part = Part("su_moves", order)
            yield Next(part, self.words(part), self.mover.points(order.move))

    def more_reveals(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        """4.3.1, 4.3.2: Yield one more supply unit to reveal, or one more target of the last."""
        for su in supply_units(self.game, self.player):
            for mode in MODES if self.concerns(of, su.id) else ():
                order = Reveal(su.id, mode)
                if not list(reveal_faults(self.game, self.player, order, self.reveals)):
                    text = Message("victory.turn-order.reveal-in", su=su.id, cv=su.cv, hex=su.hex, mode=mode)
                    yield Next(
                        Part("reveal", order),
                        text,
                        Points((su.id,), risk=Message("victory.turn-order.loses-step")),
                    )
        last = self.reveals[-1] if self.reveals else None
        if last is None or last.mode != "remote" or not self.concerns(of, last.su):
            return
        su = Block(self.game, last.su)
        spent = sum(remote_costs(su, last.targets).values())
        free = [u.id for u in units(self.game, self.player) if u.id not in last.targets]
        for id, cost in remote_costs(su, [t for t in free if not why_no_target(self.player, su, t)]).items():
            if spent + cost <= su.cv:
                more = replace(last, targets=(*last.targets, id))
                text = Message(
                    "victory.turn-order.activates", su=su.id, id=id, cost=cost, spent=spent + cost, cv=su.cv
                )
                points = Points((su.id,), end=Block(self.game, id).hex, cost=(("activations", cost),))
                yield Next(Part("reveal", more), text, points, instead=True)

    def words(self, element: Part[Any]) -> str:
        match element.value:
            case Reveal(su, mode, targets):
                block = Block(self.game, su)
                named = f": {', '.join(targets)}" if targets else ""
                return Message(
                    "victory.turn-order.reveal", su=su, cv=block.cv, hex=block.hex, mode=mode, targets=named
                )
            case Move() as move:
                return Message(
                    "victory.turn-order.move", move=move.text, battle=self.mover.side.enemy_in(move.end)
                )
            case SuMove() as order:
                return Message("victory.turn-order.then", move=order.move.text)
        if element.section == "battle_order" and element.value is not NOTHING:
            return Message(
                "victory.player-turn.battle",
                count=len(self.ordered) + 1,
                place=self.mover.world.place(element.value),
            )
        if element.section == "choice":
            return (
                "pass"
                if element.value == "pass"
                else Message("victory.turn-order.take-player-turn", revealing=False)
            )
        return super().words(element)

    def told(self, element: Part[Any]) -> str | None:
        """4.6: Return the last move into a battle with its forecast, on the board at that time."""
        move = element.value
        if not isinstance(move, Move) or not self.mover.side.enemies(move.end):
            return None
        coming = [part.value for part in self.coming]
        if any(isinstance(value, Move) and value.end == move.end for value in coming):
            return None
        mine = [u.id for u in units(self.game, self.player, move.end)]
        text = Message("victory.turn-order.move", move=move.text, battle=True)
        for forecast in self.game.system.forecasts(self.game, move.end, mine):
            text = Message("victory.turn-order.forecast", said=text, expected=forecast.sentence())
        return text

    def doubts(self) -> list[Diagnostic]:
        """2.5: Return warnings about bases that attacks leave without a garrison."""
        world, warnings_ = self.mover.world, list[Diagnostic]()
        for hex, number in self.attacked_from.items():
            if hex not in self.mover.began.bases or occupants(self.game, hex):
                continue
            now, fate = controller(self.game, hex), Message("victory.turn-order.whoever-enters-has")
            if now not in self.mover.side.members:
                fate = Message("victory.turn-order.which-is-whose-at-once", player=now)
            message = Message("victory.turn-order.empty-base", place=world.place(hex), fate=fate)
            path = ("moves", number)
            warnings_.append(Diagnostic("empty-base", message, severity="warning", rule="2.5", path=path))
        return warnings_


@dataclass(frozen=True)
class PassIf:
    """A standing order to pass once the supply units have at most this many steps together."""

    su_steps_at_most: int


STANDING = {"pass_from_round": int, "pass_if": PassIf}


@decision("turn-order", rule="4.2.3", answer=TurnOrder, secrecy="sealed", standing=STANDING)
class PassOrTurn(Growing[TurnOrder]):
    """Do you pass, or take a player turn, with orders for all of it?"""

    player: str
    round: int
    owed: int = 0

    def draft(self, game: Game) -> PlayerTurn:
        State.of(game).round = self.round
        return PlayerTurn(game, self.player)

    def ahead(self, game: Game) -> Iterator[PassOrTurn]:
        """4.2.4: Yield the question for the next round, unless a pass is forced there."""
        holder = State.of(game).initiative.holder == self.player
        if supply_units(game, self.player) and (self.owed > 1 or not holder):
            yield PassOrTurn(self.player, self.round + 1, max(0, self.owed - 1))

    def default(self, game: Game) -> TurnOrder:
        """D-2: Return a pass, or the cheapest turn for a holder who owes turns."""
        if not must_act(game, self.player):
            return TurnOrder("pass")
        if State.of(game).round <= 1:
            return TurnOrder("turn")
        weakest = min(supply_units(game, self.player), key=lambda u: (u.cv, u.id))
        return TurnOrder("turn", reveal=(Reveal(weakest.id, "local"),))

    def from_standing(self, game: Game, orders: list[int | PassIf]) -> TurnOrder | None:
        """Return a pass if an order says so; a holder who owes turns is asked."""
        if must_act(game, self.player):
            return None
        steps, now = step_total(game, self.player), State.of(game).round
        late = any(isinstance(order, int) and now >= order for order in orders)
        spent = any(isinstance(order, PassIf) and steps <= order.su_steps_at_most for order in orders)
        return TurnOrder("pass") if late or spent else None

    @fact
    def turn(self, game: Game) -> int:
        return State.of(game).turn

    @fact("round")
    def round_now(self, game: Game) -> int:
        return State.of(game).round

    @fact
    def holder(self, game: Game) -> bool:
        return State.of(game).initiative.holder == self.player

    @fact("owed")
    def owed_now(self, game: Game) -> int:
        return State.of(game).initiative.owed(self.player)

    @fact
    def su_steps(self, game: Game) -> int:
        return step_total(game, self.player)
