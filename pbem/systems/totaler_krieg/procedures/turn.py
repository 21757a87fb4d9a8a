"""The leaves of a game turn outside combat (0, 1, 2, 3, 5, 6, 7)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import (
    Diagnostic,
    Game,
    Sealed,
    ask,
    ask_all,
    ask_each,
    condition,
    opened,
    power_order,
    procedure,
    roll,
    seal,
    steps,
)

from ..administering import default_convoys, end_maintenance, fail_beachheads, return_to_base
from ..cards import reveal
from ..decisions.administration import Administration, AdministrationPlan, Contest, perform
from ..decisions.moving import Final, FinalPlan, Movement
from ..decisions.season import FaceDown, NextCard, Season, SeasonPlan, place_marker
from ..events.fighting import ItemRefused, ItemSkipped, StepLost
from ..events.politics import CardRevealed, CardSealed, ConditionalHappened, NoCard
from ..events.turn import (
    Contested,
    Delayed,
    MarkerPlaced,
    Organized,
    Placed,
    Replaced,
    StepsCounted,
    StepsForgone,
    TurnBegan,
)
from ..ground import Ground
from ..guards import holds
from ..losing import Lost
from ..moving import make_move
from ..orders import Breakdown, Combine, Convert, Detach, Eliminate, Move, Placement
from ..organizing import breakdown_faults, combine_faults, convert_faults, detach_faults, eliminate_faults
from ..pieces import Piece, T, piece, pieces, pool, put, send, world_of
from ..placing import Placer
from ..politics import apply, conduct, count_down, diplomacy_faults, resolve
from ..printed import FLEETS
from ..stacking_check import check_stacks
from ..supplying import (
    due_steps,
    logistics_faults,
    partisan_faults,
    replacement_faults,
    seasonal_steps,
    spend,
    step_for,
)
from ..victory import check, final
from ..walk import Phase, Walker


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    return T.of(game).result is None


@condition("seasonal_turn")
def seasonal_turn(game: Game, phasing: str | None) -> bool:
    """2.7 Phases 0 and 1 are played on seasonal turns only."""
    return bool(world_of(game).row(T.of(game).turn).seasonal)


@condition("seasonal_turn_goes_on")
def seasonal_turn_goes_on(game: Game, phasing: str | None) -> bool:
    return bool(world_of(game).row(T.of(game).turn).seasonal) and T.of(game).result is None


@power_order("faction_order")
def faction_order(game: Game) -> Sequence[str]:
    """3 Axis, western, soviet."""
    return world_of(game).factions


def faction_of(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


def refuse(game: Game, power: str, what: str, faults: Sequence[Diagnostic]) -> bool:
    """An item that is not legal when its turn comes is left out alone; was it?"""
    if faults:
        game.emit(ItemRefused(power, what, faults[0].code, faults[0].message))
    return bool(faults)


def enter_faction_turn(game: Game, power: str) -> None:
    """2.3 The flags of all factions fall, once, whoever comes first."""
    t = T.of(game)
    stamp = f"{t.turn}/{power}"
    if t.begun == stamp:
        return
    t.begun, t.acting, t.results, t.lost, t.attacked = stamp, power, {}, 0, ()
    for one in pieces(game, spot="map"):
        one.moved_op = one.moved_res = one.attacked_blitz = one.attacked_regular = one.hq_used = False


# D-00, 0


@procedure("first_cards", rule="4.2")
async def first_cards(game: Game, phasing: str | None) -> None:
    """D-00 Each faction lays its first selection face down."""
    if game.system.hidden:
        factions = list(world_of(game).factions)
        chosen = await ask_all([NextCard(game.seat(power), power) for power in factions])
        for power, cards in zip(factions, chosen, strict=True):
            lay_down(game, power, cards)
        return
    for power in list(world_of(game).factions):
        await seal_cards(game, power)


def lay_down(game: Game, power: str, cards: tuple[str, ...]) -> None:
    T.of(game).pending[power] = cards
    game.emit(CardSealed(power, bool(cards)))


async def seal_cards(game: Game, power: str) -> None:
    """The same as a commitment that outlives its leaf (a game without a game master)."""
    t = T.of(game)
    number = t.selections.get(power, 0) + 1
    t.selections[power] = number
    sealed = await seal(FaceDown(game.seat(power), power, number), lasting=True)
    t.sealed[power] = sealed.key
    game.emit(CardSealed(power, True))


@procedure("victory_check", rule="4.1")
async def victory_check(game: Game, phasing: str | None) -> None:
    """4.1 The victory value, the marker, automatic victory."""
    check(game)


# 1


class SeasonalPhase:
    """1.1 to 1.3 of one faction."""

    def __init__(self, game: Game, power: str) -> None:
        self.game, self.power = game, power
        self.t = T.of(game)
        self._plan: SeasonPlan | None = None

    async def plan(self) -> SeasonPlan:
        if self._plan is None:
            self._plan = await ask(Season(self.game.seat(self.power), self.power))
        return self._plan

    async def reveal(self) -> None:
        """1.1.a The selection is opened; the first card that passes is current."""
        game, power, t = self.game, self.power, self.t
        if power in t.sealed:
            number = t.selections[power]
            cards = await opened(Sealed(t.sealed[power], FaceDown(game.seat(power), power, number)))
            del t.sealed[power]
        else:
            cards = t.pending.pop(power, ())
        chosen, reasons = reveal(game, power, cards)
        if chosen is None:
            code = "E-CARD-02" if cards else ""
            game.emit(NoCard(power, tuple(cards), code, tuple(reasons)))
            return
        title = world_of(game).cards[chosen].title
        game.emit(CardRevealed(power, tuple(cards), chosen, title, tuple(reasons)))

    async def actions(self) -> None:
        """1.1.b The actions of the card, in listed order."""
        card = world_of(self.game).cards.get(self.t.current.get(self.power, ""))
        if card is not None and card.actions:
            self.t.card_open = True
            await apply(self.game, card.actions)
            self.t.card_open = False

    async def select(self) -> None:
        """1.1.c The next selection; the plan for 1.2 and 1.3 comes with the same mail."""
        game, power = self.game, self.power
        seat = game.seat(power)
        if game.system.hidden:
            cards, self._plan = await ask_each([NextCard(seat, power), Season(seat, power)])
            lay_down(game, power, cards)
        else:
            await seal_cards(game, power)

    async def logistics(self) -> None:
        for given in (await self.plan()).logistics:
            what = f"logistics marker {given.marker}"
            if not refuse(self.game, self.power, what, logistics_faults(self.game, self.power, given)):
                self._place(given.marker, given.hex)

    async def partisans(self) -> None:
        used: list[str] = []
        for given in (await self.plan()).partisans:
            faults = partisan_faults(self.game, self.power, given, used)
            if not refuse(self.game, self.power, f"partisan base {given.marker}", faults):
                self._place(given.marker, given.hex)
                used += [world_of(self.game).country_of(given.hex) or ""] if given.hex else []

    def _place(self, id: str, hex: str | None) -> None:
        one = piece(self.game, id)
        what = "removed" if hex is None else "moved" if one.spot == "map" else "placed"
        place_marker(one, hex)
        self.game.emit(MarkerPlaced(self.power, id, hex or "", what))

    async def count(self) -> None:
        """1.3.1 The steps of the current card, and what was added."""
        self.t.due_steps[self.power] = due_steps(self.game, self.power)
        self.t.added_steps.pop(self.power, None)

    async def add(self) -> None:
        """1.3.2 Additional seasonal replacements."""
        more = seasonal_steps(self.game, self.power)
        self.t.due_steps[self.power] = (*self.t.due_steps.get(self.power, ()), *more)

    async def replace(self) -> None:
        """1.3.3 Steps become counters; what is not placed is lost."""
        game, power, t = self.game, self.power, self.t
        left = t.due_steps.get(power, ())
        if left:
            game.emit(StepsCounted(power, _listed(left)))
        for given in (await self.plan()).replacements:
            faults = replacement_faults(game, power, given, left)
            if refuse(game, power, f"replacement {given.counter}", faults):
                continue
            one = piece(game, given.counter)
            n = step_for(one, left, given.kind)
            assert n is not None
            step = f"{left[n][0]} {left[n][1]}"
            left = spend(left, n)
            put(one, given.hex, 1)
            game.emit(Replaced(power, one.id, given.hex, step))
        if lost := [step for step in left if step[2] > 0]:
            game.emit(StepsForgone(power, _listed(lost)))
        t.due_steps.pop(power, None)
        await check_stacks(game)


def _listed(found: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
    return tuple(f"{n} {country} {kind}" for country, kind, n in found if n > 0)


@procedure("season", rule="4.2")
async def season(game: Game, phasing: str | None) -> None:
    """4.2 to 4.4 Option card, logistics and partisans, replacements."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    phase = SeasonalPhase(game, power)
    await steps(
        game,
        [
            ("1.1.a", phase.reveal),
            ("1.1.b", phase.actions),
            ("1.1.c", phase.select),
            ("1.2.1", phase.logistics),
            ("1.2.2", phase.partisans),
            ("1.3.1", phase.count),
            ("1.3.2", phase.add),
            ("1.3.3", phase.replace),
        ],
    )


