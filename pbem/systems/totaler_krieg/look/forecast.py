"""4.13: Forecast of an attack, by each face of the die, to its end; and its account."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.kit.courses import courses
from pbem.kit.fights import Sent, expect, first_of, why
from pbem.kit.odds import chances_of
from pbem.rules import Decision, End, Forecast, Fought, Game, Message, dataclass

from ..rules.decisions.combat import begin_segment
from ..rules.decisions.defence import NOBODY, AttackerChoice, DefenderHq, Hold
from ..rules.fighting import AD, EX, Fight, hard
from ..rules.losing import Force
from ..rules.orders import Attack
from ..rules.pieces import Piece, T, maybe_piece, piece, pieces, put, send, world_of
from ..rules.procedures.faction_turn import enter_faction_turn
from ..rules.stacking_check import check_stacks
from ..rules.strength import Assault, heads, markers_in
from ..rules.world import World

_Known = dict[tuple[str, bool, bool], list[tuple[Fraction, End, tuple[int, int], set[str]]]]
LOST = ("step-lost", "overstacked")


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """4.13: Yield what an attack of these units brings, an HQ among them as their support.

    In a Blitz, if they can make one, then as a regular attack. Without any named, all beside the hex attack.

    Attacks are resolved in the answer that orders them, so none is announced. `orders check` tells the odds
    of each.
    """
    world = world_of(game)
    if place is None or place not in world.index:
        return
    if isinstance(attackers, Sent):
        first = maybe_piece(game, next(iter(attackers), None))
        if first is not None:
            order = replace(attackers.order, advance=None, exploit=())
            yield _forecast(Assault(game.copy(), first.owner, order, attackers.segment))
        return
    named = [unit for id in sorted(attackers) if (unit := maybe_piece(game, id)) is not None]
    named = [unit for unit in named if unit.role == "ground" and unit.steps in unit.print.faces]
    for power in sorted({unit.owner for unit in named}) if attackers else world.factions:
        own = [unit for unit in named if unit.owner == power] if attackers else _beside(game, power, place)
        units = tuple(unit.id for unit in own if unit.type != "hq")
        if units:
            hq = next((unit.id for unit in own if unit.type == "hq"), None)
            order = Attack("A", place, units, hq if attackers else None)
            blitz = _in_segment(game, power, order, "blitz")
            if not blitz.faults():
                yield _forecast(blitz)
            yield _forecast(_in_segment(game, power, order, "regular"))


def _beside(game: Game, power: str, place: str) -> list[Piece]:
    """Return the units that could attack a hex alone, odds apart."""
    near = {place, *world_of(game).beside(place)}
    own = (unit for unit in pieces(game, power, "map") if unit.role == "ground" and unit.hex in near)
    return [unit for unit in own if _able(game, power, Attack("A", place, (unit.id,)))]


def _able(game: Game, power: str, order: Attack) -> bool:
    faults = _in_segment(game, power, order, "regular").faults()
    return all(fault.code == "E-ATK-11" for fault in hard(faults))


def _in_segment(game: Game, power: str, order: Attack, segment: str) -> Assault:
    """Return an attack on a board as it is when it is made.

    Of another faction's turn, or before the regular attacks begin, what was used and attacked counts no more
    (4.18).
    """
    board, t = game.copy(), T.of(game)
    if t.begun.rpartition("/")[2] != power:
        T.of(board).begun = ""
        enter_faction_turn(board, power)
    elif segment == "regular" and not any(unit.attacked_regular for unit in pieces(game, power, "map")):
        begin_segment(board)
    return Assault(board, power, order, segment)


def _forecast(assault: Assault) -> Forecast:
    """4.13: Return the forecast by the default answers of both sides, and by others that change it."""
    odds = _head(assault) if assault.defenders else ""
    faults = hard(assault.faults())
    if faults:
        return Forecast(assault.target, _sides(assault), faults[0].message, odds)
    able, best = [hq.id for hq in assault.eligible_hqs()], assault.default_hq()
    unseen, known = set[str](), _Known()
    main, others = _case(assault, _Answers(best), known, unseen), list[Forecast]()
    for answers, case in _other_answers(able, best):
        other_case = replace(_case(assault, answers, known), case=case)
        if (other_case.ends, other_case.losses) not in [
            (forecast.ends, forecast.losses) for forecast in (main, *others)
        ]:
            others.append(other_case)
    taken = [Message("totaler-krieg.forecast.in-blitz")] if assault.blitz else []
    if {other.case for other in others} & {_support(hq) for hq in (None, *able)}:
        taken.append(_support(best))
    if unseen:
        taken.append(Message("totaler-krieg.forecast.no-stand-in", units=tuple(sorted(unseen))))
    conditions = Message("totaler-krieg.forecast.case", conditions=tuple(taken)) if taken else ""
    return replace(main, others=tuple(others), case=conditions)


def _support(hq: str | None) -> Message:
    """4.13.2: Return which HQ the defender involves, as a condition."""
    return Message("totaler-krieg.forecast.support", hq=hq or "")


@dataclass(frozen=True)
class _Answers:
    """The answers to the questions of a fight that are not the default.

    The defender's HQ, a step of the attackers instead of their retreat, steps of the defenders instead of
    theirs.
    """

    hq: str | None
    stand: bool = False
    hold: bool = False

    def matter(self, result: str) -> tuple[str, bool, bool]:
        """4.13.6: Return a printed result with the answers that change its effect."""
        return result, self.stand and result[:2] in (AD, EX), self.hold and result[:2] not in (AD, EX)

    def __call__(self, game: Game, decision: Decision[Any]) -> Any:
        """Return the answer to a question."""
        if isinstance(decision, DefenderHq):
            return self.hq or NOBODY
        if isinstance(decision, AttackerChoice) and self.stand:
            return "loss"
        if isinstance(decision, Hold) and self.hold:
            return decision.most
        return decision.default(game)


def _other_answers(able: Sequence[str], best: str | None) -> Iterator[tuple[_Answers, Message]]:
    """4.13.2, 4.13.6, 4.24: Yield other answers with their condition, those of the attackers first."""
    yield _Answers(best, stand=True), Message("totaler-krieg.forecast.stand")
    for hq in (None, *able):
        if hq != best and able:
            yield _Answers(hq), _support(hq)
    yield _Answers(best, hold=True), Message("totaler-krieg.forecast.hold")


def _sides(assault: Assault) -> tuple[tuple[str, str], tuple[str, str]]:
    markers = markers_in(assault.ground, assault.target, assault.faction)
    other = assault.defender or next((marker.owner for marker in markers), "")
    return (assault.faction, str(assault.attack)), (other, str(assault.defence))


def _head(assault: Assault) -> str:
    return str(heads(assault.world)[assault.final()])


def _case(assault: Assault, answers: _Answers, known: _Known, unseen: set[str] | None = None) -> Forecast:
    """4.13.5: Return the forecast of an attack with these answers.

    Each printed result is fought to its end once, and is as likely as the faces of the die that bring it.
    `known`: results that were fought with other answers; the defender's HQ changes the column and nothing
    behind it. `unseen`: gets the units that a counter of a Force Pool which the reader does not see may
    replace.
    """
    game, faction, order, segment = assault.board, assault.faction, assault.order, assault.segment
    assert isinstance(game, Game)
    assault.defender_hq = piece(game, answers.hq) if answers.hq is not None else None
    column, sides = assault.final(), _sides(assault)
    printed = _results(assault.world, column, assault.ground.weather(assault.target) or "")
    assault.defender_hq = None

    async def fight(board: Game) -> None:
        await Fight(board, faction, order, segment).run()
        await check_stacks(board)

    ways = list(chances_of(printed)) if assault.defenders else [("", Fraction(1))]
    fought = []
    for result, likely in ways:
        key = answers.matter(result)
        if key not in known:
            face = ((printed.index(result) + 1,),) if result else ()
            ended = courses(game, fight, answers, face)
            known[key] = [
                (chance, _end(a, assault), _lost(a, faction), _replaceable(a)) for chance, a in ended
            ]
        fought += [(likely * chance, end, lost) for chance, end, lost, _ in known[key]]
        if unseen is not None:
            unseen |= {unit for *_, units in known[key] for unit in units}
    ends, losses = expect(fought)
    return Forecast(
        assault.target,
        sides,
        "",
        str(heads(assault.world)[column]) if assault.defenders else "",
        chances_of(printed) if assault.defenders else (),
        ends=ends,
        losses=losses,
    )


def _replaceable(after: Game) -> set[str]:
    """4.25: Return units of others that were eliminated with more than one step.

    The reader may not know the counter that would stand in (7).
    """
    gone = [
        told_event.event
        for told_event in after.told
        if told_event.event["event"] in LOST and int(str(told_event.event["steps"])) > 1
    ]
    return {
        str(event["unit"]) for event in gone if after.viewer not in (None, after.seat(str(event["power"])))
    }


def _end(after: Game, assault: Assault) -> End:
    """Return how an attack ended, from the board after it."""
    ground = Assault(after, assault.faction, assault.order, assault.segment).ground
    events = [told_event.event for told_event in after.told]
    own = [unit for unit in ground.units(assault.target) if unit.owner == assault.faction]
    left = ground.enemies(assault.target, assault.faction)
    return _ended(assault.faction, bool(own), bool(left), _alive(after, assault.order.units, events), events)


def _alive(after: Game, units: Sequence[str], events: Sequence[Mapping[str, Any]]) -> bool:
    """4.25: Return True if an attacker, or a counter that stands in for one, is on the map."""
    stands_in = [str(event["instead"]) for event in events if event["event"] in LOST and event["instead"]]
    here = (maybe_piece(after, id) for id in (*units, *stands_in))
    return any(unit is not None and unit.spot == "map" for unit in here)


def _ended(power: str, entered: bool, stayed: bool, alive: bool, events: Sequence[Mapping[str, Any]]) -> End:
    """4.13.6, 4.13.8: Return the end of an attack by who is where."""
    if not stayed:
        return "taken" if entered else "cleared"
    if not alive:
        return "eliminated"
    back = any(event["event"] == "retreated" and event["power"] == power for event in events)
    return "repelled" if back else "held"


def _lost(after: Game, faction: str) -> tuple[int, int]:
    """4.25: Return how many steps attackers and defenders lost."""
    return _steps([told_event.event for told_event in after.told], faction)


def _steps(events: Sequence[Mapping[str, Any]], faction: str) -> tuple[int, int]:
    lost = [event for event in events if event["event"] in LOST]
    mine = sum(int(event["steps"]) for event in lost if event["power"] == faction)
    return mine, sum(int(event["steps"]) for event in lost) - mine


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.13: Return how an attack ended, from its events.

    None for one on markers alone, and for one in which somebody must still retreat or lose a step.
    """
    began = next((event for event in events if event["event"] == "attacked"), None)
    if began is None or _goes_on(began, events):
        return None
    hex, power, other = str(began["hex"]), str(began["power"]), str(began["defender"])
    losses = [event for event in events if event["event"] in LOST]
    instead = {str(loss["unit"]): str(loss["instead"]) for loss in losses}
    gone = {str(loss["unit"]) for loss in losses if not loss["left"] and not loss["instead"]}
    back = [event for event in events if event["event"] == "retreated"]
    went = {str(id) for event in back if event["power"] == other for id in event["units"]}
    here = {_now(str(id), instead) for id in began["defenders"]}
    came = {_now(str(id), instead) for id in began["units"]}
    stayed = here - gone - went
    entered = any(event["event"] == "advanced" and hex in event["path"] for event in events)
    end = _ended(power, entered, bool(stayed), bool(came - gone), events)
    reason = why(end, stayed=len(stayed), retreated=bool(went), eliminated=bool(here & gone))
    return Fought(hex, (power,), (other,), end, _steps(events, power), why=reason)


