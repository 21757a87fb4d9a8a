"""6.1: The impulse letter, all orders of a player for their powers in one impulse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from pbem.kit.faults import illegal, under
from pbem.kit.fights import Sent
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    Message,
    Next,
    Part,
    Points,
    decision,
    fact,
)

from ..actions import action_of, attackable, chit_fault, choose_action, declare_war, play_chit
from ..carrying import carry
from ..choosing import methods
from ..conditions import fault as condition_fault
from ..drafting import AFTER, Steps, filled, name_faults
from ..entries import AirSupplies, Attacks, AutoReorg, Letter, Play, Point, Searches, Strikes, Way, Wish
from ..occasions import Activated, Done, Failed, begin, may_file, work_through
from ..pieces import Occasion, T, Unit, maybe_unit, powers_of, units
from ..plans import Plan, Refusal
from ..reorganize import Reorganizer
from ..steps import STEPS, listed_ways, wanted
from ..steps import condition_fault as order_condition_fault
from ..world import world_of

ORDER = ("I.1", "I.2", *(f"I.3{s}" for s in STEPS), "p.1.0", "p.1.2", "p.1.4", "p.D")


class Writing(Draft[Part[Any]]):
    """An impulse letter on a draft's board. Orders with dice are counted as spent, others are done."""

    def __init__(self, game: Game, player: str, before: str) -> None:
        super().__init__(game, player)
        self.before, self.side = before, T.of(game).phasing or ""
        self.powers = powers_of(game, player, self.side)
        self.steps = Steps(game, player)
        self.reorganizer: Reorganizer | None = None
        self.told_of: dict[str, list[tuple[int, str]]] = {}
        self.said: dict[str, list[str]] = {}
        self.chits_kept: dict[str, Refusal] = {}
        """R-126: Why a chit is not played. It is not spent, and the rest of the letter counts."""

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        section, value = element.section, element.value
        if value is NOTHING:
            return []
        if self._over(section):
            return [
                illegal(
                    "E-MOVE", "6.1", Message("wif.impulse-letter.that-step-of-impulse-over", section=section)
                )
            ]
        if section in STEPS:
            self.steps.coming = self.coming
            return self.steps.faults(section, value)
        faults: dict[str, Callable[[Any], list[Diagnostic]]] = {
            "declare": self._declare_faults,
            "action": self._action_faults,
            "by_weather": self._by_weather_faults,
            "chit": self._chit_faults,
            "atr": self._atr_faults,
            "own_interceptors": self._own_interceptors_faults,
            "reorganize": self._reorganize_faults,
            "stop_if": self._stop_if_faults,
        }
        return faults[section](value) if section in faults else []

    def _over(self, section: str) -> bool:
        """Return True if the step of a section is over before this letter begins."""
        step = {
            "declare": "I.1",
            "action": "I.2",
            "by_weather": "I.2",
            "chit": "I.2",
            "atr": "p.1.2",
            "own_interceptors": "p.1.4",
            "reorganize": "p.D",
            "stop_if": "p.D",
        }.get(section, f"I.3{section}")
        begun = ORDER.index(self.before) if self.before in ORDER else 0
        return ORDER.index(step) < begun

    def _own(self, power: str) -> list[Diagnostic]:
        if power in self.powers:
            return []
        return [
            illegal(
                "E-PAYER",
                "6.1",
                Message("wif.impulse-letter.no-power-of-yours-in-impulse", power=power),
                help=Message("wif.impulse-letter.yours", powers=tuple(self.powers)),
            )
        ]

    def _declare_faults(self, name: str) -> list[Diagnostic]:
        if attackable(self.game, name):
            return []
        known = [country for country in world_of(self.game).attackable if attackable(self.game, country)]
        return [
            illegal(
                "E-MOVE",
                "4.5.2",
                Message("wif.impulse-letter.war-cannot-be-declared", name=name),
                help=Message("wif.impulse-letter.attackable", countries=", ".join(known) or "nobody"),
            )
        ]

    def _action_faults(self, entry: Entry[str | dict[str, str]]) -> list[Diagnostic]:
        if isinstance(entry.value, dict):
            return self._by_weather_faults(Entry(entry.key, entry.value))
        known = world_of(self.game).activity["actions"]
        wrong = (
            []
            if entry.value in known
            else [
                illegal(
                    "E-MOVE",
                    "4.5.2",
                    Message("wif.impulse-letter.no-action", value=entry.value),
                    help=", ".join(known),
                )
            ]
        )
        return [*self._own(entry.key), *wrong]

    def _by_weather_faults(self, entry: Entry[dict[str, str]]) -> list[Diagnostic]:
        world = world_of(self.game)
        faults = self._own(entry.key)
        for weather, action in entry.value.items():
            if weather not in world.supply["length"] or action not in world.activity["actions"]:
                faults.append(
                    illegal(
                        "E-MOVE",
                        "4.5.2",
                        Message("wif.impulse-letter.says-nothing", weather=weather, action=action),
                        weather,
                    )
                )
        return faults

    def _chit_faults(self, entry: Entry[Any]) -> list[Diagnostic]:
        wrong = self._own(entry.key)
        if not wrong and (bad := condition_fault(entry.value.if_)):
            wrong = [illegal("bad-condition", "6.1", bad, "if")]
        return wrong

    def _atr_faults(self, entry: Any) -> list[Diagnostic]:
        """6.1: Return the faults of an entry of flights.

        It has none if it has a condition, or if one of its alternatives may be flown.
        """
        if (bad := order_condition_fault(entry)) is not None:
            return [illegal("bad-condition", "6.1", bad, "if")]
        faults: list[Diagnostic] = []
        for n, way in enumerate(listed_ways(entry)):
            wrong = self._flight_faults(way, conditional=entry.if_ is not None or way.if_ is not None)
            if not wrong:
                return []
            faults += under(wrong, "first", n) if entry.first else wrong
        return faults

    def _flight_faults(self, order: Any, *, conditional: bool) -> list[Diagnostic]:
        u = maybe_unit(self.game, order.atr)
        if u is None or u.owner not in self.powers or u.type != "ATR":
            return [
                illegal(
                    "E-UNIT",
                    "4.6.4",
                    Message("wif.impulse-letter.no-air-transport-of-yours", atr=order.atr),
                    "atr",
                )
            ]
        _, refused = self.steps.impulse.air_supply_fault(self.player, order)
        if refused is None or conditional or refused.code in ("E-FACEUP", "E-PASS"):
            return []
        return [illegal(refused.code, "4.6.4", refused.message)]

    def _own_interceptors_faults(self, entry: Any) -> list[Diagnostic]:
        if (bad := order_condition_fault(entry)) is not None:
            return [illegal("bad-condition", "6.1", bad, "if")]
        faults: list[Diagnostic] = []
        for way_number, guard in enumerate(listed_ways(entry)):
            wrong = [
                illegal(
                    "E-UNIT", "4.6.4", Message("wif.impulse-letter.no-fighter-of-yours", id=id), "fighters", n
                )
                for n, id in enumerate(guard.fighters)
                if (u := maybe_unit(self.game, id)) is None or u.owner not in self.powers
            ]
            faults += under(wrong, "first", way_number) if entry.first else wrong
        return faults

    def _reorganize_faults(self, entry: Entry[tuple[Wish, ...]]) -> list[Diagnostic]:
        """Return the faults of names. An entry that may be illegal later is a warning, not a fault."""
        faults = self._own(entry.key)
        for n, wish in enumerate(entry.value):
            for way in (wish, *wish.first):
                faults += under(name_faults(self.game, way), n)
        return faults

    def _stop_if_faults(self, stop: Any) -> list[Diagnostic]:
        faults = []
        if stop.before not in ORDER:
            faults.append(
                illegal(
                    "E-MOVE",
                    "6.1",
                    Message("wif.impulse-letter.no-such-step", point=stop.before),
                    "before",
                    help=", ".join(ORDER),
                )
            )
        if (bad := condition_fault(stop.if_)) is not None:
            faults.append(illegal("bad-condition", "6.1", bad, "if"))
        return faults

    def do(self, element: Part[Any]) -> None:
        section, value = element.section, element.value
        if value is NOTHING:
            return
        if section == "declare":
            declare_war(self.game, self.powers[0], value)
        elif section in ("action", "by_weather"):
            action, _ = action_of(self.game, value.key, Letter(action={value.key: value.value}), [])
            choose_action(self.game, value.key, action)
        elif section == "chit":
            if (refused := chit_fault(self.game, value.key, value.value)) is None:
                play_chit(self.game, value.key, value.value)
            elif value.value.if_ is None:
                self.chits_kept[value.key] = refused
        elif section in STEPS:
            self.reorganizer = None  # proposals were worked out for another position
            self.steps.do(section, value)
        elif section == "atr":
            self._deliver(value)
        elif section == "reorganize" and may_file(self.game, value.key):
            self._list(value.key, value.value)

    def lengthen(self, element: Part[Any], longer: Part[Any]) -> bool:
        if element.section != "reorganize" or element.value.key != longer.value.key:
            return False
        count = len(element.value.value)
        if longer.value.value[:count] != element.value.value:
            return False
        self._list(longer.value.key, longer.value.value[count:], count)
        return True

    def books(self) -> Reorganizer:
        """Return the reorganization at the end of this impulse, as far as it is known."""
        self.steps.at(AFTER)
        if self.reorganizer is None:
            t = T.of(self.game)
            side = self.side
            o = Occasion.of(self.game) if Occasion.begun(self.game) else begin(self.game, side, final=t.final)
            self.reorganizer = Reorganizer(self.game, o)
        return self.reorganizer

    def _deliver(self, entry: Any) -> None:
        """Fly the first legal alternative, as if no enemy fighter met it."""
        self.steps.begin(AFTER)
        if not wanted(self.game, entry, self.steps.labels):
            return
        for order in listed_ways(entry):
            if wanted(self.game, order, self.steps.labels) and not self._flight_faults(
                order, conditional=False
            ):
                self._fly(order)
                self.steps.labels += [label for label in (entry.label, order.label) if label]
                return

    def _fly(self, order: Any) -> None:
        r = self.books()
        plane = Unit(self.game, order.atr)
        power, count = plane.owner, r.deliveries(plane, order.hex)
        for id in order.reorganize:
            plan = r.by_air(power, id, order.hex, order.atr)
            if isinstance(plan, Plan) and count:
                carry(r, plan)
                count -= 1
        for id in (order.atr, *order.escorts):
            self.steps.impulse.flown.add(id)
            if (u := maybe_unit(self.game, id)) is not None:
                u.face = "down"

    def _list(self, power: str, wishes: tuple[Wish, ...], before: int = 0) -> None:
        """Carry out a list. Drafts that are shown also say what every method would have cost."""
        self.steps.begin(AFTER)
        r, lines = self.books(), self.told_of.setdefault(power, [])
        labels, said = self.steps.labels, self.said.setdefault(power, [])
        for n, wish in enumerate(wishes, before):
            r.known = {} if self.speaks and not wish.first else None
            others = self._others(r, power, wish) if self.speaks else []
            if wish.then is not None:
                said.append(f"#{n + 1} the standing order auto_reorg goes on with what is left")
            for result in work_through(r, power, (wish,), None, labels=labels):
                text = line(result, n, T.of(self.game).pool.get(power, 0))
                lines.append((n + result.number, text))
                said += [text, *others]
            r.known = None

    def words(self, element: Part[Any]) -> str:
        if element.value is NOTHING:
            return Message("wif.impulse-letter.nothing", section=element.section)
        if element.section == "action" and isinstance(element.value.value, str):
            return Message(
                "wif.impulse-letter.action-of", power=element.value.key, action=element.value.value
            )
        if isinstance(element.value, Attacks) and element.value.hex is not None:
            return self._with_odds(super().words(element), element.value.hex, element.value.units)
        if isinstance(element.value, Strikes) and element.value.hex is not None:
            sent = Sent.of(element.value.aircraft, element.value, element.section)
            return self._with_forecast(super().words(element), element.value.hex, sent)
        if isinstance(element.value, Searches) and element.value.area is not None:
            mine = tuple(u.id for u in units(self.game) if u.owner in self.powers)
            return self._with_forecast(super().words(element), element.value.area, mine)
        return super().words(element)

    def _with_forecast(self, sentence: str, place: str, sent: tuple[str, ...]) -> str:
        """4.7.3 to 4.7.5: Return a sentence about a mission or a fight at sea, with its forecast."""
        for forecast in self.game.system.forecasts(self.game, place, sent):
            sentence = Message("wif.impulse-letter.mission", said=sentence, expected=forecast.sentence())
        return sentence

    def _with_odds(self, sentence: str, hex: str, ids: tuple[str, ...]) -> str:
        """4.7.7: Return a sentence about an attack, with its odds on this board and its forecast."""
        for forecast in self.game.system.forecasts(self.game, hex, ids):
            expected = forecast.sentence()
            sentence = Message(
                "wif.impulse-letter.attack", said=sentence, odds=forecast.odds, expected=expected
            )
        return sentence

    def told(self, element: Part[Any]) -> str | None:
        """Return the results of a list entry by entry, with other methods and why they are illegal."""
        if element.section != "reorganize" or element.value is NOTHING:
            return None
        power = element.value.key
        if not may_file(self.game, power):
            return Message("wif.impulse-letter.passed-power-reorganizes-nothing", power=power)
        return "\n  ".join([f"{power}:", *(self.said.get(power) or ["nothing"])])

    def _others(self, r: Reorganizer, power: str, wish: Wish) -> list[str]:
        """Return the cost of each legal method in a line, and why others are illegal in another."""
        u = maybe_unit(r.board, wish.unit)
        if u is None or r.barred(u, Way(u.id)) is not None:
            return []
        legal, barred = [], []
        for via, result in methods(r, power, u):
            if isinstance(result, Plan):
                legal.append(f"{result.words}: {result.cost}")
            else:
                barred.append(f"{via} ({result.code} {result.message})")
        lines = [f"   could be: {'; '.join(legal)}"] if legal else []
        return [*lines, f"   not: {'; '.join(barred)}"] if barred else lines

    def doubts(self) -> list[Diagnostic]:
        """Return warnings about entries that would be skipped on the board as expected then."""
        warnings = []
        for element in self.elements:
            if element.value is NOTHING:
                continue
            if element.section == "reorganize" and not may_file(self.game, element.value.key):
                power = element.value.key
                warnings.append(
                    _doubt(
                        "E-PASS",
                        Message("wif.impulse-letter.passes-and-reorganizes-nothing", power=power),
                        power,
                    )
                )
        for power, refused in self.chits_kept.items():
            text: str = Message("wif.impulse-letter.skipped", message=refused.message)
            warnings.append(replace(illegal(refused.code, "4.5.2", text, "chit", power), severity="warning"))
        for power, lines in self.told_of.items():
            warnings += [_doubt("skipped", text, power, n - 1) for n, text in lines if " E-" in text]
        for step, text in dict.fromkeys(self.steps.hopes):
            warnings.append(replace(illegal("E-MOVE", "4.7.1", text, step), severity="warning"))
        return warnings

    def nothing(self) -> str:
        return Message("wif.impulse-letter.all-powers-pass")

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        t = T.of(self.game)
        if of is None:
            yield from self._next_actions()
        if not any(may_file(self.game, power) for power in self.powers):
            return
        given = [e.section for e in self.elements if e.section in STEPS]
        begun = STEPS.index(given[-1]) if given else 0
        if any(e.section in ("atr", "own_interceptors", "reorganize") for e in self.elements):
            begun = len(STEPS)
        counter = self.game.position.counters.get(of) if of is not None else None
        if counter is None or t.final or t.action.get(str(counter["owner"]), "pass") != "pass":
            for section in STEPS[begun:]:
                if not self._over(section):
                    yield from self.steps.next(section, of)
        yield from self._next_flights(of)
        yield from self._next_wishes(of)

    def _next_actions(self) -> Iterator[Next[Part[Any]]]:
        if self._over("action"):
            return
        given = [e.value.key for e in filled(self.elements) if e.section == "action"]
        for power in self.powers:
            if power in given:
                continue
            for action in world_of(self.game).activity["actions"]:
                yield Next(
                    Part("action", Entry(power, action)),
                    Message("wif.impulse-letter.action-of", power=power, action=action),
                )
        played = [e.value.key for e in filled(self.elements) if e.section == "chit"]
        for power in self.powers:
            if power not in played:
                yield from self._next_chits(power)

    def _next_chits(self, power: str) -> Iterator[Next[Part[Any]]]:
        kinds: tuple[Any, ...] = ("air", "naval", "land", "combined", "reorganize_units")
        for kind in kinds:
            hqs = (
                [u.id for u in units(self.game, power) if u.print.headquarters]
                if kind in ("air", "naval", "land")
                else [None]
            )
            for hq in hqs:
                play = Play(kind, hq)
                if chit_fault(self.game, power, play) is None:
                    yield Next(
                        Part("chit", Entry(power, play)),
                        Message("wif.impulse-letter.plays-chit", power=power, kind=kind, hq=hq),
                    )

    def _next_flights(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        counter = self.game.position.counters.get(of) if of is not None else None
        if self._over("atr") or (counter is not None and counter["type"] != "ATR"):
            return
        for power in self.powers:
            for u in units(self.game, power):
                if u.type != "ATR" or not self.concerns(of, u.id):
                    continue
                for hex, ids in self.steps.needy(self.side):
                    order = AirSupplies(u.id, hex, ids)
                    if self.steps.impulse.air_supply_fault(self.player, order)[1] is None:
                        yield Next(
                            Part("atr", order),
                            Message(
                                "wif.impulse-letter.flies-for",
                                unit=u.id,
                                place=world_of(self.game).called(hex),
                                ids=tuple(ids),
                            ),
                            Points((u.id,), end=hex),
                        )

    def _next_wishes(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        last = next(reversed(filled(self.elements)), None)
        last = last if last is not None and last.section == "reorganize" else None
        given = [e.value.key for e in filled(self.elements) if e.section == "reorganize"]
        for power in self.powers:
            growing = last is not None and last.value.key == power
            if (power in given and not growing) or not may_file(self.game, power):
                continue
            so_far: tuple[Wish, ...] = last.value.value if growing and last is not None else ()
            for u in [Unit(self.game, str(of))] if of in self.game.position.counters else units(self.game):
                if not u.down or not self.concerns(of, u.id):
                    continue
                plan = self.books().judge(power, Wish(u.id))
                if isinstance(plan, Plan):
                    wish = Wish(u.id, plan.via, plan.source)  # type: ignore[arg-type]
                    text = f"{power}: {u.id} <- {plan.words}"
                    points = Points((u.id,), cost=(("RP", plan.cost),))
                    yield Next(
                        Part("reorganize", Entry(power, (*so_far, wish))), text, points, instead=growing
                    )


def _doubt(code: str, text: str, *path: str | int) -> Diagnostic:
    return replace(illegal(code, "4.6.3", text, "reorganize", *path), severity="warning")


def line(result: Any, before: int, points: int) -> str:
    """Return the result of an entry of a reorganization list as a line."""
    if isinstance(result, Done):
        fuel = f", {result.plan.fuel} fuel" if result.plan.fuel else ""
        flag = Message("wif.impulse-letter.no-longer-shattered") if result.flag else ""
        done = f"{result.plan.words}: {result.plan.cost} RPs{fuel}{flag}"
        return f"#{before + result.number} {result.plan.unit} <- {done}, {points} left"
    if isinstance(result, Activated):
        return f"#{before + result.number} {result.unit} active with {result.hq}"
    assert isinstance(result, Failed)
    refusal: Refusal = result.refusal
    return f"#{before + result.number} {result.what}: {refusal.code} {refusal.message}"


@decision(
    "impulse-letter",
    rule="6.1",
    answer=Letter,
    standing={
        "ask": tuple[Point, ...],
        "auto_reorg": dict[str, AutoReorg],
        "action": dict[str, str | dict[str, str]],
        "atr": Literal["yes", "no"],
    },
    facts=("before", "impulse"),
)
class ImpulseLetter(Growing[Letter]):
    """What do your powers do in this impulse?"""

    player: str
    before: str
    impulse: int
    skips = True

    def subject(self) -> tuple[str | int, ...]:
        return (self.before,)

    def draft(self, game: Game) -> Writing:
        return Writing(game, self.player, self.before)

    def default(self, game: Game) -> Letter:
        return Letter()

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn

    @fact
    def side(self, game: Game) -> str:
        return T.of(game).phasing or ""
