"""2: Political events, support units and convoys, Blitz markers, organization."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Diagnostic, Game, Message, ask, procedure, steps

from ..administering import default_convoys, end_maintenance, fail_beachheads, return_to_base
from ..asking import ask_each_quoted
from ..decisions.administration import Administration, AdministrationPlan, Contest, perform
from ..events.fighting import StepLost
from ..events.turn import Contested, Organized, Placed
from ..ground import Ground
from ..losing import Lost
from ..orders import Breakdown, Combine, Convert, Detach, Eliminate, Placement
from ..organizing import breakdown_faults, combine_faults, convert_faults, detach_faults, eliminate_faults
from ..pieces import Piece, T, piece, pieces, pool, send, world_of
from ..placing import Placer
from ..politics import resolve
from ..printed import FLEETS
from ..stacking_check import check_stacks
from .faction_turn import enter_faction_turn, faction_of, refuse


@procedure("political_events", rule="4.5")
async def political_events(game: Game, phasing: str | None) -> None:
    """4.5: Resolve every event of the current card, in every turn of its season."""
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
            convoy.id: (convoy.hex, convoy.side)
            for convoy in pieces(game, power, "map")
            if convoy.role == "convoy"
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
        """2.2.3: Place support units one by one. All contests are asked for at once."""
        game, power = self.game, self.power
        listed = (await self.plan()).place
        if listed is None:
            listed = tuple(default_convoys(game, power, self.before))
        contests = await self._contests(listed)
        for order in listed:
            faults = Placer(game, power).faults(order)
            if refuse(game, power, f"{order.counter} to {order.at}", faults):
                continue
            by = self._contester(order, contests)
            if by is not None:
                self._clash(order, by)
                continue
            Placer(game, power).make(order)
            counter = piece(game, order.counter)
            what = counter.side or {
                "strike": "strikes",
                "beachhead": Message("totaler-krieg.administration.beachhead-facing", facing=counter.facing),
            }.get(counter.back, "")
            game.emit(Placed(power, counter.id, order.at, what))

    async def _contests(self, listed: Sequence[Placement]) -> dict[str, dict[str, str]]:
        """4.6.3: Return the contests of each enemy faction at war."""
        game, power, ground = self.game, self.power, Ground(self.game)
        units = [
            (placement.counter, piece(game, placement.counter).type, placement.at)
            for placement in self._standing(listed)
        ]
        if not units:
            return {}
        ids, kinds, where = zip(*units, strict=True)
        enemies = [other for other in world_of(game).enemies(power) if ground.at_war(power, other)]
        game.at("2.2.3.c")
        asked = [Contest(game.seat(by), by, power, ids, kinds, where) for by in enemies]
        answers = await ask_each_quoted(game, asked)
        game.at("2.2.3")
        return dict(zip(enemies, answers, strict=True))

    def _standing(self, listed: Sequence[Placement]) -> list[Placement]:
        """Return the support units that would be placed without contests."""
        board, placed = self.game.copy(), []
        for order in listed:
            placer = Placer(board, self.power)
            if placer.faults(order):
                continue
            placer.make(order)
            if piece(board, order.counter).type != "convoy":
                placed.append(order)
        return placed

    def _contester(self, order: Placement, contests: dict[str, dict[str, str]]) -> tuple[str, Piece] | None:
        """Return the first faction that contests, in order, and its counter."""
        for by in world_of(self.game).factions:
            id = contests.get(by, {}).get(order.counter)
            counter = next((counter for counter in pool(self.game, by) if counter.id == id), None)
            if counter is not None and not Placer(self.game, by).contest_faults(counter, order.at):
                return by, counter
        return None

    def _clash(self, order: Placement, contester: tuple[str, Piece]) -> None:
        """4.6.3: Take both counters out of play.

        Fleets go to the Naval Warfare Delay Box, others to the Delay Box.
        """
        by, other = contester
        placed = piece(self.game, order.counter)
        went = ["naval_delay" if counter.type in FLEETS else "delay" for counter in (placed, other)]
        for counter, box in zip((placed, other), went, strict=True):
            send(counter, "naval_delay" if box == "naval_delay" else "delay")
        self.game.emit(Contested(self.power, placed.id, by, other.id, order.at, went[0], went[1]))

    async def blitz(self) -> None:
        for order in (await self.plan()).blitz:
            faults = Placer(self.game, self.power).blitz_faults(order)
            if not refuse(self.game, self.power, f"{order.marker} in {order.hex}", faults):
                perform(self.game, self.power, order)
                self.game.emit(Placed(self.power, order.marker, order.hex, "blitz"))

    async def fail(self) -> None:
        fail_beachheads(self.game, self.power)
        await check_stacks(self.game)

    async def combine(self) -> None:
        for order in (await self.plan()).combine:
            if not self._refused(
                "combination",
                combine_faults(self.game, self.power, order),
            ):
                self._told(order, order.units, (order.into,))

    async def convert(self) -> None:
        for order in (await self.plan()).convert:
            if not self._refused(
                "conversion",
                convert_faults(self.game, self.power, order),
            ):
                self._told(order, (order.unit,), (order.into,))

    async def eliminate(self) -> None:
        for order in (await self.plan()).eliminate:
            if self._refused(
                "elimination",
                eliminate_faults(self.game, self.power, order),
            ):
                continue
            losses: list[Lost] = perform(self.game, self.power, order)
            for loss in losses:
                self.game.emit(
                    StepLost(self.power, loss.unit, loss.hex, loss.left, loss.instead, loss.went, loss.steps)
                )

    async def break_down(self) -> None:
        for order in (await self.plan()).breakdown:
            if not self._refused(
                "breakdown",
                breakdown_faults(self.game, self.power, order),
            ):
                into = tuple(f"{id}/{n}" for id, n in sorted(order.into.items()))
                self._told(order, (order.unit,), into)

    async def detach(self) -> None:
        for order in (await self.plan()).detach:
            if not self._refused(
                "detachment",
                detach_faults(self.game, self.power, order),
            ):
                self._told(order, (order.unit,), ())
        await check_stacks(self.game)

    def _refused(self, what: str, faults: Sequence[Diagnostic]) -> bool:
        return refuse(self.game, self.power, what, faults)

    def _told(
        self,
        order: Combine | Convert | Breakdown | Detach | Eliminate,
        units: tuple[str, ...],
        into: tuple[str, ...],
    ) -> None:
        hex = piece(self.game, units[0]).hex or ""
        perform(self.game, self.power, order)
        self.game.emit(Organized(self.power, type(order).__name__.lower(), units, into, hex))


@procedure("administration", rule="4.6")
async def administration(game: Game, phasing: str | None) -> None:
    """4.6, 4.7: Carry out administration: support units, convoys, Blitz markers, organization."""
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