# 2


@procedure("political_events", rule="4.5")
async def political_events(game: Game, phasing: str | None) -> None:
    """4.5 Every event of the current card, every turn of its season."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    card = world_of(game).cards.get(T.of(game).current.get(power, ""))
    for event in card.political_events if card else ():
        if T.of(game).result is None:
            await resolve(game, event)
    await check_stacks(game)


class AdministrativePhase:
    """2.2 and 2.3 of one faction, from one answer."""

    def __init__(self, game: Game, power: str) -> None:
        self.game, self.power = game, power
        self._plan: AdministrationPlan | None = None
        self.before = {
            one.id: (one.hex, one.side) for one in pieces(game, power, "map") if one.role == "convoy"
        }

    async def plan(self) -> AdministrationPlan:
        if self._plan is None:
            self._plan = await ask(Administration(self.game.seat(self.power), self.power))
        return self._plan

    async def home(self) -> None:
        return_to_base(self.game, self.power)

    async def maintain(self) -> None:
        end_maintenance(self.game, self.power, (await self.plan()).remove)

    async def place(self) -> None:
        """2.2.3 One by one; contests come for all of them at once."""
        game, power = self.game, self.power
        listed = (await self.plan()).place
        if listed is None:
            listed = tuple(default_convoys(game, power, self.before))
        contests = await self._contests(listed)
        for given in listed:
            faults = Placer(game, power).faults(given)
            if refuse(game, power, f"{given.counter} to {given.at}", faults):
                continue
            by = self._contester(given, contests)
            if by is not None:
                self._clash(given, by)
                continue
            Placer(game, power).make(given)
            one = piece(game, given.counter)
            what = one.side or {"strike": "strikes", "beachhead": f"beachhead facing {one.facing}"}.get(
                one.back, ""
            )
            game.emit(Placed(power, one.id, given.at, what))

    async def _contests(self, listed: Sequence[Placement]) -> dict[str, dict[str, str]]:
        """4.6.3 What each enemy faction at war contests."""
        game, power, ground = self.game, self.power, Ground(self.game)
        units = [(one.counter, piece(game, one.counter).type, one.at) for one in self._standing(listed)]
        if not units:
            return {}
        ids, kinds, where = zip(*units, strict=True)
        enemies = [other for other in world_of(game).enemies(power) if ground.at_war(power, other)]
        game.at("2.2.3.c")
        asked = [Contest(game.seat(by), by, power, ids, kinds, where) for by in enemies]
        answers = await ask_each(asked)
        game.at("2.2.3")
        return dict(zip(enemies, answers, strict=True))

    def _standing(self, listed: Sequence[Placement]) -> list[Placement]:
        """The support units that would stand if nobody contested."""
        board, found = self.game.copy(), []
        for given in listed:
            placer = Placer(board, self.power)
            if placer.faults(given):
                continue
            placer.make(given)
            if piece(board, given.counter).type != "convoy":
                found.append(given)
        return found

    def _contester(self, given: Placement, contests: dict[str, dict[str, str]]) -> tuple[str, Piece] | None:
        """The first faction that does, in order, with a counter that may."""
        for by in world_of(self.game).factions:
            id = contests.get(by, {}).get(given.counter)
            one = next((one for one in pool(self.game, by) if one.id == id), None)
            if one is not None and not Placer(self.game, by).contest_faults(one, given.at):
                return by, one
        return None

    def _clash(self, given: Placement, found: tuple[str, Piece]) -> None:
        """4.6.3 Both leave play: fleets for the Naval Warfare Delay Box, air units for the Delay Box."""
        by, other = found
        one = piece(self.game, given.counter)
        went = ["naval_delay" if each.type in FLEETS else "delay" for each in (one, other)]
        for each, box in zip((one, other), went, strict=True):
            send(each, "naval_delay" if box == "naval_delay" else "delay")
        self.game.emit(Contested(self.power, one.id, by, other.id, given.at, went[0], went[1]))

    async def blitz(self) -> None:
        for given in (await self.plan()).blitz:
            faults = Placer(self.game, self.power).blitz_faults(given)
            if not refuse(self.game, self.power, f"{given.marker} in {given.hex}", faults):
                perform(self.game, self.power, given)
                self.game.emit(Placed(self.power, given.marker, given.hex, "blitz"))

    async def fail(self) -> None:
        fail_beachheads(self.game, self.power)
        await check_stacks(self.game)

    # 2.3

    async def combine(self) -> None:
        for given in (await self.plan()).combine:
            if not self._refused("combination", combine_faults(self.game, self.power, given)):
                self._told(given, given.units, (given.into,))

    async def convert(self) -> None:
        for given in (await self.plan()).convert:
            if not self._refused("conversion", convert_faults(self.game, self.power, given)):
                self._told(given, (given.unit,), (given.into,))

    async def eliminate(self) -> None:
        for given in (await self.plan()).eliminate:
            if self._refused("elimination", eliminate_faults(self.game, self.power, given)):
                continue
            losses: list[Lost] = perform(self.game, self.power, given)
            for one in losses:
                self.game.emit(StepLost(self.power, one.unit, one.hex, one.left, one.instead, one.went))

    async def break_down(self) -> None:
        for given in (await self.plan()).breakdown:
            if not self._refused("breakdown", breakdown_faults(self.game, self.power, given)):
                into = tuple(f"{id}/{n}" for id, n in sorted(given.into.items()))
                self._told(given, (given.unit,), into)

    async def detach(self) -> None:
        for given in (await self.plan()).detach:
            if not self._refused("detachment", detach_faults(self.game, self.power, given)):
                self._told(given, (given.unit,), ())
        await check_stacks(self.game)

    def _refused(self, what: str, faults: Sequence[Diagnostic]) -> bool:
        return refuse(self.game, self.power, what, faults)

    def _told(
        self,
        given: Combine | Convert | Breakdown | Detach | Eliminate,
        units: tuple[str, ...],
        into: tuple[str, ...],
    ) -> None:
        hex = piece(self.game, units[0]).hex or ""
        perform(self.game, self.power, given)
        self.game.emit(Organized(self.power, type(given).__name__.lower(), units, into, hex))


@procedure("administration", rule="4.6")
async def administration(game: Game, phasing: str | None) -> None:
    """4.6, 4.7 Support units and convoys, Blitz markers, organization."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    phase = AdministrativePhase(game, power)
    await steps(
        game,
        [
            ("2.2.1", phase.home),
            ("2.2.2", phase.maintain),
            ("2.2.3", phase.place),
            ("2.2.4", phase.blitz),
            ("2.2.5", phase.fail),
            ("2.3.1", phase.combine),
            ("2.3.2", phase.convert),
            ("2.3.3", phase.eliminate),
            ("2.3.4", phase.break_down),
            ("2.3.5", phase.detach),
        ],
    )


