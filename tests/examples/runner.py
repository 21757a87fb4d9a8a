"""Runs worked examples written as data (docs/architecture.md, "Example files"). Refuses keys it does not
know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.adjudicate import game_of, start, view_of
from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import from_json, to_json
from pbem.model.facts import may_know

TOP = {
    "example", "rule", "why", "given", "play", "phasing", "orders", "standing", "dice", "forfeits", "expect",
    "check", "options", "compute",
}  # fmt: skip
GIVEN = {"scenario", "options", "only", "remove", "counters", "tracks"}
EXPECT = {
    "counters", "gone", "tracks", "events", "refused", "asked", "view", "repaired", "options", "not_options",
}  # fmt: skip


def examples(system: System) -> Iterator[tuple[str, dict[str, Any]]]:
    """All examples of a system as (name, data)."""
    for name in system.files("examples/*.yaml"):
        for data in system.data(name):
            yield f"{system.name}: {data['example']}", data


def run(system: System, example: Mapping[str, Any]) -> list[str]:
    """Everything in which the rules differ from the example; an empty list is a pass."""
    unknown = (
        set(example) - TOP
        | (set(example.get("given", {})) - GIVEN)
        | (set(example.get("expect", {})) - EXPECT)
    )
    if unknown:
        return [f"the runner does not know the keys {sorted(unknown)}"]
    if not example.get("expect") and "compute" not in example:
        return ["the example expects nothing"]
    game = prepare(system, example.get("given", {}))
    faults: list[str] = []
    if "play" in example:
        faults += _play(game, example)
    if "check" in example:
        faults += _check(game, example)
    if "options" in example:
        faults += _options(game, example)
    if "compute" in example:
        assert system.example_hook is not None, f"{system.name} computes nothing in examples"
        faults += system.example_hook(game, example["compute"])
    return faults


def prepare(system: System, given: Mapping[str, Any]) -> Game:
    """The position that an example starts from."""
    names = system.scenarios()
    state = start(system, given.get("scenario", names[0]), given.get("options", {}))
    game = game_of(system, state)
    if "only" in given:
        for counter in sorted(set(game.position.counters) - set(given["only"])):
            game.position.remove(counter)
    for counter in given.get("remove", []):
        game.position.remove(counter)
    for counter, fields in given.get("counters", {}).items():
        if counter in game.position.counters:
            fields = {**game.position.counters[counter], **fields}
            game.position.remove(counter)
        game.position.add(counter, dict(fields))
    for track, value in given.get("tracks", {}).items():
        now = game.tracks.get(track)
        game.tracks[track] = {**now, **value} if isinstance(now, dict) and isinstance(value, dict) else value
    return game


def _play(game: Game, example: Mapping[str, Any]) -> list[str]:
    source = ScriptedSource(
        example.get("orders", {}),
        example.get("dice", []),
        example.get("standing", {}),
        example.get("forfeits", []),
    )
    played = play(game, example["play"], source, example.get("phasing"))
    faults = [f"dice left over: {source.leftover()}"] if source.leftover() else []
    faults += [f"never asked: {name}" for name in source.unused_orders()]
    expect = example["expect"]
    if "asked" not in expect and played.pending:
        faults.append(f"still waits for {[(q.party, q.kind) for q in played.pending]}")
    if "refused" not in expect and played.diagnostics:
        faults.append(f"refused: {[(p, d.code, d.message) for p, d in played.diagnostics]}")
    return faults + _compare(game, expect, played)


def _compare(game: Game, expect: Mapping[str, Any], played: Played) -> list[str]:
    faults: list[str] = []
    for counter, fields in expect.get("counters", {}).items():
        have = game.position.counters.get(counter)
        faults += [f"{counter} is not on the map"] if have is None else _subset(have, fields, counter)
    for counter in expect.get("gone", []):
        if counter in game.position.counters:
            faults.append(f"{counter} is still on the map: {game.position.counters[counter]}")
    faults += _subset(game.tracks, expect.get("tracks", {}), "tracks")
    faults += _events([told.event for told in played.told], expect.get("events", []))
    if "refused" in expect:
        codes = [d.code for _, d in played.diagnostics]
        if codes != list(expect["refused"]):
            faults.append(f"refused {codes}, expected {expect['refused']}")
    if "asked" in expect:
        asked: dict[str, list[str]] = {}
        for question in played.pending:
            asked.setdefault(question.party, []).append(question.kind)
        if asked != expect["asked"]:
            faults.append(f"asked {asked}, expected {expect['asked']}")
    for player, wanted in expect.get("view", {}).items():
        facts = view_facts(game, player)
        for key, value in wanted.items():
            if facts.get(key) != value:
                faults.append(f"{player} sees {key} as {facts.get(key)!r}, expected {value!r}")
    return faults


def view_facts(game: Game, player: str) -> dict[str, Any]:
    """What a player may know of this position."""
    return {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, player)}


def _subset(have: Any, want: Any, where: str) -> list[str]:
    if isinstance(want, dict) and isinstance(have, dict):
        return [
            fault for key, value in want.items() for fault in _subset(have.get(key), value, f"{where}.{key}")
        ]
    return [] if have == want else [f"{where} is {have!r}, expected {want!r}"]


def _events(told: list[dict[str, Any]], wanted: list[Any]) -> list[str]:
    rest = iter(told)
    for want in wanted:
        pattern = {"event": want} if isinstance(want, str) else want
        if not any(not _subset(event, pattern, "") for event in rest):
            return [f"no event {want} in this order among {[event['event'] for event in told]}: {told}"]
    return []


def _decision(game: Game, data: Mapping[str, Any]) -> Any:
    return game.system.decision(data["decision"], data["player"], data.get("fields", {}))


def _check(game: Game, example: Mapping[str, Any]) -> list[str]:
    check = example["check"]
    if "as" in check:
        facts = view_facts(game, check["as"])
        state = start(game.system, example.get("given", {}).get("scenario", game.system.scenarios()[0]))
        state.options = dict(game.options)
        game = view_of(game.system, state, facts, check["as"])
    decision = _decision(game, check)
    expect = example["expect"]
    found = faults_of(game, decision, check["answer"])
    codes = [fault.code for fault in found]
    faults = []
    if codes != list(expect.get("refused", [])):
        faults.append(
            f"refused {[(d.code, d.message, d.path) for d in found]}, expected {expect.get('refused', [])}"
        )
    if "repaired" in expect:
        left = to_json(decision.repair(game, from_json(decision.answer, check["answer"])))
        faults += [] if left == expect["repaired"] else [f"repaired to {left}, expected {expect['repaired']}"]
    return faults


def _options(game: Game, example: Mapping[str, Any]) -> list[str]:
    asked = example["options"]
    decision = _decision(game, asked)
    so_far = from_json(decision.answer, asked["so_far"]) if "so_far" in asked else None
    legal = [option.answer for option in decision.options(game, so_far)]
    expect = example["expect"]
    faults = [
        f"{want} is not among the legal answers: {legal[:40]}"
        for want in expect.get("options", [])
        if want not in legal
    ]
    return faults + [
        f"{bad} is among the legal answers" for bad in expect.get("not_options", []) if bad in legal
    ]
