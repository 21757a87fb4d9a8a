"""A, B, C and E: reinforcements, lending, initiative, return, production, the end of the turn."""

from __future__ import annotations

import re
from functools import partial

from pbem.rules import Game, Message, Roll, ask_all, condition, consult, from_json, procedure, roll, to_json

from ..asking import wants
from ..decisions.turn_letter import TO_SIDES, TurnLetters
from ..entries import Lend, Lends, Letter, Spending, TurnLetter
from ..events.reorganizing import Destroyed, Turned
from ..events.turn import (
    Arrived,
    CameHome,
    Conquered,
    EventHappened,
    GameWon,
    HullReady,
    InitiativeRolled,
    NotPlaced,
    OrderChosen,
    OrderRefused,
    Produced,
    Promised,
    RerollDemanded,
    Scored,
    Spent,
    TurnBegan,
)
from ..naval import unload
from ..pieces import (
    Due,
    T,
    Unit,
    destroy,
    leader_of,
    leads,
    maybe_unit,
    players_of,
    powers_of,
    turn_down,
    units,
)
from ..plans import Refusal
from ..production import buy, find_entry, fuel_gained, incomes, rate, with_oil
from ..set_up import fields_of
from ..steps import first_way, labels_of, listed_ways, wanted
from ..turning import (
    STAY,
    capitals_lost,
    conquer,
    fallen,
    lender_of,
    move_marker,
    place_fault,
    placement_hexes,
    return_fault,
    return_ports,
    score,
    who_returns,
)
from ..world import world_of


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    """Return True if turns are left and nobody has won."""
    t = T.of(game)
    return t.result is None and t.turn < len(world_of(game).seasons)


@condition("turn_goes_on")
def turn_goes_on(game: Game, phasing: str | None) -> bool:
    return not T.of(game).ended


@condition("fuel_game")
def fuel_game(game: Game, phasing: str | None) -> bool:
    return bool(world_of(game).options.get("fuel"))


@condition("no_fuel_game")
def no_fuel_game(game: Game, phasing: str | None) -> bool:
    return not world_of(game).options.get("fuel")


def turn_letter(game: Game, player: str) -> TurnLetter:
    """Return a player's turn letter, empty if none was sent."""
    letter = from_json(TurnLetter, T.of(game).turn_letters.get(player, {}))
    assert isinstance(letter, TurnLetter)
    return letter


async def turn_letters(game: Game, point: str, *, fresh: bool = False, of: str | None = None) -> None:
    """Ask for turn letters that are missing.

    A player is also asked if `ask` or their letter's `stop_if` names this point. With `of` only
    players of that side are asked. Sections that an answer leaves out keep their contents, unless
    the letters are `fresh`.
    """
    t = T.of(game)
    asked = []
    for player in list(game.players) if of is None else players_of(game, of):
        if fresh or player not in t.turn_letters:
            asked.append(TurnLetters(player, "opening" if t.turn == 1 and not fresh else "turn", t.turn))
        elif point in TO_SIDES and not leads(game, player):
            continue  # only the leader of a side answers for it.
        elif _stopped(game, player, point) or await wants(game, player, point):
            asked.append(TurnLetters(player, point, t.turn))
    for decision, answer in zip(asked, await ask_all(asked), strict=True) if asked else ():
        sections = to_json(answer)
        assert isinstance(sections, dict)
        before = {} if fresh else dict(t.turn_letters.get(decision.player, {}))
        before.pop("stop_if", None)
        t.turn_letters[decision.player] = {**before, **sections}


def _stopped(game: Game, player: str, point: str) -> bool:
    stop = turn_letter(game, player).stop_if
    return stop is not None and stop.before == point and wanted(game, stop, labels_of(game, player))


@procedure("turn_start", rule="4.6.1")
async def turn_start(game: Game, phasing: str | None) -> None:
    """A.1: Set the rate of each power. Isolated sources may dispense once more."""
    t, world = T.of(game), world_of(game)
    t.turn += 1
    t.ended, t.number, t.impulse, t.rerolled, t.phasing, t.first = False, 0, 0, False, None, None
    t.iso_used = {}
    for power in world.power_order:
        t.rate[power] = rate(world, t.other_last.get(power, 0), t.rp_last.get(power, 0))
    season = world.weather_chart["seasons"][world.seasons[t.turn - 1]]
    game.emit(TurnBegan(t.turn, len(world.seasons), str(season), dict(t.rate)))