# 3, 5, 6


def march(game: Game, power: str, phase: Phase, moves: Sequence[Move]) -> bool:
    """Moves in order; a false guard skips one, or stops the rest. True where the rest was stopped."""
    for move in moves:
        if not holds(game, power, move.guard):
            stops = move.guard is not None and move.guard.else_ == "stop"
            game.emit(ItemSkipped(power, f"move of {move.unit}", stops))
            if stops:
                return True
            continue
        walked = Walker(game, power, phase).judge(move)
        if not refuse(game, power, f"move of {move.unit}", walked.faults):
            make_move(game, power, phase, move, walked)
    return False


@procedure("movement", rule="4.8")
async def movement(game: Game, phasing: str | None) -> None:
    """4.8 One unit at a time, each once."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    moves: tuple[Move, ...] = await ask(Movement(game.seat(power), power))
    march(game, power, "op", moves)
    await check_stacks(game)


@procedure("final", rule="4.9")
async def final_phase(game: Game, phasing: str | None) -> None:
    """4.9, 4.10 Reserve movement, war and peace, from one answer."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    plans: list[FinalPlan] = []

    async def plan() -> FinalPlan:
        if not plans:
            plans.append(await ask(Final(game.seat(power), power)))
        return plans[-1]

    async def reserve() -> None:
        if march(game, power, "res", (await plan()).reserve):
            plans.append(await ask(Final(game.seat(power), power)))
            march(game, power, "res", plans[-1].reserve)
        await check_stacks(game)

    async def war() -> None:
        count_down(game, power)
        declared = list((await plan()).war)
        for given in declared:
            what = f"war and peace: {given.declare or given.offer or given.accept}"
            if not refuse(game, power, what, diplomacy_faults(game, power, given)):
                await conduct(game, power, given)
        await check_stacks(game)

    await steps(game, [("5", reserve), ("6.1", war)])