def _goes_on(began: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> bool:
    """4.13.6: Return True if a side that the result concerns has not retreated or lost a step yet."""
    power, other = str(began["power"]), str(began["defender"])
    acted = {str(event["power"]) for event in events if event["event"] in (*LOST, "retreated")}
    back = any(event["event"] == "retreated" and event["power"] == power for event in events)
    code = str(began["result"]).partition(" ")[0]
    concerned = {AD: {power}, EX: {power} if back else {power, other}}.get(code, {other})
    return not concerned <= acted


def _now(id: str, instead: Mapping[str, str]) -> str:
    """4.25: Return the counter that stands in for a unit, however often it was exchanged."""
    for _ in instead:
        id = instead.get(id) or id
    return id


def outlook(game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.13.5: Return the results that the die of an attack could have had.

    By its column and the weather. Both sides choose as they did; the position before it is gone: retreats
    count as open.
    """
    event, world = first_of(events, "attacked"), world_of(game)
    working = event.get("working") if event is not None else None
    column = working.get("column") if isinstance(working, Mapping) else None
    if event is None or column not in heads(world):
        return None
    results = _results(world, heads(world).index(str(column)), str(event.get("weather")))
    sides = ((str(event["power"]), str(event["strength"])), (str(event["defender"]), str(event["defence"])))
    board = _before(game, events, (*event["units"], *event["defenders"]), str(event["hex"]))
    forces = _Forces(board, tuple(event["units"]), tuple(event["defenders"]))
    chosen = _Chosen.by(events, sides[0][0], Force(board, forces.defenders).steps)
    ends, losses = expect((Fraction(1, len(results)), *chosen.brings(result, forces)) for result in results)
    return Forecast(
        str(event["hex"]),
        sides,
        Message("totaler-krieg.forecast.on-card"),
        str(column),
        chances_of(results),
        ends=ends,
        losses=losses,
    )


@dataclass(frozen=True)
class _Chosen:
    """The choices of a fight.

    The attackers lost a step instead of their retreat; the defenders retreated in an exchange, or lost steps
    for so many hexes of their retreat.
    """

    stand: bool
    gave: bool
    held: int

    @classmethod
    def by(cls, events: Sequence[Mapping[str, Any]], power: str, steps: int) -> _Chosen:
        """Return both sides' choices from the events, else the default for the defenders' steps."""
        made = {
            event["power"] == power: event["choice"] for event in events if event["event"] == "choice-made"
        }
        by_choice = Message("totaler-krieg.fighting.by-choice")
        held = [
            event["hexes"] for event in events if event["event"] == "converted" and event["why"] == by_choice
        ]
        gave = made.get(False, "loss" if steps > 1 else "retreat") == "retreat"
        return cls(made.get(True) == "loss", gave, sum(map(int, held)))

    def brings(self, result: str, forces: _Forces) -> tuple[End, tuple[int, int]]:
        """4.13.6: Return the end that a printed result brings where all retreats are open, and the losses."""
        code, _, losses = result.partition(" ")
        mine, theirs = map(int, losses.split("/"))
        unsure = code in (AD, EX)
        exchange, hexes = code == EX and self.stand, 0 if unsure else int(code[2:])
        mine += unsure and self.stand
        theirs += (exchange and not self.gave) + min(hexes, self.held)
        alive, stayed, lost = forces.after(mine, theirs)
        empty = not stayed or hexes > self.held or (exchange and self.gave)
        if not alive or (unsure and not self.stand):  # who retreated does not advance
            end: End = "cleared" if empty else "repelled" if alive else "eliminated"
        else:
            end = "taken" if empty else "held"
        return end, lost


@dataclass(frozen=True)
class _Forces:
    """The units of a fight, on a board that has them as strong as they were before it."""

    board: Game
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]

    def after(self, mine: int, theirs: int) -> tuple[bool, bool, tuple[int, int]]:
        """4.25: Return who is left after step losses of both sides, and the steps they cost."""
        board = self.board.copy()
        own, other = (
            Force(board, self.attackers, lambda unit: unit.print.armor_type),
            Force(board, self.defenders),
        )
        lost = tuple(
            sum(force.take(unit).steps for _ in range(n) if (unit := force.next([])))
            for force, n in ((own, mine), (other, theirs))
        )
        return bool(own), bool(other), (lost[0], lost[1])


def _before(game: Game, events: Sequence[Mapping[str, Any]], units: Sequence[str], hex: str) -> Game:
    """4.25: Return the board with the units of a fight as strong as they were before it.

    Where each of them was is not told; counters that stood in for them are in the Force Pool again.
    """
    board = game.copy()
    for event in reversed([event for event in events if event["event"] in LOST]):
        other, unit = maybe_piece(board, event["instead"]), maybe_piece(board, event["unit"])
        if other is not None:
            send(other, "pool")
        if unit is not None:
            put(unit, hex, int(event["left"]) + int(event["steps"]))
    for unit in map(maybe_piece, [board] * len(units), units):
        if unit is not None and unit.spot != "map":
            put(unit, hex, max(unit.print.faces))
    return board


def _results(world: World, column: int, weather: str) -> list[str]:
    """4.13.6: Return the results of a column, by the faces of the die; bad weather shortens retreats."""
    combat = world.combat
    results = [str(row[column]) for _, row in sorted(combat["results"].items(), key=lambda row: int(row[0]))]
    if weather not in combat["reduces_retreats"]:
        return results
    parts = [result.split(" ", 1) for result in results]
    return [" ".join([combat["weather_dr"].get(code, code), *losses]) for code, *losses in parts]
