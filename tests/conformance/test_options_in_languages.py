"""What may be answered is told whole in every language: no option is half translated, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from pbem.cli.shell import language
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.installed import entry_points
from pbem.engine.system import System, find
from pbem.testing.conformance.translations import _proper
from pbem.testing.examples import examples
from pbem.testing.playing import asked_at_start
from pbem.testing.runner import prepare
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message, in_language, languages
from pbem.text.translating import translated
from tests.nightly import IN_CI

MOST, EXAMPLES = 200, 60
# words of English that no other language has, in what an option says
ENGLISH = re.compile(
    r"\b(the|of|for|next|and|with|to|from|at|nobody|nothing|no|not|then|by|into|or|as|is|are|on|hex|hexes|step"
    r"|steps|turn|unit|units|season)\b"
)
OTHERS = languages()[1:]


def texts(decision: Decision[Any], game: Game) -> Iterator[str]:
    """What the options of a decision say, with what they cost and risk."""
    options = decision.options(game, None) if isinstance(decision, Growing) else decision.options(game)
    for option in islice(options, MOST):
        yield option.text
        if option.points.text:
            yield option.points.text


def asked(system: System) -> Iterator[tuple[Decision[Any], Game]]:
    for scenario in system.scenarios():
        yield from ((decision, view) for decision, _, view in asked_at_start(system, scenario))
    named = (one for _, one in examples(system) if one.get("options") or one.get("check"))
    for example in islice(named, EXAMPLES):
        question = example.get("options") or example["check"]
        game = prepare(system, example.get("given", {}))
        yield system.decision(question["decision"], question["player"], question.get("fields", {})), game


def half(text: str, known: Mapping[str, str], code: str = "de") -> str | None:
    """What becomes of a text that is not told whole; None for one that is."""
    if isinstance(text, Message):
        told = in_language(text, code, lambda word: translated(word, known))
    else:
        told = translated(text, known)
    plain = told == text and re.search(r"[a-z]{3,} [a-z]{3,}", text) is not None
    return told if ENGLISH.search(told) or plain else None


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=IN_CI) for name in sorted(entry_points("pbem.systems"))]
)
@pytest.mark.parametrize("code", OTHERS)
def test_every_option_is_told_whole(name: str, code: str) -> None:
    system = find(name)
    known = {**system.wording_in(code).get("values", {}), **language.words(code)}
    places = [name for one in system.scenarios() for name in _proper(system.scenario(one)) if " " in name]
    found: dict[str, str] = {}
    for decision, game in asked(system):
        try:
            said = list(texts(decision, game))
        except Refused:  # an example of a position in which nothing may be answered
            continue
        halves = ((text, half(text, known, code)) for text in said)
        found |= {
            text: told
            for text, told in halves
            if told is not None and (told == text or ENGLISH.search(_without(told, places)))
        }
    assert not found, "\n".join(f"{text}\n    {told}" for text, told in islice(found.items(), 20))


def _without(text: str, names: Iterable[str]) -> str:
    """A text with X in place of names that have several words, such as Gulf of Bothnia."""
    for name in names:
        text = text.replace(name, "X")
    return text


def test_a_half_translated_option_would_be_seen() -> None:
    known = {"{a} to {b}": "{a} nach {b}", "down": "verdeckt"}
    assert half("U-1 to 0405", known) is None
    assert half("card down for the next season", known)
