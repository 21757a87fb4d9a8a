"""D-00, 1: option cards laid down, opened and chosen; logistics, partisans, replacements."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, Message, Sealed, ask_all, opened, procedure, seal, steps

from ..asking import ask_each_quoted, ask_quoted
from ..cards import reveal
from ..decisions.season import FaceDown, NextCard, Season, SeasonPlan, place_marker
from ..events.politics import CardRevealed, CardSealed, NoCard
from ..events.turn import MarkerPlaced, Replaced, StepsCounted, StepsForgone
from ..pieces import T, piece, put, world_of
from ..politics import apply
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
from .faction_turn import enter_faction_turn, faction_of, refuse


@procedure("first_cards", rule="4.2")
async def first_cards(game: Game, phasing: str | None) -> None:
    """D-00: Ask each faction for its first selection, face down."""
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
    """Ask for the selection as a commitment that outlives its leaf (a game without a game master)."""
    t = T.of(game)
    number = t.selections.get(power, 0) + 1
    t.selections[power] = number
    sealed = await seal(FaceDown(game.seat(power), power, number), lasting=True)
    t.sealed[power] = sealed.key
    game.emit(CardSealed(power, True))


class SeasonalPhase:
    """1.1 to 1.3 of one faction."""

    def __init__(self, game: Game, power: str) -> None:
        self.game, self.power = game, power
        self.t = T.of(game)
        self._plan: SeasonPlan | None = None

    async def plan(self) -> SeasonPlan:
        if self._plan is None:
            self._plan = await ask_quoted(self.game, Season(self.game.seat(self.power), self.power))
        return self._plan

    async def reveal(self) -> None:
        """1.1.a: Open the selection; the first card that passes is current."""
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
        """1.1.b: Apply the actions of the card, in listed order."""
        card = world_of(self.game).cards.get(self.t.current.get(self.power, ""))
        if card is not None and card.actions:
            self.t.card_open = True
            await apply(self.game, card.actions)
            self.t.card_open = False
            await check_stacks(self.game)

    async def select(self) -> None:
        """1.1.c: Ask for the next selection; the plan for 1.2 and 1.3 comes with the same mail."""
        game, power = self.game, self.power
        seat = game.seat(power)
        if game.system.hidden:
            cards, self._plan = await ask_each_quoted(game, [NextCard(seat, power), Season(seat, power)])
            lay_down(game, power, cards)
        else:
            await seal_cards(game, power)

    async def logistics(self) -> None:
        for given in (await self.plan()).logistics:
            what = Message("totaler-krieg.season.logistics-marker", marker=given.marker)
            if not refuse(self.game, self.power, what, logistics_faults(self.game, self.power, given)):
                self._place(given.marker, given.hex)

    async def partisans(self) -> None:
        used: list[str] = []
        for given in (await self.plan()).partisans:
            faults = partisan_faults(self.game, self.power, given, used)
            if not refuse(
                self.game,
                self.power,
                Message("totaler-krieg.season.partisan-base", marker=given.marker),
                faults,
            ):
                self._place(given.marker, given.hex)
                used += [world_of(self.game).country_of(given.hex) or ""] if given.hex else []

    def _place(self, id: str, hex: str | None) -> None:
        one = piece(self.game, id)
        what = "removed" if hex is None else "moved" if one.spot == "map" else "placed"
        place_marker(one, hex)
        self.game.emit(MarkerPlaced(self.power, id, hex or "", what))

    async def count(self) -> None:
        """1.3.1: Count the steps of the current card, and what was added."""
        self.t.due_steps[self.power] = due_steps(self.game, self.power)
        self.t.added_steps.pop(self.power, None)

    async def add(self) -> None:
        """1.3.2: Add seasonal replacements."""
        more = seasonal_steps(self.game, self.power)
        self.t.due_steps[self.power] = (*self.t.due_steps.get(self.power, ()), *more)

    async def replace(self) -> None:
        """1.3.3: Turn steps into counters; what is not placed is lost."""
        game, power, t = self.game, self.power, self.t
        left = t.due_steps.get(power, ())
        if left:
            game.emit(StepsCounted(power, _listed(left)))
        for given in (await self.plan()).replacements:
            faults = replacement_faults(game, power, given, left)
            if refuse(
                game, power, Message("totaler-krieg.season.replacement-of", counter=given.counter), faults
            ):
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
    """4.2 to 4.4: Play option card, logistics and partisans, replacements."""
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
