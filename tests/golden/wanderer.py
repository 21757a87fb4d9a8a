"""A wanderer: answers questions of any system with legal options, rare kinds as often as common ones, and
tells what the rules made of it, as data.

What is told holds ids and fields of messages and not their words, so that a sentence may be reworded.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from pbem.bot.answers import DeadEnd
from pbem.engine.answers import ScriptedSource
from pbem.engine.decisions import Decision, NoDefault, Option
from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.growing import Growing, Next
from pbem.engine.play import Played, play
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import from_json, to_json
from pbem.report import situation
from pbem.report.text import render
from pbem.rules import Json
from pbem.testing.runner import played_of, prepare
from pbem.testing.said import report_of
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message, as_data
from pbem.trust.dice import roll, shuffle

Part = tuple[str, Json]
"""A part of what is told: its name, and what it was."""
LISTED = 30
"""Options that are told of one question, and elements among which the wanderer chooses."""
ELEMENTS = 4
"""Elements of an answer, at most."""
BENT = 2
"""Illegal answers to a question, at most: the check says why."""


class Luck(ScriptedSource):
    """The answers of an example and of a wanderer, with dice that follow from a seed."""

    def __init__(
        self, example: Mapping[str, Any], answers: Mapping[str, Mapping[str, Json]], seed: bytes
    ) -> None:
        orders = {party: dict(given) for party, given in example.get("orders", {}).items()}
        for party, given in answers.items():
            orders.setdefault(party, {}).update(given)
        super().__init__(orders, (), example.get("standing", {}), example.get("forfeits", ()))
        self.seed = seed

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int]:
        return roll(dice, self.seed, label)

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any]:
        return shuffle(items, self.seed, label)


def plain(value: Any) -> Any:
    """Return a value as data: a message by its id and fields, a dataclass by its fields."""
    if isinstance(value, Message):
        return as_data(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Fraction):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    return value if isinstance(value, str | int | bool | None) else str(value)


def fault(one: Diagnostic) -> Json:
    said: Json = [one.code, plain(one.message), one.rule, list(one.path), plain(one.notes), plain(one.help)]
    return said


# ---- answers


def choose(game: Game, decision: Decision[Any], rng: random.Random) -> Json:
    """Return a legal answer in which rare kinds of elements are as likely as common ones."""
    if not isinstance(decision, Growing):
        listed = list(islice(decision.options(game), LISTED))
        if not listed:
            raise DeadEnd(decision.kind)
        return rng.choice(listed).answer
    drafting = Drafting(decision, game)
    sent = drafting.json() if drafting.complete else None
    for _ in range(rng.randint(1, ELEMENTS) if sent is not None else 60):
        element = rare(drafting, rng)
        if element is None:
            break
        drafting.add(element)
        if drafting.complete:
            sent = drafting.json()
    if sent is None:
        raise DeadEnd(decision.kind)
    return sent


def rare(drafting: Drafting[Any], rng: random.Random) -> Next[Any] | None:
    """Return a next element: a kind is drawn first, then one of it."""
    kinds: dict[str, list[Next[Any]]] = {}
    for each in islice(drafting.next(), LISTED):
        kinds.setdefault(shape(plain(drafting.written(each.element))), []).append(each)
    return rng.choice(kinds[rng.choice(sorted(kinds))]) if kinds else None


def shape(value: Any) -> str:
    """Return what kind of element this is: its keys, whatever stands there."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{shape(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + (shape(value[0]) if value else "") + "]"
    return type(value).__name__


def bent(game: Game, answer: Json, rng: random.Random) -> Json:
    """Return an answer with one value changed: another counter, another place, a number more or less."""
    ways = list(leaves(answer, ()))
    if not ways:
        return answer
    way, value = rng.choice(ways)
    return put(answer, way, other(game, value, rng))


def leaves(value: Json, way: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Json]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*way, key))
    elif isinstance(value, list):
        for key, each in enumerate(value):
            yield from leaves(each, (*way, key))
    elif not isinstance(value, bool | None):
        yield way, value


def put(value: Any, way: tuple[Any, ...], new: Json) -> Any:
    if not way:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = put(copy[way[0]], way[1:], new)
    return copy


def other(game: Game, value: Json, rng: random.Random) -> Json:
    if isinstance(value, int):
        return value + rng.choice((1, -1))
    position = game.position
    if value in position.counters:
        return rng.choice(position.ids())
    places = sorted({str(position.hex(id)) for id in position.ids()})
    return rng.choice(places) if places else value


# ---- what is told


def asked(game: Game, decision: Decision[Any], seed: str, answers: list[Json]) -> Iterator[Part]:
    """Tell all about one question: options, default, what is checked of good and bad answers."""
    rng = random.Random(seed)
    yield "options", listing(islice(decision.options(game), LISTED))
    try:
        yield "default", plain(to_json(decision.default(game)))
    except NoDefault as none:
        yield "default", plain(none.args)
    yield "known", plain(decision.known(game))
    yield "ahead", [[one.kind, plain(one.fields_json())] for one in decision.ahead(game)]
    yield "beside", [plain(one) for one in decision.beside(game)]
    yield "waits", decision.waits(game)
    for answer in list(answers):
        answers += [bent(game, answer, rng) for _ in range(BENT)]
    for answer in answers:
        yield "judged", judged(game, decision, answer, faults_of(game, decision, answer))