@procedure("turn_events", rule="4.2")
async def turn_events(game: Game, phasing: str | None) -> None:
    """A.2: Apply the scenario's events at the beginning of this turn."""
    t = T.of(game)
    listed = world_of(game).scenario.get("events", {})
    changes = {str(turn): named for turn, named in listed.items()}.get(str(t.turn), {})
    for what, names in changes.items():
        done = []
        for name in names:
            u = maybe_unit(game, name)
            if what == "damaged":
                t.damaged = tuple(sorted({*t.damaged, name}))
            elif u is None:
                continue
            else:
                turn_down(u)
                u.shattered = u.shattered or what == "shattered"
            done.append(name)
        game.emit(EventHappened(what, tuple(done)))


@procedure("placement", rule="4.2")
async def placement(game: Game, phasing: str | None) -> None:
    """A.3: Place units that arrive, first those of the side that last had the initiative.

    A unit without a place waits.
    """
    t, world = T.of(game), world_of(game)
    await turn_letters(game, "A.3")
    due = [*t.spiral.get(str(t.turn), ())]
    if str(t.turn) in t.spiral:
        del t.spiral[str(t.turn)]
    for hull in [d for d in due if d.hull]:
        t.hulls = (*t.hulls, hull)
        game.emit(HullReady(hull.owner, hull.id, world.print(hull.type, hull.printed).cost2))
    due = [d for d in due if not d.hull]
    sides = [t.initiative_last, world.enemy(t.initiative_last)]
    for own in sides:
        for player in players_of(game, own):
            wishes = [hex for filed in await consult(player, "placement") for hex in filed]
            named = turn_letter(game, player).placement or {}
            mine = [d for d in due if d.owner in powers_of(game, player, own)]
            placed = _placed(game, player, mine)
            for arrival in mine:
                if arrival.id in placed:
                    continue
                hexes = placement_hexes(game, arrival)
                wanted = [h for h in (named.get(arrival.id), *wishes) if h in hexes]
                if not hexes:
                    t.spiral[str(t.turn + 1)] = (*t.spiral.get(str(t.turn + 1), ()), arrival)
                    game.emit(NotPlaced(arrival.owner, arrival.id))
                    continue
                _arrive(game, arrival, str(wanted[0] if wanted else hexes[0]))


def _arrive(game: Game, due: Due, hex: str) -> None:
    game.position.add(due.id, {**fields_of(due), "hex": hex})
    game.emit(Arrived(due.owner, due.id, hex))


def _placed(game: Game, player: str, mine: list[Due]) -> set[str]:
    """6.1: Place units by the list `place` of a turn letter, and return their ids.

    Illegal entries are reported, and their units left to `placement`, standing orders and default.
    """
    left = {due.id: due for due in mine}
    for n, entry in enumerate(turn_letter(game, player).place, 1):
        way, refused = first_way(game, player, entry, lambda w: place_fault(game, left, w))
        if refused is not None:
            game.emit(OrderRefused(powers_of(game, player)[0], "A.3", n, refused.code, refused.message))
        elif way is not None:
            _arrive(game, left.pop(way.unit), way.to)
    return {due.id for due in mine} - set(left)


@procedure("lending", rule="4.3")
async def lending(game: Game, phasing: str | None) -> None:
    """B.1: Record promises of build points."""
    t = T.of(game)
    await turn_letters(game, "B.1")
    t.lent = {}
    for player in list(game.players):
        loans = turn_letter(game, player).lend
        for listed in loans or [order for filed in await consult(player, "lend") for order in _each(filed)]:
            loan, _ = first_way(game, player, listed, partial(_loan_fault, game, player))
            if loan is not None:
                lender = lender_of(game, player, loan)
                promised = dict(t.lent.get(lender, {}))
                promised[loan.to] = promised.get(loan.to, 0) + loan.bp
                t.lent[lender] = promised
                game.emit(Promised(lender, loan.to, loan.bp))


def _each(filed: Lends | tuple[Lends, ...]) -> tuple[Lends, ...]:
    return (filed,) if isinstance(filed, Lends) else filed


def _loan_fault(game: Game, player: str, loan: Lend) -> Refusal | None:
    world, lender, to = world_of(game), lender_of(game, player, loan), loan.to or ""
    if lender not in powers_of(game, player):
        return Refusal("E-PAYER", Message("wif.turn-letter.no-power-of-yours", power=lender))
    if to not in world.side_of or to == lender or not world.cooperate(lender, to) or not loan.bp:
        return Refusal("E-COOP", Message("wif.turn.lends-nothing", lender=lender, to=to))
    return None