@procedure("conditional_events", rule="4.11")
async def conditional_events(game: Game, phasing: str | None) -> None:
    """4.11 Events of the box and of the current card in the order of their ids."""
    power, t, world = faction_of(phasing), T.of(game), world_of(game)
    enter_faction_turn(game, power)
    card = world.cards.get(t.current.get(power, ""))
    listed = {*t.boxes.get(power, ()), *(card.conditional_events if card else ())}
    for id in sorted(listed):
        event = world.conditional[id]
        if t.result is not None or id in t.happened.get(power, ()) or not event.when.holds(game):
            continue
        game.emit(ConditionalHappened(power, id, event.once))
        await apply(game, event.effects)
        if event.once:
            t.boxes[power] = tuple(one for one in t.boxes.get(power, ()) if one != id)
            t.happened[power] = (*t.happened.get(power, ()), id)
    await check_stacks(game)


# 7


@procedure("delay", rule="4.23")
async def delay(game: Game, phasing: str | None) -> None:
    """4.23 A die for each counter in a Delay Box."""
    t, world = T.of(game), world_of(game)
    least = int(world.limits["delay"]["minimum"])
    for power in list(world.factions):
        waiting = [*pieces(game, power, "delay"), *pieces(game, power, "naval_delay")]
        for one in waiting:
            die = await roll("1d6", "delay", t.turn, power, one.id)
            drm = t.drm[power]["delay"]
            result = max(least, die.total + drm)
            send(one, "track", t.turn + result)
            game.emit(Delayed(power, one.id, die, drm, result, t.turn + result))


@procedure("turn_marker", rule="4.23")
async def turn_marker(game: Game, phasing: str | None) -> None:
    """4.23 The next turn and its weather; counters that are due come back; after the last turn, and where the
    end marker is reached, the end."""
    t, world = T.of(game), world_of(game)
    if t.turn >= len(world.turns):
        final(game)
        return
    t.turn += 1
    back = [one for one in pieces(game, spot="track") if one.due <= t.turn]
    for one in back:
        send(one, "pool")
    t.weather = world.weather_of(t.turn)
    game.emit(TurnBegan(t.turn, world.row(t.turn).name, dict(t.weather), tuple(one.id for one in back)))
    if world.row(t.turn).end:
        final(game)
