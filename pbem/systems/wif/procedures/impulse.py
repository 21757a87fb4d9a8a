"""D.1 to I.4 but reorganization: weather, letters, actions, steps a to o, the last impulse test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from fractions import Fraction
from functools import wraps
from typing import Any, NamedTuple

from pbem.rules import Game, ask, ask_each, condition, consult, procedure, roll, to_json

from ..actions import (
    ACTIVITIES,
    action_of,
    attackable,
    begin_impulse,
    chit_fault,
    choose_action,
    declare_war,
    limits,
    play_chit,
)
from ..actions import (
    wanted as chit_wanted,
)
from ..asking import left_undone, letter_of, wants
from ..battle import Battle, attack_fault
from ..conditions import BadCondition, holds
from ..crowding import Barred, Done, Key, arrivals, crowded_out
from ..decisions.impulse_letter import ImpulseLetter
from ..decisions.replies import NavalResponse, opponents
from ..entries import Attack
from ..events.moving import Bombed, GroundStruck, Landed, PortDamaged
from ..events.reorganizing import Patrolled, Turned
from ..events.turn import (
    ActionChosen,
    ActivitiesLeft,
    AnsweredBy,
    ImpulseBegan,
    LastImpulseTested,
    LeftUndone,
    MarkerMoved,
    OrderRefused,
    WeatherRolled,
)
from ..flying import result_of
from ..land import capture
from ..missions import Flight, Sky, fly, go_home, patrol, survivors
from ..naval import defended, down, fight_at_sea, fighting_areas
from ..pieces import (
    Due,
    T,
    Unit,
    acting,
    limit,
    maybe_unit,
    operating,
    players_of,
    powers_of,
    round_half_up,
    side_units,
    use,
    used,
    weather_at,
)
from ..retreating import damage_port, no_room
from ..steps import Impulse, labels_of, land_or_invade, listed_ways, succeeded, wanted
from ..turning import move_marker, pass_bonus
from ..world import world_of


@condition("somebody_acts")
def somebody_acts(game: Game, phasing: str | None) -> bool:
    """I.3 is for powers that did not pass."""
    return bool(acting(game, T.of(game).phasing or ""))


@condition("somebody_flies")
def somebody_flies(game: Game, phasing: str | None) -> bool:
    """p.1 is for powers that did not pass; flights that another filed are refused there."""
    t = T.of(game)
    own = t.phasing or ""
    return t.final or bool(acting(game, own)) or any(letter_of(game, p).atr for p in players_of(game, own))


# letters


async def ready(game: Game, step: str) -> None:
    """The letters of the phasing side's players are there: asked for where one is missing, where its
    `stop_if` holds, where its player lists this step in `ask`."""
    t = T.of(game)
    asked = []
    for player in players_of(game, t.phasing or ""):
        missing = player not in t.letters
        if missing or _stopped(game, player, step) or (step != "I.1" and await wants(game, player, step)):
            asked.append(ImpulseLetter(player, step, t.impulse))
    if asked:
        for decision, answer in zip(asked, await ask_each(asked), strict=True):
            t.letters[decision.player] = to_json(answer)


def _stopped(game: Game, player: str, step: str) -> bool:
    stop = letter_of(game, player).stop_if
    if stop is None or stop.before != step:
        return False
    try:
        return holds(game, stop.if_, labels_of(game, player))
    except BadCondition:
        return True


# D.1, I.1, I.2


@procedure("weather", rule="4.5.1")
async def weather(game: Game, phasing: str | None) -> None:
    """D.1 One die for all zones; it holds for both impulses."""
    t, world = T.of(game), world_of(game)
    found, dice = await world.weather.roll(world.seasons[max(1, t.turn) - 1], "weather")
    t.weather = found
    t.phasing = None
    chart = world.weather_chart
    game.emit(WeatherRolled(dice[0], found, int(chart["advance"][found[chart["advance_zone"]]])))


@procedure("declarations", rule="4.5.2")
async def declarations(game: Game, phasing: str | None) -> None:
    """I.1 The impulse begins: each player of the side sends his letter; declarations of war."""
    begin_impulse(game)
    t = T.of(game)
    own = t.phasing or ""
    game.emit(ImpulseBegan(t.impulse, own))
    await ready(game, "I.1")
    for player in players_of(game, own):
        for n, name in enumerate(letter_of(game, player).declare, 1):
            power = powers_of(game, player, own)[0]
            if attackable(game, name):
                declare_war(game, power, name)
            else:
                game.emit(OrderRefused(power, "I.1", n, "E-MOVE", f"{name} cannot be attacked"))


@procedure("actions", rule="4.5.2")
async def actions(game: Game, phasing: str | None) -> None:
    """I.2 Each power's action; offensive chits."""
    own = T.of(game).phasing or ""
    await ready(game, "I.2")
    for player in players_of(game, own):
        letter = letter_of(game, player)
        standing = await consult(player, "action")
        for power in powers_of(game, player, own):
            action, by = action_of(game, power, letter, standing)
            choose_action(game, power, action)
            game.emit(ActionChosen(power, action, limits(game, power)))
            if by != "letter":
                game.emit(AnsweredBy(player, f"I.2 {power}", by))
            play = (letter.chit or {}).get(power)
            if play is None or not chit_wanted(game, play):
                continue
            refused = chit_fault(game, power, play)
            if refused is not None:
                game.emit(OrderRefused(power, "I.2", 1, refused.code, refused.message))
            else:
                play_chit(game, power, play)