async def _rolled(game: Game) -> None:
    t, world = T.of(game), world_of(game)
    dice: dict[str, Roll] = {}
    totals: dict[str, int] = {}
    for n, own in enumerate(list(world.sides)):
        dice[own] = await roll("1d10", "initiative", own)
        bonus = t.initiative if n == 0 else -t.initiative
        totals[own] = dice[own].total + max(0, bonus)
    first_side, second_side = world.sides
    tied = totals[first_side] == totals[second_side]
    winner = world.enemy(t.initiative_last) if tied else max(totals, key=lambda s: totals[s])
    t.first = winner
    t.dice = totals
    game.emit(InitiativeRolled(dice, totals, t.initiative, winner))


@procedure("initiative", rule="4.4")
async def initiative(game: Game, phasing: str | None) -> None:
    """C.1: Roll initiative for both sides. The marker helps one of them."""
    await _rolled(game)


def _demands(wish: str | None, won: bool, apart: int) -> bool:
    """Return True if a wish demands a reroll from a side that won or lost by this much."""
    match = re.fullmatch(r"(always|if_lost|if_won)(?:_by<=(\d+))?", wish or "never")
    if match is None or match[1] == ("if_lost" if won else "if_won"):
        return False
    return match[2] is None or apart <= int(match[2])


@procedure("reroll", rule="4.4")
async def reroll(game: Game, phasing: str | None) -> None:
    """C.2: Let one side demand a reroll once a turn: first the loser, then the winner."""
    t, world = T.of(game), world_of(game)
    await turn_letters(game, "C.2")
    winner = t.first or ""
    apart = abs(t.dice.get(winner, 0) - t.dice.get(world.enemy(winner), 0))
    for own in (world.enemy(winner), winner):
        player = leader_of(game, own)
        wishes = [turn_letter(game, player).reroll, *await consult(player, "reroll")]
        wish = next((w for w in wishes if w is not None), None)
        if _demands(wish, own == winner, apart) and move_marker(game, own):
            t.rerolled = True
            game.emit(RerollDemanded(own, t.initiative))
            await _rolled(game)
            return


@procedure("move_order", rule="4.4")
async def move_order(game: Game, phasing: str | None) -> None:
    """C.3: Let the winner move first or second in every pair of impulses."""
    t, world = T.of(game), world_of(game)
    await turn_letters(game, "C.3")
    winner = t.first or ""
    player = leader_of(game, winner)
    wishes = [turn_letter(game, player).order, *await consult(player, "order")]
    choice = next((w for w in wishes if w is not None), "first")
    t.first = winner if choice == "first" else world.enemy(winner)
    t.initiative_last = winner
    game.emit(OrderChosen(winner, choice, t.first))


@procedure("return_to_base", rule="4.8.2")
async def return_to_base(game: Game, phasing: str | None) -> None:
    """E.1: Ask for everyone's turn letter, then bring ships home as ordered and all aircraft."""
    T.of(game).labels = ()
    await turn_letters(game, "E.1", fresh=True)
    for player in list(game.players):
        orders = [*turn_letter(game, player).return_]
        named = {who_returns(way) for entry in orders for way in listed_ways(entry)}
        standing = [entry for listed in await consult(player, "return") for entry in listed]
        orders += [entry for entry in standing if who_returns(entry) not in named]
        for n, entry in enumerate(orders, 1):
            way, refused = first_way(game, player, entry, partial(return_fault, game, player))
            if refused is not None:
                power = powers_of(game, player)[0]
                game.emit(OrderRefused(power, "E.1", n, refused.code, refused.message))
            elif way is not None:
                if way.to != STAY:
                    _home(game, Unit(game, who_returns(way)), way.to)
    for u in units(game):
        if u.there and u.print.arm == "air" and u.at_sea and u.aboard is None:
            bases = return_ports(game, u)
            if bases:
                _home(game, u, bases[0])
            else:
                game.emit(Destroyed(u.owner, (u.id,), Message("wif.missions.no-base-in-range")))
                destroy(game, u)


def _home(game: Game, u: Unit, to: str) -> None:
    u.hex = to
    turn_down(u)
    unload(game, u, to)
    game.emit(CameHome(u.owner, u.id, to))


@procedure("final_side", rule="4.6.17")
async def final_side(game: Game, phasing: str | None) -> None:
    """E.2: Begin the next side's final reorganization: the side that moved first, then the other."""
    t, world = T.of(game), world_of(game)
    first = t.first or next(iter(world.sides))
    t.phasing = world.enemy(first) if t.final else first
    if not t.final:
        t.action, t.chit, t.rail_left = {}, {}, {}
    t.final = True
    await turn_letters(game, "E.2", of=t.phasing)
    t.letters = {}
    for player in players_of(game, t.phasing):
        sent = turn_letter(game, player).final
        if sent is not None or player in t.turn_letters:
            final = (
                Letter()
                if sent is None
                else Letter(atr=sent.atr, own_interceptors=sent.own_interceptors, reorganize=sent.reorganize)
            )
            t.letters[player] = to_json(final)


