"""A large war of `wif`: 3,000 counters on two sheets of 100 x 50 hexes with 80 sea areas, and how it grows.

Measured in the process: the set-up, a whole impulse stage with 300 orders, what one unit may do, the check of
300 orders with everything in words, supply of all units, the saved state. Measured as whole commands by mail:
`orders check` of a letter of 300 orders (goal 2 s), `orders legal` of a unit (0.3 s), the stage (2 s), the
size of the mails (300 kB). How `verify` and the repository grow: `bench_wif_campaign`, and over hundreds of
stages at this size `long_wif_campaign`. All seconds are of processor.
"""

from __future__ import annotations

import sys
import tempfile
import zlib
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.archive import adjudicate as run_stage
from pbem.archive import order_file, sign_orders
from pbem.cli.games.table import Table
from pbem.cli.games.telling import renderer
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.model.state import dump
from pbem.rules import Drafting, Entry, Game, Part, from_json, to_json
from pbem.systems.wif.rules.decisions.impulse_letter import ImpulseLetter
from pbem.systems.wif.rules.entries import Moves, Wish
from pbem.systems.wif.rules.pieces import T, Unit, side_units, units
from pbem.systems.wif.rules.plans import Plan
from pbem.systems.wif.rules.sources import Supply
from pbem.text.flow import flow
from pbem.text.writing import thrown_away
from tests.benchmarks.big_system import BigSystem
from tests.benchmarks.big_wif import LARGE, SMALL, Size, big_system, command, installed
from tests.benchmarks.timing import best_processor as best
from tests.benchmarks.timing import plot, row

SIZES = (SMALL, Size(50, 25, 10, 4, 800), LARGE)
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
    told = best(lambda: decision.explained(game, given), runs)
    row("check, doubts and words of it, with all methods", told)
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


def by_mail(size: Size, runs: int) -> None:
    """Whole commands of a player who sends a letter of so many orders, of the GM who runs it; their mails."""
    with tempfile.TemporaryDirectory() as scratch, installed(size) as system, thrown_away():
        table = Table(Path(scratch), system, "big", seed="mail", ahead=False)
        table.sit_down("By mail")
        for seat in table.players:
            seat.brain = lambda game, asked, rng: {}
        while not (asked := [s for s in table.players if _asked_for_an_impulse(s.folder)]):
            table.play_stage()
        (seat,) = asked
        root, folder, view = seat.root, seat.folder, seat.folder.view()
        (question,) = order_file.questions(folder)
        decision: Any = view.system.decision(question.kind, question.party, question.fields)
        written = letter(view.game, decision, ORDERS)
        unit = written["i"][0]["unit"]
        head = f'game: "{folder.need_roster().game[:12]}"\nstage: {folder.progress.open_stage}\nanswers:\n'
        begun = flow({"action": written["action"]})
        legal = _least(runs, size, root, "orders", "legal", unit, "--after", begun)
        row(f"pbem orders legal {unit} (goal 300 ms)", legal)
        said = f"{head}  {question.key}: {flow(written)}\n"
        (root / "orders.yaml").write_text(said)
        check = _least(runs, size, root, "orders", "check", str(root / "orders.yaml"))
        row(f"pbem orders check of {ORDERS} orders (goal 2 s)", check)
        checked = order_file.check(folder, order_file.load(folder, said.encode(), "orders.yaml"))
        sent = table.post(sign_orders(folder, checked, seat.signer))
        for other in table.seats.values():
            other.take(sent)
        gm = table.gm.folder
        mails = table.post(run_stage(gm, table.gm.signer, render=renderer()).written)
        for what, found in (("letter", sent), ("report", mails)):
            size_of = max(path.stat().st_size for path in found)
            print(f"  mail with the {what} of {ORDERS} orders (goal 300 kB): {size_of / 1000:.0f} kB")


def _asked_for_an_impulse(folder: Any) -> bool:
    return any(one.kind == "impulse-letter" for one in order_file.questions(folder))


def _least(runs: int, size: Size, root: Path, *words: str) -> float:
    return min(command(size, root, *words) for _ in range(runs))


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    costs = [(size, measure(size, 1 if smoke else 2)) for size in sizes]
    plot("a stage, by size", [(f"{size.units} units", seconds) for size, seconds in costs])
    by_mail(sizes[-1], 1 if smoke else 2)


if __name__ == "__main__":
    main("--smoke" in sys.argv)