# what is left


Step = Callable[[Game, str | None], Awaitable[None]]


def counted(step: str) -> Callable[[Step], Step]:
    """4.10 After the step each power that used a limited activity in it is told what is left of it."""

    def around(run: Step) -> Step:
        @wraps(run)
        async def told(game: Game, phasing: str | None) -> None:
            before = _left(game)
            await run(game, phasing)
            for power, left in _left(game).items():
                changed = {name: n for name, n in left.items() if n != before[power].get(name)}
                if changed:
                    game.emit(ActivitiesLeft(power, step, changed))

        return told

    return around


def _left(game: Game) -> dict[str, dict[str, int]]:
    """What each power of the phasing side may still do of what its action limits (5.5)."""
    t, found = T.of(game), {}
    for power in acting(game, t.phasing or ""):
        most = {name: limit(game, power, name) for name in ACTIVITIES}
        left = {name: n - used(game, power, name) for name, n in most.items() if n is not None}
        if "rail_moves" in left:
            left["rail_moves"] = t.rail_left.get(power, 0)
        found[power] = left
    return found


# lists of orders


async def orders(game: Game, step: str) -> tuple[Impulse, list[tuple[str, int, Any]]]:
    """The entries of a step: players in the order of their powers, entries as listed (R-215)."""
    await ready(game, f"I.3{step}")
    impulse = Impulse(game)
    players = players_of(game, impulse.side)
    found = [
        (player, n, entry)
        for player in players
        for n, entry in enumerate(getattr(letter_of(game, player), step), 1)
    ]
    return impulse, found


class Chosen(NamedTuple):
    """An order that is carried out now: whose, and which way of his entry."""

    player: str
    power: str
    way: Any
    key: Key


def chosen(
    game: Game, impulse: Impulse, step: str, listed: tuple[str, int, Any], barred: Barred | None = None
) -> Chosen | None:
    """The first legal way of an entry that is reached now; what is illegal, or barred as it would leave a hex
    too full, is told and skipped."""
    player, n, entry = listed
    if not wanted(game, entry, labels_of(game, player)):
        return None
    found = _legal(game, impulse, step, listed, barred or {})
    if isinstance(found, Chosen):
        succeeded(game, player, entry.label, found.way.label)
        return found
    if found is not None:
        whose = found.power or powers_of(game, player, impulse.side)[0]
        game.emit(OrderRefused(whose, f"I.3{step}", n, found.code, found.text))
    return None


class _No:
    """Why an entry is skipped."""

    def __init__(self, power: str, code: str, text: str) -> None:
        self.power, self.code, self.text = power, code, text


