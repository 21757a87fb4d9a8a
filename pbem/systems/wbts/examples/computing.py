"""Facts of worked examples that are no decisions: values, chains, totals (keys under `compute:`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.kit import computed as kit
from pbem.rules import Game, Message

from ..rules.chain import chain
from ..rules.command.forces import force, modified
from ..rules.pieces import Board, leader, world_of
from ..rules.victory import score


def computed(game: Game, wanted: Mapping[str, Any]) -> list[str]:
    """Return all differences between the rules and an example's computations."""
    faults: list[str] = []
    for name, values in wanted.items():
        if name == "entry":
            faults += kit.computed(game, {name: values}, {name: kit.entry})
            continue
        faults += [f"{name}: {fault}" for fault in FACTS[name](game, values)]
    return faults


def _modified(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """4.3.3: Yield faults of `modified: {leader: [initiative, span]}`."""
    for who, wanted in values.items():
        value = modified(leader(board, who))
        if [value.initiative, value.span] != wanted:
            yield Message(
                "wbts.computing.has",
                who=who,
                initiative=value.initiative,
                span=value.span,
                wanted=str(wanted),
            )


def _force(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """4.3.3: Yield faults of `force: {leader: [ids]}`."""
    for who, wanted in values.items():
        total = force(leader(board, who))
        if sorted(total) != sorted(wanted):
            yield Message(
                "wbts.computing.leads", who=who, found=str(sorted(total)), wanted=str(sorted(wanted))
            )


def _chain(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """4.11: Yield faults of `chain: {side: {reached: [hexes], not: [hexes]}}`."""
    for side, wanted in values.items():
        leaders = chain(board, side)
        missing = [hex for hex in wanted.get("reached", []) if hex not in leaders]
        extra = [hex for hex in wanted.get("not", []) if hex in leaders]
        if missing:
            yield Message("wbts.computing.does-not-reach", side=side, missing=str(missing))
        if extra:
            yield Message("wbts.computing.reaches", side=side, extra=str(extra))
        if "exactly" in wanted and sorted(leaders) != sorted(wanted["exactly"]):
            yield Message("wbts.computing.reaches", side=side, extra=str(sorted(leaders)))


def _score(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """10.7: Yield faults of `score: {side: total}`."""
    for side, wanted in values.items():
        points = score(board, side)
        if points.total != wanted:
            yield Message("wbts.computing.has-wanted", side=side, found=points, wanted=wanted)


def _results(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """5.4: Yield faults of `results: {"table, row, ratio": cell}`."""
    for at, wanted in values.items():
        table, row, ratio = map(int, at.split(", "))
        result = world_of(board).tables.result(table, ratio, row).value
        if result != wanted:
            yield f"{at} is {result}, wanted {wanted}"


def _needs(board: Board, values: Mapping[str, Any]) -> Iterator[str]:
    """5.3: Yield faults of `needs: {"strength points, die, table": supply points}`."""
    for at, wanted in values.items():
        points, die, table = map(int, at.split(", "))
        needed = world_of(board).tables.need(points, die, table).value
        if needed != wanted:
            yield Message("wbts.computing.needs", at=at, found=str(needed), wanted=str(wanted))


FACTS: dict[str, Callable[[Any, Mapping[str, Any]], Iterator[str]]] = {
    "modified": _modified,
    "force": _force,
    "chain": _chain,
    "score": _score,
    "results": _results,
    "needs": _needs,
}