def listing(options: Iterable[Option]) -> Json:
    return [[plain(one.answer), plain(one.text), one.complete, plain(one.points)] for one in options]


def judged(game: Game, decision: Decision[Any], answer: Json, found: list[Diagnostic]) -> Json:
    """Tell what is checked of an answer: its faults and what is left of it, or its words and warnings."""
    if found:
        said: list[Json] = [plain(answer), [fault(one) for one in found]]
        try:
            said.append(plain(to_json(decision.repair(game, from_json(decision.answer, answer)))))
        except Exception as none:
            said.append(type(none).__name__)
        return said
    told = decision.explained(game, from_json(decision.answer, answer))
    return [plain(answer), [plain(line) for line in told.words], [fault(one) for one in told.doubts]]


def result(game: Game, played: Played) -> Iterator[Part]:
    """Tell what was played: events, position, facts, questions, refusals."""
    yield "events", [[list(one.audience), one.event] for one in played.told]
    yield "position", plain(game.position.to_json())
    yield "facts", sorted([one.key, plain(one.value), list(one.audience)] for one in game.system.facts(game))
    yield "asked", [plain(one.to_json()) for one in played.pending]
    yield "refused", [[party, fault(one)] for party, one in played.diagnostics]


def wander(system: System, example: Mapping[str, Any], seed: str, asks: int) -> Iterator[Part]:
    """Play the part of the outline of an example with other dice, and answer what is asked."""
    dice = seed.encode().ljust(32, b"-")[:32]
    answers: dict[str, dict[str, Json]] = {}
    for n in range(asks + 1):
        game = prepare(system, example.get("given", {}))
        played = play(game, example["play"], Luck(example, answers, dice), example.get("phasing"))
        if n == asks or not played.pending:
            yield from result(game, played)
            return
        for question in played.pending:
            decision = system.decision(question.kind, question.party, question.fields)
            answer = choose(game, decision, random.Random(f"{seed}/{n}/{question.key}"))
            yield from asked(game, decision, f"{seed}/{n}", [answer])
            answers.setdefault(question.party, {})[question.key] = answer


WAYS = {"dice": 1, "answers": 2}
"""How to wander on from an example that is played: with its orders and other dice, or without its orders; and
how many questions are answered at most. Other ways: from the `question` that an example checks or lists, what
the report of it says (`told`), and what the system says of its events and decisions (`declared`)."""
OWN = ("orders", "standing", "forfeits")


def wandered(system: System, example: Mapping[str, Any], way: str) -> Iterator[Part]:
    """Tell what comes of an example on one of the ways; nothing on a way that it does not have."""
    if way == "declared":
        yield from declared(system)
    elif way == "told":
        yield from said(system, example)
    elif way == "question":
        for name in ("check", "options"):
            if name in example:
                yield from questioned(system, example.get("given", {}), example[name])
    elif "play" in example:
        left_out = OWN if way == "answers" else ()
        given = {key: value for key, value in example.items() if key not in left_out}
        yield from wander(system, given, way, WAYS[way])


def questioned(system: System, given: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[Part]:
    """Tell all about the question of an example: its own answer, one of the wanderer's, and bent ones."""
    game = prepare(system, given)
    decision = system.decision(data["decision"], data["player"], data.get("fields", {}))
    answers = [data["answer"]] if "answer" in data else []
    yield from asked(
        game, decision, "question", [*answers, choose(game, decision, random.Random("question"))]
    )


def declared(system: System) -> Iterator[Part]:
    """Tell what the classes of events and decisions say beside their fields."""
    for kind, event in sorted(system.registry.events.items()):
        yield kind, [event.rule, event.to, event.owned_by, list(event.tells), dict(event.costs)]
    for kind, decision in sorted(system.registry.decisions.items()):
        yield (
            kind,
            [decision.rule, decision.secrecy, list(decision.fact_fields), sorted(decision.known_facts())],
        )


def said(system: System, example: Mapping[str, Any]) -> Iterator[Part]:
    """Tell the report of a played example as text, and the map in sentences, for each reader."""
    played = played_of(system, example)
    for reader in (None, *played[0].players) if played else ():
        assert played is not None
        report = report_of(*played, reader)
        yield f"report-{reader or 'public'}", list(render(report).split("\n\n"))
        yield f"map-{reader or 'public'}", list(situation.render(report))


def told_of(system: System, example: Mapping[str, Any], way: str) -> Iterator[Part]:
    """Tell the same; a way that breaks off ends with its reason."""
    try:
        yield from wandered(system, example, way)
    except Exception as broken:
        yield "broken", f"{type(broken).__name__} {broken}"