def _legal(
    game: Game, impulse: Impulse, step: str, listed: tuple[str, int, Any], barred: Barred
) -> Chosen | _No | None:
    """The first legal way of an entry; why there is none."""
    first: _No | None = None
    player, n, entry = listed
    labels = labels_of(game, player)
    for at, way in enumerate(listed_ways(entry)):
        if not wanted(game, way, labels):
            continue
        power, refused = impulse.fault(step, player, way)
        refused = refused or barred.get((player, n, at))
        if refused is None:
            return Chosen(player, power, way, (player, n, at))
        first = first or _No(power, refused.code, refused.message)
    return first


async def plain(game: Game, step: str) -> list[str]:
    """A step without dice; the ships that turn face-down after it."""
    _, listed = await orders(game, step)
    ships: list[str] = []

    def run(board: Game, impulse: Impulse, barred: Barred) -> list[Done]:
        done: list[Done] = []
        ships.clear()
        for one in listed:
            found = chosen(board, impulse, step, one, barred)
            if found is not None:
                done.append((found.key, *arrivals(board, step, found.way)))
                ship = impulse.do(step, found.way)
                ships.extend([ship] if ship is not None and ship not in ships else [])
        return done

    run(game, Impulse(game, at_the_end=True), crowded_out(game, step, listed, run))
    return ships


@procedure("naval_air", rule="4.7.3")
@counted("b")
async def naval_air(game: Game, phasing: str | None) -> None:
    """b Aircraft fly to sea areas."""
    await plain(game, "b")


@procedure("naval_moves", rule="4.7.3")
@counted("c")
async def naval_moves(game: Game, phasing: str | None) -> None:
    """c Ships move, with what they load."""
    await plain(game, "c")


@procedure("own_naval_combat", rule="4.7.3")
@counted("d")
async def own_naval_combat(game: Game, phasing: str | None) -> None:
    """d The phasing side looks for fights."""
    impulse, listed = await orders(game, "d")
    for one in list(listed):
        found = chosen(game, impulse, "d", one)
        if found is not None:
            use(game, found.power, "own_naval_combat")
            await fight_at_sea(game, world_of(game).area_of[found.way.area], impulse.side)


@procedure("their_naval_combat", rule="4.7.3")
async def their_naval_combat(game: Game, phasing: str | None) -> None:
    """e So does the other side, where it wants to."""
    t, world = T.of(game), world_of(game)
    theirs = world.enemy(t.phasing or "")
    for player in opponents(game):
        areas = tuple(a for a in fighting_areas(game, theirs) if a not in t.fought)
        if not areas:
            return
        asked = await wants(game, player, "I.3e")
        chosen = await ask(NavalResponse(player, areas, asked))
        if chosen and not asked:
            game.emit(AnsweredBy(player, "I.3e", "naval_response"))
        elif not asked:
            await left_undone(game, player, "naval_response")
        for area in chosen:
            if area in fighting_areas(game, theirs) and area not in t.fought:
                await fight_at_sea(game, area, theirs)


@procedure("rail_moves", rule="4.7.2")
@counted("h")
async def rail_moves(game: Game, phasing: str | None) -> None:
    """h Rail moves."""
    await plain(game, "h")


@procedure("land_moves", rule="4.7.1")
@counted("i")
async def land_moves(game: Game, phasing: str | None) -> None:
    """i Land moves; who ends out of supply turns face-down."""
    await plain(game, "i")


@procedure("air_transport", rule="4.7.6")
@counted("j")
async def air_transport(game: Game, phasing: str | None) -> None:
    """j Transports carry units between friendly cities."""
    await plain(game, "j")


async def _ships_down(game: Game, step: str) -> None:
    for id in await plain(game, step):
        u = maybe_unit(game, id)
        if u is not None:
            down(game, u, "put units ashore")


@procedure("debarkation", rule="4.7.6")
@counted("k")
async def debarkation(game: Game, phasing: str | None) -> None:
    """k Units at sea land in friendly ports."""
    await _ships_down(game, "k")


@procedure("invasions", rule="4.7.6")
@counted("l")
async def invasions(game: Game, phasing: str | None) -> None:
    """l Units at sea land on enemy coasts; against defenders they fight at n."""
    await _ships_down(game, "l")


