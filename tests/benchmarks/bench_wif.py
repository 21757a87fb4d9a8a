"""A large war of `wif`: 3,000 counters on two sheets of 100 x 50 hexes with 80 sea areas, and how it grows.

Measured: the set-up, a whole impulse stage with 300 orders, what one unit may do (`pbem orders legal`), the
check of 300 orders with everything in words (`pbem orders check`), supply of all units, the saved state.
"""

from __future__ import annotations

import sys
import zlib
from itertools import islice
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.model.state import dump
from pbem.rules import Drafting, Entry, Game, Part, from_json, to_json
from pbem.systems.wif.decisions.letters import ImpulseLetter
from pbem.systems.wif.entries import Moves, Wish
from pbem.systems.wif.pieces import T, Unit, side_units, units
from pbem.systems.wif.plans import Plan
from pbem.systems.wif.sources import Supply
from tests.benchmarks.big_system import BigSystem
from tests.benchmarks.big_wif import Size, big_system
from tests.benchmarks.timing import best, plot, row

SIZES = (Size(20, 12, 4, 2, 200), Size(50, 25, 10, 4, 800), Size(100, 50, 10, 8, 3000))
ORDERS = 300


def opened(system: BigSystem) -> Outcome:
    """The war when the first impulse letter is asked for."""
    outcome = adjudicate(system, start(system, "big"), Inputs(0, seed=bytes(32)))
    for stage in range(1, 4):
        if any(q.kind == "impulse-letter" for q in outcome.pending):
            return outcome
        replies = {q.party: {q.key: Reply({})} for q in outcome.pending}
        outcome = adjudicate(system, outcome.state, Inputs(stage, replies, seed=bytes(32)))
    raise AssertionError([q.key for q in outcome.pending])


def asked(outcome: Outcome) -> tuple[ImpulseLetter, str]:
    (question,) = [q for q in outcome.pending if q.kind == "impulse-letter"]
    return ImpulseLetter(question.party, **question.fields), question.key  # type: ignore[arg-type]


def letter(game: Game, decision: ImpulseLetter, orders: int) -> Any:
    """A letter of so many orders: half moves, half entries of reorganization lists."""
    drafting: Drafting[Any] = Drafting(decision, game)
    draft: Any = drafting.draft
    for power in draft.powers:
        drafting.offer(Part("action", Entry(power, "land")))
    made = 0
    for u in list(side_units(draft.game, draft.side)):
        if made >= orders // 2:
            break
        if u.print.arm == "land" and not u.at_sea and not u.down:
            way = next(iter(draft.steps.impulse.land.ways(u)), None)
            if way is not None and not drafting.offer(Part("i", Moves(u.id, way[0]))):
                made += 1
    for power in draft.powers:
        wishes: list[Wish] = []
        for u in units(draft.game, power):
            if len(wishes) >= orders // 2 // len(draft.powers):
                break
            if u.down and isinstance(draft.books().judge(power, Wish(u.id)), Plan):
                wishes.append(Wish(u.id))
        drafting.offer(Part("reorganize", Entry(power, tuple(wishes))))
    return drafting.json()


def measure(size: Size, runs: int) -> float:
    """Seconds of a stage, printed with the rest."""
    system = big_system(size)
    print(f"  -- 2 x {size.columns} x {size.rows} hexes, {size.areas} sea areas, {size.units} units")
    row("setting the game up", best(lambda: start(system, "big"), runs))
    outcome = opened(system)
    decision, key = asked(outcome)
    game = game_of(system, outcome.state, outcome.position)
    side = T.of(game).phasing or ""

    def supplied() -> int:
        supply = Supply(game, side)
        return sum(supply.in_supply(u) for u in side_units(game, side))

    row("who of a side is in supply", best(supplied, runs))
    mover = next(
        u.id for u in side_units(game, side) if u.print.arm == "land" and not u.at_sea and not u.down
    )

    def legal() -> int:
        drafting: Drafting[Any] = Drafting(decision, game)
        for power in drafting.draft.powers:
            drafting.offer(Part("action", Entry(power, "land")))
        return sum(1 for _ in drafting.next(mover))

    row("what one unit may do", best(legal, runs))
    answer = letter(game, decision, ORDERS)
    typed = Drafting(decision, game).form
    given = from_json(decision.answer, answer)
    count = sum(1 for _ in typed.elements(given))
    row(f"check of a letter of {count} elements", best(lambda: decision.check(game, given), runs))
    row("the same letter in words, with all methods", best(lambda: decision.words(game, given), runs))
    replies = {decision.player: {key: Reply(answer)}}
    work = Inputs(9, replies, seed=bytes(32))
    stage = best(lambda: adjudicate(system, outcome.state, work), runs)
    after = adjudicate(system, outcome.state, work)
    assert not after.diagnostics, after.diagnostics[:3]
    row(f"the stage of that impulse ({len(after.told)} events)", stage)
    text = dump(after.state.to_json()).encode()
    told = "".join(str(to_json(one.event)) for one in after.told).encode()
    packed = len(zlib.compress(text))
    print(f"  state {len(text) // 1000} kB, packed {packed // 1000} kB; events {len(told) // 1000} kB")
    assert Unit(game, mover).there and list(islice(after.told, 1))
    return stage


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    costs = [(size, measure(size, 1 if smoke else 2)) for size in sizes]
    plot("a stage, by size", [(f"{size.units} units", seconds) for size, seconds in costs])


if __name__ == "__main__":
    main("--smoke" in sys.argv)
