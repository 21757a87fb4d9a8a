"""Runs worked examples written as data (`pbem.testing` describes the files)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pbem.engine.adjudicate import game_of, start, view_of
from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.play import Played, play
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import from_json, to_json
from pbem.model.facts import may_know
from pbem.testing.expecting import compare, refusals
from pbem.testing.said import said_faults

Example = Mapping[str, Any]


def run(system: System, example: Example) -> list[str]:
    """Return every difference between the rules and the example. An empty list is a pass."""
    if not example.get("expect") and "compute" not in example:
        return ["the example expects nothing"]
    given = example.get("given", {})
    game = prepare(system, given)
    faults = start_faults(game, given)
    if "play" in example:
        faults += _play(game, example)
    if "check" in example:
        faults += _check(game, example)
    if "options" in example:
        faults += _options(game, example)
    if "compute" in example:
        if system.example_hook is None:
            return [f"{system.name} computes nothing in examples: it has no example_hook"]
        faults += system.example_hook(game, example["compute"])
    return faults


def played_of(system: System, example: Example) -> tuple[Game, Played] | None:
    """Return the final position and the results of a played example, or None for any other."""
    if "play" not in example:
        return None
    game = prepare(system, example.get("given", {}))
    try:
        return game, play(game, example["play"], _source(example), example.get("phasing"))
    except ValueError:
        return None


def _source(example: Example) -> ScriptedSource:
    return ScriptedSource(
        example.get("orders", {}),
        example.get("dice", []),
        example.get("standing", {}),
        example.get("forfeits", []),
    )


def prepare(system: System, given: Mapping[str, Any]) -> Game:
    """Return the position from which an example starts."""
    names = system.scenarios()
    state = start(system, given.get("scenario", names[0]), given.get("options", {}))
    game = game_of(system, state)
    if "only" in given:
        for counter in sorted(set(game.position.counters) - set(given["only"])):
            game.position.remove(counter)
    for counter in given.get("remove", []):
        game.position.remove(counter)
    given = deepcopy(given)  # a game changes its input, and an example may run again
    for counter, fields in given.get("counters", {}).items():
        if counter in game.position.counters:
            fields = {**game.position.counters[counter], **fields}
            game.position.remove(counter)
        game.position.add(counter, {name: value for name, value in fields.items() if value is not None})
    for track, value in given.get("tracks", {}).items():
        now = game.tracks.get(track)
        game.tracks[track] = {**now, **value} if isinstance(now, dict) and isinstance(value, dict) else value
    return game


def start_faults(game: Game, given: Mapping[str, Any]) -> list[str]:
    """Return why an example may not start here.

    It breaks invariants without a reason (`breaks_invariants`), or gives a reason and breaks none.
    """
    broken = game.system.invariants(game)
    if not _changes_the_census(game, given):
        broken += game.system.census(game)
    if "breaks_invariants" in given:
        return [] if broken else ["breaks_invariants: the start position breaks none"]
    return [f"the start position breaks an invariant: {one}" for one in broken]


def _changes_the_census(game: Game, given: Mapping[str, Any]) -> bool:
    """Return True if counters are left out of the scenario or added to it."""
    begun = set(game.system.set_up(game.world, game.scenario, game.options).counters)
    return begun != set(game.position.counters) or "tracks" in given


def view_facts(game: Game, player: str | None) -> dict[str, Any]:
    """Return what a player may know of this position. None: what is public."""
    return {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, player)}


def _play(game: Game, example: Example) -> list[str]:
    source = _source(example)
    try:
        played = play(game, example["play"], source, example.get("phasing"))
    except ValueError as wrong:
        return [str(wrong)]
    faults = [f"dice left over: {source.leftover()}"] if source.leftover() else []
    faults += [f"never asked: {name}" for name in source.unused_orders()]
    expect = example["expect"]
    if "asked" not in expect and played.pending:
        faults.append(f"still waits for {[(q.party, q.kind) for q in played.pending]}")
    if "refused" not in expect and played.diagnostics:
        faults.append(f"refused: {[(p, d.code, d.message) for p, d in played.diagnostics]}")
    faults += compare(game, expect, played)
    for player, wanted in expect.get("view", {}).items():
        facts = view_facts(game, player)
        for key, value in wanted.items():
            if facts.get(key) != value:
                faults.append(f"{player} sees {key} as {facts.get(key)!r}, expected {value!r}")
    return faults + said_faults(game, played, expect)


def _decision(game: Game, data: Mapping[str, Any]) -> Any:
    return game.system.decision(data["decision"], data["player"], data.get("fields", {}))


def _check(game: Game, example: Example) -> list[str]:
    check = example["check"]
    if "as" in check:
        facts = view_facts(game, check["as"])
        state = start(game.system, example.get("given", {}).get("scenario", game.system.scenarios()[0]))
        state.options = dict(game.options)
        game = view_of(game.system, state, facts, check["as"])
    decision = _decision(game, check)
    expect = example["expect"]
    faults = refusals(faults_of(game, decision, check["answer"]), expect.get("refused", []))
    if "repaired" in expect:
        left = to_json(decision.repair(game, from_json(decision.answer, check["answer"])))
        faults += [] if left == expect["repaired"] else [f"repaired to {left}, expected {expect['repaired']}"]
    return faults


def _options(game: Game, example: Example) -> list[str]:
    asked = example["options"]
    decision = _decision(game, asked)
    so_far = from_json(decision.answer, asked["so_far"]) if "so_far" in asked else None
    options = decision.options(game, so_far) if isinstance(decision, Growing) else decision.options(game)
    legal = [option.answer for option in options]
    expect = example["expect"]
    faults = [
        f"{want} is not among the legal answers: {legal[:40]}"
        for want in expect.get("options", [])
        if want not in legal
    ]
    return faults + [
        f"{bad} is among the legal answers" for bad in expect.get("not_options", []) if bad in legal
    ]
