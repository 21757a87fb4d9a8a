"""A leaf of many small decisions, each with a die and an event: what answering costs, and what going through
them again costs when the stage stops behind them.

The peer is the least that a replay must do: the canonical JSON of what was answered and told, hashed. Below
it what follows a stage: its facts and its saved state.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from pbem import rules as r
from pbem.engine.adjudicate import Outcome, adjudicate, facts, start
from pbem.engine.answers import Inputs
from pbem.model.events import Event
from pbem.model.state import dump
from pbem.text.canonical import dumps
from tests.benchmarks.timing import best_processor, growth, row
from tests.unit.engine.duel import Guard

SIZES = (1000, 3000, 10_000)
SEED = bytes(32)
HOW_MANY = 0


@r.event(rule="1.2", to="public")
class Signalled(Event):
    """One small thing happened."""

    number: int
    die: r.Roll


@r.decision("signal", rule="1.2", answer=str, secrecy="open")
class Signal(r.Decision[str]):
    """Which flag goes up?"""

    player: str
    number: int

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: r.Game) -> Iterator[r.Option]:
        yield r.Option("red", "red")
        yield r.Option("white", "white")

    def default(self, game: r.Game) -> str:
        return "white"

    def waits(self, game: r.Game) -> bool:
        return False


@r.procedure("signals", rule="1.0")
async def signals(game: r.Game, phasing: str | None) -> None:
    """1.2 One flag after another; then a question that is waited for."""
    for number in range(HOW_MANY):
        await r.ask(Signal("red", number))
        game.emit(Signalled(number, await r.roll("1d6", "signal", number)))
    await r.ask(Guard("red"))


def system() -> r.System:
    made = r.System("signals", "tests.unit.engine.duel", "1", 1, [__name__])
    made._data |= {"sequence.yaml": {"id": "A", "do": [{"leaf": "signals"}]}, "system.yaml": {}}
    return made


def played(decisions: int) -> tuple[r.System, Outcome]:
    """A game that has come to its question behind so many decisions."""
    global HOW_MANY
    HOW_MANY = decisions
    made = system()
    return made, adjudicate(made, start(made, "yard"), Inputs(0, seed=SEED))


def again(made: r.System, outcome: Outcome) -> Outcome:
    """A stage in which nobody answers: everything is gone through once more."""
    return adjudicate(made, outcome.state, Inputs(1, seed=SEED))


def least(outcome: Outcome) -> None:
    chain = hashlib.sha256()
    for told in outcome.told:
        chain.update(dumps(told.event))
    assert outcome.state.open is not None
    for entry in outcome.state.open.journal:
        chain.update(dumps(entry))
        chain.hexdigest()


def measure(decisions: int, runs: int) -> float:
    """Seconds of going through so many decisions again."""
    made, outcome = played(decisions)
    once_more = best_processor(lambda: again(made, outcome), runs)
    bare = best_processor(lambda: least(outcome), runs)
    first = best_processor(lambda: played(decisions), runs)
    row(f"{decisions} decisions, dice and events, the first time", first)
    row("  gone through again", once_more, bare, "hashing them once more")
    row("  facts of the stage", best_processor(lambda: list(facts(made, outcome)), runs))
    row("  state as text", best_processor(lambda: dump(outcome.state.to_json()), runs))
    return once_more


def main(smoke: bool = False) -> None:
    sizes = SIZES[:1] if smoke else SIZES
    points = [(float(decisions), measure(decisions, 1 if smoke else 3)) for decisions in sizes]
    if len(points) > 1:
        print(f"  going through again grows with the decisions to the power of {growth(points):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
