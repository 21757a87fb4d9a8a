"""I.2 Actions and offensive chits (4.5.2, 4.6.16), and what begins and ends an impulse."""

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
    """Begin the next side's impulse, and clear what belongs to one impulse."""
    t, world = T.of(game), world_of(game)
    first = t.first or t.initiative_last or next(iter(world.sides))
    t.phasing = first if t.phasing is None else world.enemy(t.phasing)
    t.impulse += 1
    if t.impulse == 1:
        t.first_impulse = t.phasing
    t.moved, t.fought, t.cleared, t.labels = (), (), (), ()
    t.used, t.letters, t.invading, t.action, t.chit, t.rail_left = {}, {}, {}, {}, {}, {}


def choose_action(game: Game, power: str, action: str) -> None:
    """I.2: Note a power's action, and the rail moves that it gives."""
    t = T.of(game)
    t.action[power] = action
    most = limit(game, power, "rail_moves")
    t.rail_left[power] = 99 if most is None else most


def limits(game: Game, power: str) -> dict[str, str]:
    """Return the limits of an action, for the report."""
    found = {}
    for name in ACTIVITIES:
        most = limit(game, power, name)
        found[name] = "any" if most is None else str(most)
    return found


def action_of(
    game: Game, power: str, letter: Letter, standing: list[dict[str, str | dict[str, str]]]
) -> tuple[str, str]:
    """Return a power's action, and where it came from: its letter, else its standing order, else pass.

    A standing order without powers, `{fine: land}`, is for all of its player's.
    """
    world = world_of(game)
    capital = world.countries[world.home[power]].capital if power in world.home else None
    weather = weather_at(game, capital)
    known = world.activity["actions"]
    said = (letter.by_weather or {}).get(power, {}).get(weather)
    said = said or _in_weather((letter.action or {}).get(power), weather)
    by = "letter"
    if said is None:
        by = Message("wif.actions.standing-order")
        said = next((found for one in standing if (found := _standing(one, power, weather))), None)
    if said is None:
        by = "default"
    if said not in known:
        said = "pass"
    return said or "pass", by


def _in_weather(said: str | dict[str, str] | None, weather: str) -> str | None:
    """6.1: Return the action for this weather, from one word for every weather or one for each."""
    return said.get(weather) if isinstance(said, dict) else said


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
    """4.6.16: Spend a chit; naval and reorganize-units chits do their work at once."""
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


def naval_ships(game: Game, supply: Supply, power: str, hq: Unit, listed: tuple[str, ...]) -> list[Unit]:
    """R-120: Return the face-down ships that a naval chit turns up.

    Those of the power in ports that a basic path from the headquarters reaches, as listed, else the dearest
    first; twice as many as the value of the headquarters.
    """
    most = int(Fraction(world_of(game).supply["naval_chit"]) * hq.print.reorg)
    able = []
    for u in units(game, power):
        if u.print.arm == "sea" and u.down and world_of(game).land(u.hex or ""):
            found = supply.paths.find(power, hq.place, goal_of(u), supply.length(u.hex))
            if isinstance(found, Path):
                able.append(u)
    if listed:
        able = [u for id in listed for u in able if u.id == id]
    else:
        able.sort(key=lambda u: (-u.print.cost, u.id))
    return able[:most]


def free_turn(game: Game, u: Unit, burnt: Fraction) -> Fraction:
    """Turn a unit up by a chit, and return the fuel burnt so far.

    Of a shattered one only the flag goes. Fuel is still due, halves as a running sum of the chit (R-114):
    what has been burnt so far, and is now.
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
    """I.1: Return True if the scenario lists the country for attack, and it is in nobody's hands."""
    listed = name in world_of(game).attackable
    return listed and country(game, name).status in ("neutral", "independent")


def declare_war(game: Game, power: str, name: str) -> None:
    """I.1: Join the attacked country to the other side, with its free hexes and its army.

    They go to the power that the scenario names, else to the first of that side (R-206).
    """
    t, world = T.of(game), world_of(game)
    listed = world.attackable[name]
    ally = ally_of(world, power, listed)
    t.countries[name] = State("aligned", ally)
    for hex in world.inside("country", name):
        if controller(game, hex) is None:
            t.control[hex] = ally
    army = []
    for hex, lines in listed.get("units", {}).items():
        for n, line in enumerate(lines):
            due = read_unit(world, ally, line, ("attackable", name, "units", hex, n), [])
            if due is not None and maybe_unit(game, due.id) is None:
                game.position.add(due.id, {**fields_of(replace(due, country=name)), "hex": hex})
                army.append(due.id)
    game.emit(WarDeclared(power, name, ally, tuple(army)))


def ally_of(world: World, power: str, listed: Mapping[str, Any]) -> str:
    """R-206: Return the power that takes in an attacked country: never one of the attacker's own side."""
    against = world.sides[world.enemy(world.side_of[power])]
    named = listed.get("joins")
    return str(named) if named in against else next(p for p in world.power_order if p in against)
