"""4.2, 4.7, 4.10, 10.6: The start of a player turn, leaders' rolls, the end of the week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.rules import Decision, Game, HexNumber, Option, ask, decision, procedure, roll

from .chain import chain
from .command.forces import able, modified
from .events.activation import Activation, LeadersActivated
from .events.command import LeaderReturned, LeaderWaits, PlayerTurnBegan
from .events.week import ArrivalLost, CycleEnded, SupplyArrived, UnitArrived
from .handling import merge
from .pieces import Leader, cycle, is_unit, leader, leaders, unit, units, world_of
from .set_up import counter
from .telling import leader_label, tell_failure
from .tracks import T
from .victory import ending, finish, score
from .zones import enemy_occupied, owner, supply_cities


@procedure("begin_player_turn", rule="4.2")
async def begin_player_turn(game: Game, phasing: str) -> None:
    """4.2: Detrain units, clear the last turn's marks and spans, and return the wounded."""
    tracks = T.of(game)
    detrained = tuple(u.id for u in units(game, phasing) if u.entrained)
    for u in units(game, phasing):
        u.entrained = u.moved = u.attacked = False
    merge(game, phasing)
    for who in leaders(game, phasing):
        who.moved = who.attempted = who.active = False
    tracks.spans, tracks.done, tracks.plan, tracks.militia_placed = {}, (), {}, {}
    tracks.free_used[phasing] = 0
    game.emit(PlayerTurnBegan(phasing, tracks.chit[phasing], detrained))
    for id in game.position.find(type="leader", side=phasing, status="wounded"):
        who = leader(game, id)
        if who.return_cycle is not None and who.return_cycle <= cycle(game):
            await come_back(game, who)


@decision("return-city", rule="4.2", answer=HexNumber, secrecy="sealed")
class ReturnCity(Decision[str]):
    """In which supply city does the leader who has recovered report for duty?"""

    player: str
    leader: str
    cities: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.leader,)

    def options(self, game: Game) -> Iterator[Option]:
        for hex in self.cities:
            yield Option(hex, world_of(game).place(hex))

    def default(self, game: Game) -> str:
        return self.cities[0]


async def come_back(game: Game, who: Leader) -> None:
    """10.6: Return a leader to an own supply city without enemies.

    Without one the leader waits (R-93).
    """
    side, id = who.side, who.id
    cities = tuple(hex for hex in supply_cities(game, side) if not enemy_occupied(game, hex, side))
    if not cities:
        who.return_cycle = cycle(game) + 1
        game.emit(LeaderWaits(side, id))
        return
    hex = await ask(ReturnCity(side, id, cities)) if len(cities) > 1 else cities[0]
    who.status, who.return_cycle = "on_map", None
    game.position.move(id, hex)
    game.emit(LeaderReturned(side, id, hex))


@procedure("leader_activation", rule="4.7")
async def leader_activation(game: Game, phasing: str) -> None:
    """4.7: Roll for land leaders on the map by id, against their modified initiative."""
    reached, dice = chain(game, phasing), world_of(game).tables.dice["activation"]
    table: list[Activation] = []
    for who in able(game, phasing):
        values = modified(who, reached)
        die = await roll(dice, *leader_label(game, phasing, "2.b", "activation", who.id))
        who.active = die.total <= values.initiative
        if not who.active and game.options["limited_intelligence"]:
            tell_failure(game, phasing, who.id, values, die)
            continue
        table.append(Activation(who.id, values.initiative, die, who.active))
    game.emit(LeadersActivated(phasing, tuple(row.leader for row in table if row.active), tuple(table)))


@procedure("end_of_week", rule="4.10")
async def end_of_week(game: Game, phasing: str | None) -> None:
    """4.10: End the week: count the points after the last, else begin the next with its arrivals."""
    tracks = T.of(game)
    for side in world_of(game).seats:
        tracks.vp[side] = score(game, side).total
    end = ending(game, week_over=True)
    if end is not None:
        finish(game, end)
        return
    if tracks.gt % world_of(game).cycle_weeks == 0:
        tracks.rail_points = dict(game.scenario["rail_points"])
        game.emit(CycleEnded(dict(tracks.rail_points)))
    tracks.gt += 1
    for arrival in game.scenario.get("arrivals", ()):
        if arrival["gt"] == tracks.gt:
            arrive(game, arrival)


def arrive(game: Game, arrival: Mapping[str, Any]) -> None:
    """10.6: Place units and supply at a city. They are lost if an enemy owns it or is in it."""
    side, hex = arrival["side"], arrival["hex"]
    if owner(game, hex) != side or enemy_occupied(game, hex, side):
        game.emit(ArrivalLost(side, hex))
        return
    for id, fields in arrival.get("units", {}).items():
        game.position.add(id, counter(world_of(game), {**fields, "hex": hex}))
        u = unit(game, id)
        game.emit(UnitArrived(side, id, u.row.name, u.sp, hex))
    for id, points in arrival.get("supply", {}).items():
        if not is_unit(game, id):
            game.emit(ArrivalLost(side, hex))
            continue
        u = unit(game, id)
        taken = points if u.room is None else min(points, u.room)
        u.supply += taken
        game.emit(SupplyArrived(side, id, u.hex, taken))
