"""D-LOOP: what the acting side does in a segment, as one answer that grows by actions (4.0.9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbem.kit.ways import ways
from pbem.rules import Decision, Diagnostic, Draft, Game, Growing, Next, Part, Points, decision, fact

from ..actions import Action, Attack, Batch, Fire, Fuel, Move, Stand, counters_named
from ..barrage import artillery
from ..loops import anything_to_do, dry, faults_of, holds
from ..moving import bridged, can_move, fuelled, holds_enemy_things, movement_allowance, trainbusted
from ..pieces import Ship, T, Unit, maybe_unit, ships, units, world_of
from ..reach import Net, available
from ..world import ALL
from ..zones import Ground


class Acting(Draft[Part[Any]]):
    """Actions on a board of its own: each is tried on another board beside it; what comes after dice is not
    known, so units that fight are done for this draft."""

    def __init__(self, game: Game, player: str, segment: str) -> None:
        super().__init__(game, player)
        self.segment = segment
        self.unsure = False

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section != "actions":
            return []
        action: Action = element.value
        if action.if_ is not None or (self.unsure and self._touched(action)):
            return (
                []
                if action.kinds
                else faults_of(self.game.copy(), self.player, self.segment, action, frozenset())
            )
        return faults_of(self.game.copy(), self.player, self.segment, action, self._named())

    def _touched(self, action: Action) -> bool:
        """Does it name anything that a fight has made uncertain?"""
        return bool(counters_named((action,)) & self._named())

    def _named(self) -> frozenset[str]:
        return counters_named(tuple(e.value for e in self.elements if e.section == "actions"))

    def do(self, element: Part[Any]) -> None:
        if element.section != "actions":
            return
        action: Action = element.value
        if not holds(self.game, action.if_):
            return
        from pbem.rules import Refused

        try:
            from ..loops import carry_out

            dry(carry_out(self.game, self.player, self.segment, action, frozenset()))
        except Refused:
            pass
        if action.kinds and action.kinds[0] in ("attack", "fire", "air", "blow"):
            self.unsure = True
        if action.move is not None and any(step.overrun for step in action.move.steps):
            self.unsure = True
        for id in sorted(counters_named((action,))):
            self._finish(action, id)

    def _finish(self, action: Action, id: str) -> None:
        """What is spent whatever the dice say."""
        u = maybe_unit(self.game, id)
        if u is None:
            return
        if action.attack is not None:
            u.attacked = True
            T.of(self.game).attacked = tuple(sorted({*T.of(self.game).attacked, action.attack.hex}))
        if action.move is not None:
            u.done = True

    # what may come next

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        makers = {
            "movement": (self._fuels, self._moves, self._stands),
            "reaction": (self._moves,),
            "exploitation": (self._moves,),
            "air_naval": (self._fires,),
            "artillery": (self._fires,),
            "all_barrage": (self._fires,),
            "combat": (self._attacks,),
        }[self.segment]
        for make in makers:
            for action, text, points in make(of):
                part = Part("actions", action)
                known = action.move is not None and not T.of(self.game).simulcast
                if known or not self.faults(part):
                    yield Next(part, text, points)

    def _fuels(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        if of is not None:
            return
        for name, members in sorted(world_of(self.game).formations.items()):
            mine = [
                u for id in members if (u := maybe_unit(self.game, id)) is not None and u.owner == self.player
            ]
            if mine and any(u.side.mobility != "leg" and not u.fuelled for u in mine):
                yield Action(fuel=Fuel(formation=name)), f"fuel for {name}", Points(cost=(("T", 4),))

    def _moves(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        """Ways of single units; what they need to be legal is looked at here, once for each unit."""
        for u in units(self.game, self.player):
            if (
                not self.concerns(of, u.id)
                or u.hex not in world_of(self.game).terrains
                or u.marker == "strat"
            ):
                continue
            free = self.segment != "movement" and u.marker == "reserve"
            if not free and can_move(self.game, u):
                continue
            fuel = None if fuelled(self.game, u) else "single"
            if fuel and not self._can_pay(u):
                continue
            for path, cost in unit_ways(self.game, u, released=free):
                order = Move((u.id,), path, fuel=fuel, release=free)  # type: ignore[arg-type]
                text = (
                    f"{u.id} to {path[-1]}" + (", fuel 1 T" if fuel else "") + (", released" if free else "")
                )
                yield Action(move=order), text, Points((u.id,), way=path, cost=(("MP", int(cost)),))

    def _can_pay(self, u: Unit) -> bool:
        net = Net(self.game, self.player, trace=False)
        supplies = net.usable(u.hex or "", u)
        return available(net, supplies) >= int(net.world.supply["costs"]["fuel_single_unit"])

    def _stands(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        for u in units(self.game, self.player):
            if not self.concerns(of, u.id) or can_move(self.game, u):
                continue
            for facing, mode in (("combat", "plain"), ("move", "plain"), (None, "reserve")):
                if (u.facing, u.marker) != (facing, "none"):
                    order = Stand((u.id,), facing, mode)  # type: ignore[arg-type]
                    yield Action(stand=order), f"{u.id} stands: {facing or ''} {mode}", Points((u.id,))

    def _attacks(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        world = world_of(self.game)
        targets = sorted({u.hex or "" for u in units(self.game, world.enemy(self.player))})
        for hex in targets:
            near = [u for n in world.beside(hex) for u in units(self.game, self.player, n)]
            able = [u for u in near if u.attack_capable and not u.attacked and self.concerns(of, u.id)]
            for n in range(len(able), 0, -1):
                ids = tuple(u.id for u in able[:n])
                yield Action(attack=Attack(hex, ids)), f"{', '.join(ids)} attack {hex}", Points(ids, end=hex)

    def _fires(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        world = world_of(self.game)
        guns: list[Unit | Ship] = []
        if self.segment != "air_naval":
            guns += artillery(self.game, self.player, self.segment)
        if self.segment != "artillery":
            guns += ships(self.game, self.player)
        targets = sorted({u.hex or "" for u in units(self.game, world.enemy(self.player))})
        for gun in guns:
            if not self.concerns(of, gun.id) or gun.hex not in world.terrains:
                continue
            for hex in targets:
                if hex in world.terrains and world.distance(gun.hex or "", hex) <= 9:
                    order = Fire((gun.id,), hex)
                    yield Action(fire=order), f"{gun.id} fires at {hex}", Points((gun.id,), end=hex)

    def words(self, element: Part[Any]) -> str:
        if element.section != "actions":
            return f"{element.section}: {element.value}"
        action: Action = element.value
        what = action.what if action.kinds else ""
        return f"{', '.join(action.kinds)} {what}"

    def nothing(self) -> str:
        return "no action: the segment ends"


def unit_ways(game: Game, u: Unit, *, released: bool = False) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Where one unit can go, each the cheapest way, trucks no farther than the first open zone."""
    world, t = world_of(game), T.of(game)
    if released:
        u.marker = "none"
    allowance, ground = movement_allowance(u), Ground(game, u.owner, without=[u.id])
    limit = int((allowance - u.spent) * world.scale)
    m, capable = u.side.mobility, u.attack_capable

    def cost(a: str, b: str) -> int | None:
        if b in ground.enemies or not world.land(b):
            return None
        if not capable and holds_enemy_things(game, u.owner, b):
            return None
        over = bridged(game, u.owner, a, b)
        found = world.step(a, b, m, ground=t.ground, bridged=over)
        if found is None:
            return None
        if found == ALL:
            return limit if a == u.hex and not u.spent else None
        return found + (world.scale if trainbusted(game, u.owner, b, m) else 0)

    stop = (lambda hex: ground.open_zoc(hex)) if m == "truck" else None
    found = ways(world, u.hex or "", cost, limit, stop=stop)
    listed = [(path, Fraction(found.cost(end), world.scale)) for end, path in found.items()]
    if released:
        u.marker = "reserve"
    yield from listed


@decision("actions", rule="4.0.9", answer=Batch, facts=("segment", "round"))
class Actions(Growing[Batch]):
    """What do you do in this segment?"""

    player: str
    segment: str
    round: int

    def subject(self) -> tuple[str | int, ...]:
        return (self.segment,)

    def draft(self, game: Game) -> Acting:
        return Acting(game, self.player, self.segment)

    def default(self, game: Game) -> Batch:
        return Batch()

    def waits(self, game: Game) -> bool:
        """R-130"""
        return anything_to_do(game, self.player, self.segment)

    def ahead(self, game: Game) -> Iterator[Decision[Any]]:
        after = {
            "movement": ("air_naval", "artillery", "combat", "exploitation"),
            "air_naval": ("artillery", "combat"),
            "reaction": ("all_barrage",),
            "artillery": ("combat", "exploitation"),
            "combat": ("exploitation",),
        }
        for segment in after.get(self.segment, ()):
            yield Actions(self.player, segment, 1)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn
