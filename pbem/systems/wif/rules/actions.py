"""I.2: Actions, offensive chits (4.5.2, 4.6.16), and the beginning of an impulse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.rules import Game, Message

from .conditions import BadCondition, holds
from .entries import Letter, Play
from .events.reorganizing import Turned
from .events.turn import ChitPlayed, WarDeclared
from .paths import Path
from .pieces import (
    Chit,
    State,
    T,
    Unit,
    controller,
    country,
    limit,
    maybe_unit,
    round_half_up,
    units,
    weather_at,
)
from .plans import Refusal
from .set_up import fields_of, read_unit
from .sources import Supply, goal_of
from .world import World, world_of

ACTIVITIES = (
    "air_missions",
    "naval_moves",
    "own_naval_combat",
    "rail_moves",
    "land_moves",
    "debark_at_sea",
    "invasions",
    "land_attacks",
)


def begin_impulse(game: Game) -> None:
    """Begin the next side's impulse, and clear the tracks of the last one."""
    t, world = T.of(game), world_of(game)
    first = t.first or t.initiative_last or next(iter(world.sides))
    t.phasing = first if t.phasing is None else world.enemy(t.phasing)
    t.impulse += 1
    if t.impulse == 1:
        t.first_impulse = t.phasing
    t.moved, t.fought, t.cleared, t.labels = (), (), (), ()
    t.used, t.letters, t.invading, t.action, t.chit, t.rail_left = {}, {}, {}, {}, {}, {}


def choose_action(game: Game, power: str, action: str) -> None:
    """I.2: Record a power's action and its rail moves."""
    t = T.of(game)
    t.action[power] = action
    moves = limit(game, power, "rail_moves")
    t.rail_left[power] = 99 if moves is None else moves


def limits(game: Game, power: str) -> dict[str, str]:
    """Return the limits of a power's action, for the report."""
    limits_of = {}
    for name in ACTIVITIES:
        number = limit(game, power, name)
        limits_of[name] = "any" if number is None else str(number)
    return limits_of


def action_of(
    game: Game, power: str, letter: Letter, standing: list[dict[str, str | dict[str, str]]]
) -> tuple[str, str]:
    """Return a power's action, and its source: letter, standing order or default.

    A standing order without powers, such as `{fine: land}`, holds for all powers of its player.
    """
    world = world_of(game)
    capital = world.countries[world.home[power]].capital if power in world.home else None
    weather = weather_at(game, capital)
    known = world.activity["actions"]
    action = (letter.by_weather or {}).get(power, {}).get(weather)
    action = action or _in_weather((letter.action or {}).get(power), weather)
    by = "letter"
    if action is None:
        by = Message("wif.actions.standing-order")
        action = next((ordered for order in standing if (ordered := _standing(order, power, weather))), None)
    if action is None:
        by = "default"
    if action not in known:
        action = "pass"
    return action or "pass", by


def _in_weather(action: str | dict[str, str] | None, weather: str) -> str | None:
    """6.1: Return the action for this weather. `action` is one for every weather, or one for each."""
    return action.get(weather) if isinstance(action, dict) else action


def _standing(order: Mapping[str, str | dict[str, str]], power: str, weather: str) -> str | None:
    if power in order:
        return _in_weather(order[power], weather)
    return _in_weather(order.get(weather), weather)


def chit_fault(game: Game, power: str, play: Play) -> Refusal | None:
    """R-126: Return the reason why a chit is refused, and so not spent."""
    t, world = T.of(game), world_of(game)
    action = t.action.get(power, "pass")
    kinds: dict[str, str] = world.activity["chits"]
    if action == "pass" or (play.kind in kinds and kinds[play.kind] != action):
        return Refusal(
            "E-SOURCE", Message("wif.actions.chit-does-not-fit-action", kind=play.kind, action=action)
        )
    if play.kind == "combined" and not world.options.get("impulse_choices", True):
        return Refusal("E-SOURCE", Message("wif.actions.no-combined-chit-without-impulse-choices"))
    if t.chits.get(power, 0) <= 0:
        return Refusal("E-LIMIT", Message("wif.actions.has-no-offensive-chit-left", power=power))
    if play.kind in ("air", "naval", "land"):
        hq = maybe_unit(game, play.hq)
        if hq is None or hq.owner != power or not hq.print.headquarters or hq.down:
            return Refusal(
                "E-PROVIDER", Message("wif.actions.no-face-up-headquarters", hq=play.hq, power=power)
            )
    return None


def wanted(game: Game, play: Play) -> bool:
    """Return True if the condition of a chit holds."""
    try:
        return holds(game, play.if_)
    except BadCondition:
        return False


def play_chit(game: Game, power: str, play: Play) -> None:
    """4.6.16: Spend a chit. Naval and reorganize-units chits take effect at once."""
    t = T.of(game)
    t.chits[power] = t.chits.get(power, 0) - 1
    hq = play.hq if play.kind in ("air", "naval", "land") else None
    t.chit[power] = Chit(play.kind, hq)
    game.emit(ChitPlayed(power, play.kind, hq or "", t.chits[power]))
    supply = Supply(game, world_of(game).side_of[power])
    burnt = Fraction(0)
    if play.kind == "naval" and hq is not None:
        for ship in naval_ships(game, supply, power, Unit(game, hq), play.ships):
            burnt = free_turn(game, ship, burnt)
    if play.kind == "reorganize_units":
        for u in units(game, power):
            if u.down and (u.at_sea or supply.in_supply(u)) and not (u.print.arm == "land" and u.at_sea):
                burnt = free_turn(game, u, burnt)


def naval_ships(game: Game, supply: Supply, power: str, hq: Unit, named: tuple[str, ...]) -> list[Unit]:
    """R-120: Return the face-down ships that a naval chit turns up.

    They are in ports that a basic path from the headquarters reaches: the named ones, or else the
    dearest first. At most twice the value of the headquarters.
    """
    most = int(Fraction(world_of(game).supply["naval_chit"]) * hq.print.reorg)
    ships = []
    for u in units(game, power):
        if u.print.arm == "sea" and u.down and world_of(game).land(u.hex or ""):
            path = supply.paths.find(power, hq.place, goal_of(u), supply.length(u.hex))
            if isinstance(path, Path):
                ships.append(u)
    if named:
        ships = [u for id in named for u in ships if u.id == id]
    else:
        ships.sort(key=lambda u: (-u.print.cost, u.id))
    return ships[:most]


def free_turn(game: Game, u: Unit, burnt: Fraction) -> Fraction:
    """Turn a unit up by a chit, and return the fuel burnt so far.

    A shattered unit only loses its flag. Fuel is due all the same. Halves add up over the chit
    (R-114).
    """
    t, world = T.of(game), world_of(game)
    if world.options.get("fuel") and u.print.oil:
        due = round_half_up(burnt + u.print.fuel) - round_half_up(burnt)
        if t.fuel.get(u.owner, 0) < due:
            return burnt
        t.fuel[u.owner] = t.fuel.get(u.owner, 0) - due
        burnt += u.print.fuel
    if u.shattered:
        u.shattered = False
        t.cleared = (*t.cleared, u.id)
        game.emit(Turned(u.owner, u.id, "down", Message("wif.actions.no-longer-shattered")))
        return burnt
    u.face = "up"
    game.emit(Turned(u.owner, u.id, "up", Message("wif.actions.offensive-chit")))
    return burnt


def attackable(game: Game, name: str) -> bool:
    """I.1: Return True if the scenario lists the country for attack and it is still free."""
    listed = name in world_of(game).attackable
    return listed and country(game, name).status in ("neutral", "independent")


def declare_war(game: Game, power: str, name: str) -> None:
    """I.1: Join the attacked country to the other side, with its free hexes and its army.

    They go to the power that the scenario names, else to the first of that side (R-206).
    """
    t, world = T.of(game), world_of(game)
    terms = world.attackable[name]
    ally = ally_of(world, power, terms)
    t.countries[name] = State("aligned", ally)
    for hex in world.inside("country", name):
        if controller(game, hex) is None:
            t.control[hex] = ally
    army = []
    for hex, lines in terms.get("units", {}).items():
        for n, line in enumerate(lines):
            due = read_unit(world, ally, line, ("attackable", name, "units", hex, n), [])
            if due is not None and maybe_unit(game, due.id) is None:
                game.position.add(due.id, {**fields_of(replace(due, country=name)), "hex": hex})
                army.append(due.id)
    game.emit(WarDeclared(power, name, ally, tuple(army)))


def ally_of(world: World, power: str, terms: Mapping[str, Any]) -> str:
    """R-206: Return the power that an attacked country joins, never one of the attacker's side."""
    enemies = world.sides[world.enemy(world.side_of[power])]
    named = terms.get("joins")
    return str(named) if named in enemies else next(p for p in world.power_order if p in enemies)