@procedure("final_ends", rule="4.6.13")
async def final_ends(game: Game, phasing: str | None) -> None:
    """4.6.13: End the final step. Active supply units turn face-down, partisans up (4.6.2)."""
    t = T.of(game)
    for u in units(game):
        if u.active is not None:
            turn_down(u)
            game.emit(Turned(u.owner, u.id, "down", Message("wif.turn.supplies-spent")))
        if u.type in world_of(game).units["free"] and u.down and u.there:
            u.face, u.shattered = "up", False
            game.emit(Turned(u.owner, u.id, "up", Message("wif.turn.partisans-need-no-points")))
    t.final, t.phasing, t.letters, t.cleared = False, None, {}, ()


@procedure("build_points", rule="4.8.3")
async def build_points(game: Game, phasing: str | None) -> None:
    """E.3.1: Count the build points of each power, and pay promised ones as far as possible."""
    t, world = T.of(game), world_of(game)
    await turn_letters(game, "E.3.2")
    oil = {power: (await _wish(game, power)).oil_to_fuel for power in world.power_order}
    for power, income in incomes(game, oil).items():
        t.spent[power] = income.bp
        game.emit(
            Produced(power, income.factories, income.resources, income.bp, income.borrowed, income.lent)
        )


async def _wish(game: Game, power: str) -> Spending:
    """Return a power's production order from the turn letter, else from a standing list.

    A list without powers holds for all powers of its player.
    """
    player = game.seat(power)
    order = (turn_letter(game, player).production or {}).get(power)
    if order is None:
        standing = [_listed(game, filed, power) for filed in await consult(player, "build_list")]
        order = next((spending for spending in standing if spending is not None), Spending())
    return with_oil(game, power, order)


def _listed(
    game: Game, order: dict[str, Spending | tuple[str, ...]] | tuple[str, ...], power: str
) -> Spending | None:
    if isinstance(order, tuple):
        return Spending(build=tuple(text for text in order if find_entry(game, power, text) is not None))
    own = order.get(power)
    return Spending(build=own) if isinstance(own, tuple) else own


@procedure("production", rule="4.8.3")
async def production(game: Game, phasing: str | None) -> None:
    """E.3.2: Do nothing, for all orders are in the turn letters, which were revealed together."""


@procedure("reveal", rule="4.8.3")
async def reveal(game: Game, phasing: str | None) -> None:
    """E.3.3: Put purchases within gearing and budget onto the spiral, and set the next rates."""
    t, world = T.of(game), world_of(game)
    for power in list(world.power_order):
        wish = await _wish(game, power)
        bought = buy(game, power, wish, int(t.spent.get(power, 0)))
        for n, refused in bought.refused:
            game.emit(OrderRefused(power, "E.3.3", n, refused.code, refused.message))
        for turns, due in bought.due:
            key = str(t.turn + turns)
            t.spiral[key] = (*t.spiral.get(key, ()), due)
        t.other_last[power], t.rp_last[power], t.saved[power] = bought.other, bought.rp, bought.saved
        t.gearing[power] = bought.gearing
        fuel = fuel_gained(game, power, wish.oil_to_fuel) if world.options.get("fuel") else 0
        if fuel:
            t.fuel[power] = t.fuel.get(power, 0) + fuel
        next_rate = rate(world, bought.other, bought.rp)
        game.emit(Spent(power, tuple(bought.built), bought.other, bought.rp, bought.saved, next_rate, fuel))
    t.spent, t.factories_out = {}, {}


@procedure("turn_end", rule="4.9")
async def turn_end(game: Game, phasing: str | None) -> None:
    """E.4: End the turn: conquest, score, victory. A side without its capitals loses at once."""
    t, world = T.of(game), world_of(game)
    for name, power in fallen(game):
        game.emit(Conquered(name, power, conquer(game, name, power)))
    points, places = score(game)
    t.points = points
    victory = world.scenario["victory"]
    own = str(victory["side"])
    game.emit(Scored(own, points, places))
    lost = capitals_lost(game)
    result: str | None = None
    if len(lost) > 1:
        result = "draw"
    elif lost:
        result = world.enemy(lost[0])
    elif t.turn >= len(world.seasons):
        result = (
            own
            if points >= int(victory["win"])
            else world.enemy(own)
            if points <= int(victory["lose"])
            else "draw"
        )
    if result is not None:
        t.result = result
        game.emit(GameWon(result, points))
