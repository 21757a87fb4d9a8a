"""4.1, 4.23, R-112: The victory value, automatic victory, the end of the game."""

from __future__ import annotations

from pbem.rules import Game, Message

from .events.turn import GameWon, VictoryChecked
from .ground import Ground
from .pieces import T, pieces, world_of


def counted(game: Game) -> tuple[list[str], list[str]]:
    """4.1: Return the enemy strategic hexes that the Axis controls, and its own that it has lost."""
    ground, world = Ground(game), world_of(game)
    axis = world.factions[0]
    held, lost = [], []
    for hex, owner in sorted(world.strategic.items()):
        country = world.country_of(hex)
        if any(ground.posture(country, faction) == "policy" for faction in world.factions):
            continue
        holder = ground.control(hex)
        if owner != axis and holder == axis:
            held.append(hex)
        if owner == axis and holder not in (None, axis):
            lost.append(hex)
    return held, lost


def scenario_modifier(game: Game) -> int:
    """4.1 Step 2: Return the scenario's additions, for example for Strategic Warfare markers (2.6)."""
    in_boxes = {marker.id for marker in pieces(game, spot="strategic")}
    rows = [row for row in world_of(game).csv_rows if row.when.holds(game)]
    return sum(row.n * (sum(id in in_boxes for id in row.each) if row.each else 1) for row in rows)


def check(game: Game) -> None:
    """4.1: Check victory by steps 1 to 4. Automatic victory ends the game."""
    t, world = T.of(game), world_of(game)
    held, lost = counted(game)
    before = t.marker
    modifier = t.csv_modifier + scenario_modifier(game)
    t.csv = len(held) - len(lost) + modifier
    chart = world.limits["victory"]
    if t.csv >= int(chart["axis_tide_at"]):
        t.marker = "axis_tide"
    elif t.csv <= int(chart["allied_tide_at"]):
        t.marker = "allied_tide"
    game.emit(VictoryChecked(tuple(held), tuple(lost), modifier, t.csv, before, t.marker))
    for victory in world.automatic:
        if victory.when.holds(game):
            t.result = victory.winner
            game.emit(GameWon(victory.winner, Message("totaler-krieg.victory.automatic-victory"), t.csv))
            return


def final(game: Game) -> None:
    """4.23: Check once more after the last turn, then apply the bands of the scenario."""
    check(game)
    t, world = T.of(game), world_of(game)
    if t.result is not None:
        return
    for band in world.final:
        if not band.when.holds(game):
            continue
        t.result = band.result
        shared = ""
        if band.shared_by:
            ground = Ground(game)
            own = [hex for hex, owner in sorted(world.strategic.items()) if owner == band.of]
            held = {faction: sum(ground.control(hex) == faction for hex in own) for faction in band.shared_by}
            best = [faction for faction in band.shared_by if held[faction] == max(held.values())]
            shared = best[0] if len(best) == 1 else "joint"
            t.result = best[0] if len(best) == 1 else band.result
        game.emit(GameWon(t.result, shared or Message("totaler-krieg.victory.end-of-last-turn"), t.csv))
        return
    t.result = "draw"
    game.emit(GameWon("draw", Message("totaler-krieg.victory.no-band-holds"), t.csv))
