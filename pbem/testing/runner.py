"""Runs worked examples written as data (`pbem.testing` describes the files)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from copy import deepcopy
from dataclasses import fields as fields_of
from typing import Any

from pbem.engine.adjudicate import game_of, start, view_of
from pbem.engine.answers import ScriptedSource
from pbem.engine.decisions import Option
from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.play import Played, play
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import from_json, to_json
from pbem.model.facts import may_know
from pbem.testing.expecting import compare, refusals, subset
from pbem.testing.said import report_text_faults

Example = Mapping[str, Any]


def run(system: System, example: Example) -> list[str]:
    """Return every difference between the rules and the example. An empty list is a pass."""
    if not example.get("expect") and "compute" not in example:
        return ["the example expects nothing"]
    given = example.get("given", {})
    game = _begun(system, given)
    first = set(game.position.counters)
    _change(game, given)
    faults = start_faults(game, given, first)
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
    game = _begun(system, given)
    _change(game, given)
    return game


def _begun(system: System, given: Mapping[str, Any]) -> Game:
    """Return a game of the example's scenario before its first leaf."""
    scenario = given.get("scenario") or system.scenarios()[0]
    return game_of(system, start(system, scenario, given.get("options", {})))


def _change(game: Game, given: Mapping[str, Any]) -> None:
    """Change counters and tracks as the example says."""
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


def start_faults(game: Game, given: Mapping[str, Any], first: Set[str]) -> list[str]:
    """Return why an example may not start here; `first` are the counters of its scenario.

    It breaks invariants without a reason (`breaks_invariants`), or gives a reason and breaks none.
    """
    broken = game.system.invariants(game)
    # a census counts all counters of the scenario, so only where none was left out or added
    if first == set(game.position.counters) and "tracks" not in given:
        broken += game.system.census(game)
    if "breaks_invariants" in given:
        return [] if broken else ["breaks_invariants: the start position breaks none"]
    return [f"the start position breaks an invariant: {broken_one}" for broken_one in broken]


def view_facts(game: Game, player: str | None) -> dict[str, Any]:
    """Return a player's view of this position. None: the public view."""
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
    return faults + report_text_faults(game, played, expect)


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
    return faults + (_understood(game, decision, check["answer"], expect) if not faults else [])


def _understood(game: Game, decision: Any, answer: Any, expect: Mapping[str, Any]) -> list[str]:
    """Return every difference in what the check says of a legal answer: its words, and its warnings."""
    if not {"words", "not_words", "doubts"} & set(expect):
        return []
    explained = decision.explained(game, from_json(decision.answer, answer))
    faults = _word_faults(explained.words, expect)
    return faults + (refusals(list(explained.doubts), expect["doubts"]) if "doubts" in expect else [])


def _word_faults(lines: Iterable[str], expect: Mapping[str, Any]) -> list[str]:
    words = "\n".join(map(str, lines))
    faults = [
        f"{part!r} is not in the words: {words}" for part in expect.get("words", []) if part not in words
    ]
    return faults + [
        f"{part!r} is in the words: {words}" for part in expect.get("not_words", []) if part in words
    ]


def _options(game: Game, example: Example) -> list[str]:
    asked = example["options"]
    decision = _decision(game, asked)
    so_far = from_json(decision.answer, asked["so_far"]) if "so_far" in asked else None
    listed = list(_listed(game, decision, so_far, asked.get("of")))
    legal = [option.answer for option in listed]
    expect = example["expect"]
    faults = _word_faults((option.text for option in listed), expect)
    faults += [
        f"{want} is not among the legal answers: {legal[:40]}"
        for want in expect.get("options", [])
        if want not in legal
    ]
    faults += [f"{bad} is among the legal answers" for bad in expect.get("not_options", []) if bad in legal]
    if "options_exactly" in expect and not _alike(legal, expect["options_exactly"]):
        faults.append(f"the legal answers are {legal}, expected exactly {expect['options_exactly']}")
    for want in expect.get("offers", []):
        have = [_offer(option) for option in listed if option.answer == want["answer"]]
        if not any(not subset(option, want, "") for option in have):
            faults.append(f"offered {have}, expected {want}")
    return faults + _ahead(game, decision, expect)


def _alike(legal: list[Any], wanted: list[Any]) -> bool:
    return len(legal) == len(wanted) and all(option in legal for option in wanted)


def _listed(game: Game, decision: Any, so_far: Any, of: str | None) -> Iterable[Option]:
    """Return the options, or those alone that begin with a counter or are in a hex (`of`)."""
    if not isinstance(decision, Growing):
        return decision.options(game)  # type: ignore[no-any-return]
    if of is None:
        return decision.options(game, so_far)
    drafting = Drafting(decision, game, so_far)
    options = list(drafting.next(of))
    return [
        Option(drafting.json_with(option), option.text, option.complete, option.points) for option in options
    ]


def _offer(option: Option) -> dict[str, Any]:
    """Return an option as `offers` of an example names it: answer, complete, and its points."""
    points = {field.name: _plain(getattr(option.points, field.name)) for field in fields_of(option.points)}
    return {"answer": option.answer, "text": str(option.text), "complete": option.complete, **points}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _ahead(game: Game, decision: Any, expect: Mapping[str, Any]) -> list[str]:
    """Return every difference in whether a question waits, and in what may be asked after it."""
    faults = []
    if "waits" in expect and decision.waits(game) != expect["waits"]:
        faults.append(f"waits is {not expect['waits']}, expected {expect['waits']}")
    if "beside" in expect:
        beside = "\n".join(heading.line() for heading in decision.beside(game))
        faults += [
            f"{part!r} is not beside the question: {beside}"
            for part in expect["beside"]
            if part not in beside
        ]
    if "ahead" in expect:
        have = [{"decision": question.kind, **question.fields_json()} for question in decision.ahead(game)]
        if have != expect["ahead"]:
            faults.append(f"asked ahead {have}, expected {expect['ahead']}")
    return faults
