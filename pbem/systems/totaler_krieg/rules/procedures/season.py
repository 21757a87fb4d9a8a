"""D-00, 1: Option cards sealed, revealed and selected, then logistics, partisans, replacements."""

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
    """D-00: Ask each faction for its first selection of cards."""
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
    """Ask for a selection as a commitment that outlives its leaf, in a game without a GM."""
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
        """1.1.a: Reveal the selection. The first card that passes is current."""
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
        """1.1.b: Apply the actions of the card in order."""
        card = world_of(self.game).cards.get(self.t.current.get(self.power, ""))
        if card is not None and card.actions:
            self.t.card_open = True
            await apply(self.game, card.actions)
            self.t.card_open = False
            await check_stacks(self.game)

    async def select(self) -> None:
        """1.1.c: Ask for the next selection, and in the same email for the plan of 1.2 and 1.3."""
        game, power = self.game, self.power
        seat = game.seat(power)
        if game.system.hidden:
            cards, self._plan = await ask_each_quoted(game, [NextCard(seat, power), Season(seat, power)])
            lay_down(game, power, cards)
        else:
            await seal_cards(game, power)

    async def logistics(self) -> None:
        for order in (await self.plan()).logistics:
            what = Message("totaler-krieg.season.logistics-marker", marker=order.marker)
            if not refuse(self.game, self.power, what, logistics_faults(self.game, self.power, order)):
                self._place(order.marker, order.hex)

    async def partisans(self) -> None:
        used: list[str] = []
        for order in (await self.plan()).partisans:
            faults = partisan_faults(self.game, self.power, order, used)
            if not refuse(
                self.game,
                self.power,
                Message("totaler-krieg.season.partisan-base", marker=order.marker),
                faults,
            ):
                self._place(order.marker, order.hex)
                used += [world_of(self.game).country_of(order.hex) or ""] if order.hex else []

    def _place(self, id: str, hex: str | None) -> None:
        marker = piece(self.game, id)
        what = "removed" if hex is None else "moved" if marker.spot == "map" else "placed"
        place_marker(marker, hex)
        self.game.emit(MarkerPlaced(self.power, id, hex or "", what))

    async def count(self) -> None:
        """1.3.1: Count the steps of the current card, and those that effects added."""
        self.t.due_steps[self.power] = due_steps(self.game, self.power)
        self.t.added_steps.pop(self.power, None)

    async def add(self) -> None:
        """1.3.2: Add seasonal replacements."""
        more = seasonal_steps(self.game, self.power)
        self.t.due_steps[self.power] = (*self.t.due_steps.get(self.power, ()), *more)

    async def replace(self) -> None:
        """1.3.3: Turn steps into counters. Steps that are not placed are lost."""
        game, power, t = self.game, self.power, self.t
        left = t.due_steps.get(power, ())
        if left:
            game.emit(StepsCounted(power, _listed(left)))
        for order in (await self.plan()).replacements:
            faults = replacement_faults(game, power, order, left)
            if refuse(
                game, power, Message("totaler-krieg.season.replacement-of", counter=order.counter), faults
            ):
                continue
            counter = piece(game, order.counter)
            n = step_for(counter, left, order.kind)
            assert n is not None
            step = f"{left[n][0]} {left[n][1]}"
            left = spend(left, n)
            put(counter, order.hex, 1)
            game.emit(Replaced(power, counter.id, order.hex, step))
        if lost := [step for step in left if step[2] > 0]:
            game.emit(StepsForgone(power, _listed(lost)))
        t.due_steps.pop(power, None)
        await check_stacks(game)


def _listed(left: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
    return tuple(f"{n} {country} {kind}" for country, kind, n in left if n > 0)


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
