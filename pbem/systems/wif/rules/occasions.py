"""4.6: A reorganization occasion: its beginning, its lists entry by entry, its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.rules import Board, dataclass

from .carrying import activate, carry
from .choosing import automatic
from .conditions import BadCondition, holds
from .entries import AutoReorg, Way, Wish
from .pieces import Occasion, T, acting, side_units
from .plans import Plan, Refusal
from .reorganize import Reorganizer
from .world import world_of

At = Callable[[str], None]
STEP = {
    "hq": "2",
    "limited": "3",
    "primary": "5",
    "rail": "6",
    "secondary": "7",
    "supply_unit": "8",
    "trs": "9",
    "at_sea": "10",
}


@dataclass(frozen=True)
class Done:
    """An entry that was carried out.

    With `flag` the unit was shattered and only lost its flag. With `auto` a standing order chose.
    """

    number: int
    plan: Plan
    flag: bool = False
    auto: bool = False


@dataclass(frozen=True)
class Failed:
    """An entry that was skipped."""

    number: int
    refusal: Refusal
    what: str = ""


@dataclass(frozen=True)
class Activated:
    """A supply unit that makes a headquarters primary."""

    number: int
    unit: str
    hq: str


Outcome = Done | Failed | Activated


def begin(board: Board, side: str, *, final: bool) -> Occasion:
    """p.0: Begin an occasion with fresh counts, and set the pools to the rates."""
    t, world = T.of(board), world_of(board)
    powers = world.sides[side]
    for power in world.power_order:
        if power in powers or not final:
            t.pool[power] = t.rate.get(power, 0)
    part = f"F.{side}" if final else f"I{t.impulse}.{side}"
    if final:
        t.cleared = ()
    return Occasion.begin(board, id=f"T{t.turn}.{part}", side=side, final=final)


def ensure(board: Board) -> Occasion:
    """Return the open occasion, or begin one if a step is played alone."""
    if Occasion.begun(board):
        return Occasion.of(board)
    t = T.of(board)
    return begin(board, t.phasing or next(iter(world_of(board).sides)), final=t.final)


def close(board: Board) -> None:
    """p.12: Close the occasion. Points that are left are lost."""
    t = T.of(board)
    for power in world_of(board).power_order:
        t.pool[power] = 0
    Occasion.of(board).end()


def may_file(board: Board, power: str) -> bool:
    """4.5.3, 4.6.17: Return True if this power may reorganize now."""
    t, world = T.of(board), world_of(board)
    passed = t.action.get(power, "pass") == "pass"
    return t.final or not passed or bool(world.options.get("pass_reorganizes"))


def fliers(board: Board, side: str) -> list[str]:
    """Return the powers that may fly transports: all in the final step, else those that act."""
    world, t = world_of(board), T.of(board)
    return [p for p in world.power_order if world.side_of[p] == side] if t.final else acting(board, side)


def work_through(
    r: Reorganizer,
    payer: str,
    wishes: Sequence[Wish],
    auto: AutoReorg | None,
    at: At | None = None,
    *,
    labels: list[str] | None = None,
) -> Iterator[Outcome]:
    """4.0.3: Work through a list from top to bottom. Illegal entries are skipped and reported.

    `labels` are those of earlier entries, and grow.
    """
    labels = [] if labels is None else labels
    for number, wish in enumerate(wishes, 1):
        if wish.then is not None:
            if auto is not None:
                for plan, flag in automatic(r, payer, auto):
                    yield Done(number, plan, flag, auto=True)
            continue
        try:
            if not holds(r.board, wish.if_, tuple(labels)):
                continue
            yield from _entry(r, payer, number, wish, labels, at)
        except BadCondition as bad:
            yield Failed(number, Refusal("bad-condition", str(bad)))


def _entry(
    r: Reorganizer, payer: str, number: int, wish: Wish, labels: list[str], at: At | None
) -> Iterator[Outcome]:
    """Carry out the first legal alternative of one entry."""
    ways: list[Way] = (
        [w for w in wish.first if holds(r.board, w.if_, tuple(labels))] if wish.first else [wish]
    )
    first: Failed | None = None
    for way in ways:
        outcome = _one(r, payer, number, way, at)
        if not isinstance(outcome, Failed):
            labels += [label for label in (wish.label, way.label) if label]
            yield outcome
            return
        first = first or outcome
    if first is not None:
        yield first


def _one(r: Reorganizer, payer: str, number: int, way: Way, at: At | None) -> Outcome:
    if way.activate is not None:
        hq = activate(r, payer, way)
        return (
            Failed(number, hq, way.activate)
            if isinstance(hq, Refusal)
            else Activated(number, way.activate, hq)
        )
    plan = r.judge(payer, way)
    if isinstance(plan, Refusal):
        return Failed(number, plan, way.unit or "")
    if at is not None:
        at(step_of(r, payer, plan))
    return Done(number, plan, carry(r, plan))


def still_down(board: Board, power: str) -> tuple[str, ...]:
    """Return the face-down units of a power."""
    side = world_of(board).side_of[power]
    return tuple(u.id for u in side_units(board, side) if u.owner == power and u.down)


def counters(board: Board) -> dict[str, str]:
    """4.10: Return the counts of the occasion for the report."""
    o = Occasion.of(board)
    texts: dict[str, str] = {}
    for hex, n in o.oil.items():
        texts[f"{hex}/factories"] = str(n)
    for hex, n in o.corps.items():
        texts[f"{hex}/corps"] = str(n)
    for hex, n in o.slots.items():
        texts[f"{hex}/slots"] = str(n)
    for name, counts in (("hq", o.hq), ("supply_unit", o.hq_supply), ("secondary", o.secondary)):
        for id, used in counts.items():
            texts[f"{id}/{name}"] = str(used)
    for hex, n in o.limited.items():
        texts[f"{hex}/limited"] = str(n)
    return texts


def step_of(r: Reorganizer, payer: str, plan: Plan) -> str:
    """Return the step of 11.18 in which a plan succeeds. Chits and isolation have their own."""
    if plan.repair:
        return "4"
    if plan.oos:
        return "5b"
    if plan.isolated and plan.via == "primary":
        return "5a"
    if plan.halved:
        return "11"
    return STEP[plan.via]