@procedure("rebasing", rule="4.7.8")
@counted("o")
async def rebasing(game: Game, phasing: str | None) -> None:
    """o Aircraft change their bases."""
    await plain(game, "o")


# steps with dice


async def missions(game: Game, step: str) -> tuple[Sky, dict[int, tuple[int, Any]]]:
    """Patrol, then the orders of a mission step, then the flight up to anti-aircraft fire: each flight's
    entry by its number in the list, and which way of it."""
    t = T.of(game)
    sky = Sky(step, t.phasing or "")
    found: dict[int, tuple[int, Any]] = {}
    await ready(game, f"I.3{step}")
    if any(getattr(letter_of(game, p), step) for p in players_of(game, sky.active)):
        await patrol(game, sky)
    impulse, listed = await orders(game, step)
    for one in listed:
        legal = chosen(game, impulse, step, one)
        if legal is None:
            continue
        player, power, way, key = legal
        planes = [way.atr] if step == "m" else list(way.aircraft)
        flight = Flight(power, way.hex, planes, list(way.escorts), len(sky.flights))
        impulse.flown |= {*planes, *way.escorts}
        use(game, power, "air_missions", len(planes))
        found[len(sky.flights)] = key[1], way
        sky.flights.append(flight)
        game.emit(Patrolled(player, "mission", way.hex, (*planes, *way.escorts)))
    await fly(game, sky)
    return sky, found


async def strike(game: Game, step: str) -> None:
    """a, g What gets through turns its targets face-down, a die each."""
    sky, _ = await missions(game, step)
    world = world_of(game)
    chart = world.combat["ground_strike"]
    for hex in sky.hexes():
        planes = [Unit(game, id) for id in sky.bombers(hex)]
        if not planes:
            continue
        total = sum(u.print.ats if step == "a" else u.print.tac for u in planes)
        factors = total
        if weather_at(game, hex) in world.weather_chart["halves_tac"]:
            factors = round_half_up(total * Fraction(chart["wet"]))
        factors -= int(chart["terrain"].get(world.terrain[hex], 0))
        factors = max(0, min(int(chart["most"]), factors))
        arms = ("sea",) if step == "a" else ("land", "air")
        targets = [u for u in side_units(game, world.enemy(sky.active), hex) if u.print.arm in arms]
        dice, hits = {}, []
        for u in targets:
            dice[u.id] = await roll("1d10", "strike", hex, u.id)
            if dice[u.id].total <= factors:
                hits.append(u.id)
        game.emit(GroundStruck(hex, factors, dice, tuple(hits)))
        for id in hits:
            _hit(game, Unit(game, id), hex)
    await go_home(game, sky)


def _hit(game: Game, u: Unit, hex: str) -> None:
    """Face-down; a ship that is so already goes to the repair pool (R-111)."""
    t = T.of(game)
    if u.print.arm == "sea" and u.down:
        t.repairs = (*t.repairs, Due(u.id, u.owner, u.type, u.printed, u.country))
        game.emit(Turned(u.owner, u.id, "damaged", f"struck in {hex}"))
        u.remove()
        return
    down(game, u, f"struck in {hex}")


@procedure("port_attacks", rule="4.7.4")
@counted("a")
async def port_attacks(game: Game, phasing: str | None) -> None:
    """a Aircraft against ships in port."""
    await strike(game, "a")


@procedure("ground_strikes", rule="4.7.4")
@counted("g")
async def ground_strikes(game: Game, phasing: str | None) -> None:
    """g Aircraft against land units and aircraft."""
    await strike(game, "g")


