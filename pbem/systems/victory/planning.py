"""Trying a turn order out on a copy of the position: its faults, what is left, how it could go on.

The player's tool does this on his view, the GM's on the truth; both must come to the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from pbem.rules import Diagnostic, Json, Option, to_json

from .activation import activated, mended, one_reveal_faults, remote_costs, reveal_faults
from .blocks import (
    Board,
    Sim,
    battle_hexes,
    controller,
    lose_step,
    mark,
    occupants,
    side_units,
    supply_units,
    unit,
    units,
    world_of,
)
from .initiative import Initiative, current_round, forced_pass, must_act
from .moves import LOGISTIC_KINDS, Move, Mover, illegal
from .orders import Reveal, SuMove, TurnOrder

#: What a battle may still change between the writing of an order and step 2.T.5 (4.7.2).
CHANGES_IN_BATTLE = ("E-MOV-08", "E-MOV-09", "E-MOV-10", "E-MOV-11")


class Plan:
    """A turn order played out as far as it is legal: `faults` is everything refused, `kept` the rest."""

    def __init__(self, board: Board, player: str, order: TurnOrder, *, mend: bool = False) -> None:
        self.player = player
        self.sim = Sim.of(board)
        self.world = world_of(board)
        self.round = current_round(board)
        self.order = order
        self.faults: list[Diagnostic] = []
        self.doubts: list[Diagnostic] = []
        self.kept = TurnOrder(order.choice)
        if self._choose() and order.choice == "turn":
            self._reveal(mend)
            self._move()
            self._order_battles()
            self._move_supply_units()
            self._check_doctrine()

    def _choose(self) -> bool:
        """4.2.3; whether to look at the rest: of a turn that may not be taken nothing else is told."""
        choice, reason = self.order.choice, forced_pass(self.sim, self.player)
        initiative = Initiative.of(self.sim)
        place = self.sim.position.tracks.get("place")
        if place is not None and place != self.player:
            self._refuse("E-ACT-01", "4.2.2", f"not your place in the round: it is {place}'s")
        if choice not in ("pass", "turn"):
            self._refuse("E-ACT-05", "4.2.3", f"unknown choice '{choice}', wanted pass or turn", "choice")
        elif choice == "turn" and reason in ("quota", "waived"):
            closed = f"{initiative.taken}/{initiative.quota}"
            message = f"your initiative obligation is closed ({closed}); you must pass"
            self._refuse("E-ACT-03", "4.2.3", message, "choice")
        elif choice == "turn" and reason is not None:
            what = "supply unit" if reason == "no SU" else "unit"
            self._refuse("E-ACT-04", "4.2.3", f"no {what} in play; you must pass", "choice")
        elif choice == "pass" and must_act(self.sim, self.player):
            owed = initiative.owed(self.player)
            self._refuse("E-ACT-02", "4.2.3", f"initiative player owes {owed} more turn(s)", "choice")
        elif choice == "pass" and replace(self.order, doctrine=None) != TurnOrder("pass"):
            message = "a pass has no reveals and moves; write `choice: turn` to make them"
            self.faults.append(Diagnostic("pass-with-moves", message, family="ambiguous", path=("choice",)))
        return choice != "turn" or reason is None

    def _refuse(self, code: str, rule: str, message: str, *path: str | int) -> None:
        self.faults.append(illegal(code, rule, message, *path))

    def _reveal(self, mend: bool) -> None:
        """4.3; moves are judged as if faulty reveals stood, so that one fault is told once."""
        self.faults += reveal_faults(self.sim, self.player, self.order.reveal)
        sound = mended(self.sim, self.player, self.order.reveal)
        self.kept = replace(self.kept, reveal=sound)
        if mend:
            active = activated(self.sim, self.player, sound)
        else:
            active = activated(self.sim, self.player, [self._as_meant(one) for one in self._known()])
        for one in sound:
            mark(self.sim, one.su, revealed=True)
        for id in active:
            mark(self.sim, id, activated=True)

    def _known(self) -> list[Reveal]:
        mine = [u.id for u in supply_units(self.sim, self.player)]
        return [one for one in self.order.reveal if one.su in mine]

    def _as_meant(self, one: Reveal) -> Reveal:
        mine = [u.id for u in units(self.sim, self.player)]
        return replace(one, targets=tuple(t for t in one.targets if t in mine))

    def _move(self) -> None:
        """4.4: each move against the position at that moment."""
        self.mover = Mover(self.sim, self.player)
        self.sim.position.tracks["turn_began"] = cast(Json, self.mover.began())  # 4.4.4, for step 2.T.5
        kept: list[Move] = []
        attacked_from: dict[str, int] = {}
        for i, move in enumerate(self.order.moves):
            faults = self.mover.faults(move)
            self.faults += [replace(f, path=("moves", i, *f.path)) for f in faults]
            if not faults:
                start = unit(self.sim, move.unit).hex
                if self.mover.make(move).battle:
                    attacked_from[start] = i
                kept.append(move)
        self.battles = battle_hexes(self.sim, self.player)
        self.kept = replace(self.kept, moves=tuple(kept))
        self._doubt_empty_bases(attacked_from)

    def _doubt_empty_bases(self, attacked_from: dict[str, int]) -> None:
        """2.5: a base from which an attack began and where no garrison of the side is left."""
        for hex, i in attacked_from.items():
            if hex not in self.mover.home_bases or occupants(self.sim, hex):
                continue
            base, now = self.world.place(hex), controller(self.sim, hex)
            if now is not None and self.world.allied(now, self.player):
                message = f"the attack leaves nobody in {base}: whoever enters it has it"
            else:
                fate = "neutral" if now is None else f"{now}'s again"
                message = f"the attack leaves nobody in {base}, which is {fate} at once"
            path = ("moves", i)
            self.doubts.append(Diagnostic("empty-base", message, severity="warning", rule="2.5", path=path))

    def _order_battles(self) -> None:
        """4.6.1: some or all of the battle hexes, each once."""
        if self.order.battle_order is None:
            return
        kept: list[str] = []
        for i, hex in enumerate(self.order.battle_order):
            if hex not in self.battles:
                found = ", ".join(self.battles) or "none"
                message = f"{hex} is no battle hex, battles are in: {found}"
                self.faults.append(_battle_fault("no-battle-there", message, i))
            elif hex in kept:
                self.faults.append(_battle_fault("battle-twice", f"{hex} is named twice", i))
            else:
                kept.append(hex)
        self.kept = replace(self.kept, battle_order=tuple(kept))

    def _move_supply_units(self) -> None:
        """4.7, tried on the position before the battles; what these may change is left open."""
        after = self.after_reduction()
        if self.order.su_moves is None:
            return
        mover = Mover(after, self.player)
        kept: list[SuMove] = []
        for i, one in enumerate(self.order.su_moves):
            faults = self.su_faults(after, mover, one, [k.su for k in kept])
            hard = [f for f in faults if not self.battles or f.code not in CHANGES_IN_BATTLE]
            self.faults += [replace(f, path=("su_moves", i, *f.path)) for f in hard]
            if not hard:
                kept.append(one)
                if not faults:
                    mark(after, one.su, activated=True, revealed=None)
                    mover.make(one.move)
        self.kept = replace(self.kept, su_moves=tuple(kept))

    def after_reduction(self) -> Sim:
        """The position of step 2.T.5, as if no battle changed anything."""
        after = Sim.of(self.sim)
        for one in self.kept.reveal:
            if one.su in after.position.counters:
                lose_step(after, one.su)
        return after

    def su_faults(self, after: Sim, mover: Mover, one: SuMove, moved: list[str]) -> list[Diagnostic]:
        """Everything wrong with a move in step 2.T.5; paths lead into the move."""
        if one.su not in [r.su for r in self.kept.reveal]:
            return [illegal("E-MOV-01", "4.7.2", f"{one.su} was not revealed in this Player Turn", "su")]
        if one.su in moved:
            return [illegal("E-MOV-02", "4.4.1", f"{one.su} has moved already", "su")]
        if one.su not in after.position.counters:
            message = f"{one.su} is eliminated by its reduction and cannot move"
            return [illegal("E-MOV-01", "4.7.2", message, "su")]
        if one.kind not in LOGISTIC_KINDS:
            message = f"a supply unit cannot move by {one.kind}, only by {', '.join(LOGISTIC_KINDS)}"
            return [illegal("E-MOV-12", "4.7.2", message, "kind")]
        return mover.way_faults(unit(after, one.su), one.move)

    def _check_doctrine(self) -> None:
        """Names in a doctrine that are no blocks of the side, most likely slips of the pen."""
        doctrine = self.order.doctrine
        if doctrine is None:
            return
        self.kept = replace(self.kept, doctrine=doctrine)
        ours = [u.id for u in side_units(self.sim, self.player)]
        named: list[tuple[str, tuple[str | int, ...]]] = []
        for i, rule in enumerate(doctrine.rules):
            named += [(id, ("rules", i, "when", "unit", k)) for k, id in enumerate(rule.when.unit)]
        named += [(id, ("fire_order", i)) for i, id in enumerate(doctrine.fire_order)]
        named += [(id, ("loss_order", i)) for i, id in enumerate(doctrine.loss_order)]
        named += [(id, ("rebase", id)) for id in doctrine.rebase]
        for id, path in named:
            if id not in ours:
                self._refuse("E-GEN-01", "4.6.12", f"no such unit: {id}", "doctrine", *path)


def _battle_fault(code: str, message: str, i: int) -> Diagnostic:
    return illegal(code, "4.6.1", message, "battle_order", i)


# how a turn order may go on


def longer(board: Board, player: str, so_far: TurnOrder | None) -> Iterator[Option]:
    """Every legal turn order with one element more than `so_far`."""
    if so_far is None:
        if not must_act(board, player):
            yield Option(to_json(TurnOrder("pass")), "pass")
        if forced_pass(board, player) is None:
            first = current_round(board) <= 1
            text = "take a Player Turn" + ("" if first else ", revealing supply units")
            yield Option(to_json(TurnOrder("turn")), text, complete=first)
        return
    if so_far.choice != "turn" or forced_pass(board, player) is not None:
        return
    plan = Plan(board, player, so_far)
    begun = bool(so_far.moves or so_far.battle_order or so_far.su_moves)
    if plan.round >= 2 and not begun:
        yield from _more_reveals(plan, so_far)
    if plan.round >= 2 and not so_far.reveal:
        return
    if not so_far.battle_order and not so_far.su_moves:
        yield from _more_moves(plan, so_far)
    if len(plan.battles) > 1 and not so_far.su_moves:
        yield from _more_battles(plan, so_far)
    yield from _more_su_moves(plan, so_far)


def _more_reveals(plan: Plan, so_far: TurnOrder) -> Iterator[Option]:
    for su in supply_units(plan.sim, plan.player):
        if su.id in [one.su for one in so_far.reveal]:
            continue
        for mode in ("local", "remote"):
            new = (*so_far.reveal, Reveal(su.id, mode))
            if not any(list(one_reveal_faults(plan.sim, plan.player, new, i)) for i in range(len(new))):
                text = f"reveal {su.id} ({su.cv} in {su.hex}), {mode}"
                yield Option(to_json(replace(so_far, reveal=new)), text)
    last = so_far.reveal[-1] if so_far.reveal else None
    if last is None or last.mode != "remote":
        return
    su = unit(plan.sim, last.su)
    spent = sum(remote_costs(plan.sim, su, last.targets).values())
    free = [u.id for u in units(plan.sim, plan.player) if u.id not in last.targets and not u.revealed]
    for id, cost in remote_costs(plan.sim, su, free).items():
        if spent + cost <= su.cv:
            more = replace(last, targets=(*last.targets, id))
            text = f"{su.id} activates {id} for {cost} ({spent + cost} of {su.cv})"
            yield Option(to_json(replace(so_far, reveal=(*so_far.reveal[:-1], more))), text)


def _more_moves(plan: Plan, so_far: TurnOrder) -> Iterator[Option]:
    for block in units(plan.sim, plan.player):
        for move in plan.mover.options(block):
            into = ", battle" if plan.mover.enemy_in(move.end) else ""
            yield Option(to_json(replace(so_far, moves=(*so_far.moves, move))), move.text + into)


def _more_battles(plan: Plan, so_far: TurnOrder) -> Iterator[Option]:
    before = so_far.battle_order or ()
    for hex in plan.battles:
        if hex not in before:
            text = f"battle {len(before) + 1} in {plan.world.place(hex)}"
            yield Option(to_json(replace(so_far, battle_order=(*before, hex))), text)


def _more_su_moves(plan: Plan, so_far: TurnOrder) -> Iterator[Option]:
    before = so_far.su_moves or ()
    after = plan.after_reduction()
    for one in before:
        if one.su in after.position.counters:
            mark(after, one.su, moved=True)
            after.position.move(one.su, one.path[-1])
    mover = Mover(after, plan.player)
    for new in su_options(mover, after, [r.su for r in so_far.reveal], [one.su for one in before]):
        yield Option(to_json(replace(so_far, su_moves=(*before, new))), f"then {new.move.text}")


def su_options(mover: Mover, after: Sim, revealed: list[str], moved: list[str]) -> Iterator[SuMove]:
    """Every legal move in step 2.T.5 of supply units that survive and have none yet."""
    for id in revealed:
        if id in moved or id not in after.position.counters:
            continue
        mark(after, id, activated=True, revealed=None, moved=None)
        for move in mover.options(unit(after, id)):
            if move.kind in LOGISTIC_KINDS:
                yield SuMove(id, move.kind, move.path)