@procedure("bombardment", rule="4.7.5")
@counted("f")
async def bombardment(game: Game, phasing: str | None) -> None:
    """f Aircraft against factories or a port."""
    sky, ways = await missions(game, "f")
    t, world = T.of(game), world_of(game)
    for hex in sky.hexes():
        for port in (False, True):
            flights = [
                f for f in sky.flights if f.hex == hex and (ways[f.number][1].target == "port") == port
            ]
            factors = sum(Unit(game, id).print.strategic for f in flights for id in survivors(sky, f))
            if not factors:
                continue
            die = await roll("1d10", "bombardment", hex)
            total = die.total + factors
            out = 0
            if port and total >= int(world.combat["port_hit"]) and damage_port(game, hex):
                game.emit(PortDamaged(hex))
            elif not port:
                out = min(int(result_of(world.combat["bombardment"], total, "out")), operating(game, hex))
                if out:
                    t.factories_out[hex] = t.factories_out.get(hex, 0) + out
            game.emit(Bombed(hex, die, factors, total, out, port))
    await go_home(game, sky)


@procedure("paradrops", rule="4.7.6")
@counted("m")
async def paradrops(game: Game, phasing: str | None) -> None:
    """m Parachute units whose transport gets through take an empty hex, as listed while there is room
    (R-219), or fight at n."""
    sky, ways = await missions(game, "m")
    for flight in sky.flights:
        number, way = ways[flight.number]
        u = maybe_unit(game, way.unit)
        if u is None or not survivors(sky, flight):
            continue
        if (full := no_room(game, u, way.hex)) is not None:
            game.emit(OrderRefused(flight.power, "I.3m", number, full.code, full.message))
            continue
        origin = u.place
        how = "drops to fight" if defended(game, way.hex, sky.active) else "drops"
        game.emit(Landed(u.owner, u.id, origin, way.hex, how))
        land_or_invade(game, u, way.hex)
    await go_home(game, sky)


@procedure("land_combat", rule="4.7.7")
@counted("n")
async def land_combat(game: Game, phasing: str | None) -> None:
    """n Attacks as listed; then landings that nobody named."""
    t = T.of(game)
    impulse, listed = await orders(game, "n")
    for one in list(listed):
        found = chosen(game, impulse, "n", one)
        if found is not None:
            await Battle(game, found.power, found.way).fight()
    for hex in sorted(set(t.invading.values())):
        ids = tuple(
            id for id, to in sorted(t.invading.items()) if to == hex and maybe_unit(game, id) is not None
        )
        if not ids:
            continue
        power = Unit(game, ids[0]).owner
        own = t.phasing or ""
        if not defended(game, hex, own):
            for id in ids:
                _walk_ashore(game, id, hex)
            continue
        attack = Attack(hex, ids)
        if attack_fault(game, game.seat(power), attack)[1] is None:
            await Battle(game, power, attack).fight()
        else:
            Battle(game, power, attack).fail()
    t.invading = {}


def _walk_ashore(game: Game, id: str, hex: str) -> None:
    """The defenders are gone already."""
    u = Unit(game, id)
    u.hex, u.aboard = hex, None
    capture(game, hex, u.owner, damages=True)


# I.4


@procedure("last_impulse", rule="4.8.1")
async def last_impulse(game: Game, phasing: str | None) -> None:
    """I.4 The phasing side rolls for the end of the turn."""
    t, world = T.of(game), world_of(game)
    own = t.phasing or ""
    chart = world.weather_chart
    count = int(chart["advance"][t.weather.get(chart["advance_zone"], "fine")])
    bonus = pass_bonus(game, own)
    dice = [await roll("1d10", "last impulse") for _ in range(count)]
    t.number += sum(die.total + bonus for die in dice)
    ends = t.number >= world.threshold and dice[-1].total >= int(world.turn["last_die"])
    game.emit(LastImpulseTested(own, tuple(dice), bonus, t.number, world.threshold, ends))
    await _undone(game)
    t.action, t.chit, t.letters = {}, {}, {}
    if ends:
        t.ended = True
        if t.first_impulse == own and move_marker(game, own):
            game.emit(MarkerMoved(t.initiative))


async def _undone(game: Game) -> None:
    """6.1 In the first two impulses of a game players are told what no standing order of theirs answers; what
    they leave undone later is told where it comes up."""
    t = T.of(game)
    for player in opponents(game):
        missing = [
            form for form in ("cap", "intercept", "retreat", "losses") if not await consult(player, form)
        ]
        if missing and t.turn <= 1 and t.impulse <= 2:
            game.emit(LeftUndone(player, tuple(missing), lacking=True), to=(player,))
