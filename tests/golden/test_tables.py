"""What a player reads at `pbem table`: a practice game of each system, its questions, what may be answered,
why a click is wrong, and the pages around it.

Questions, first options and reasons are there as text, everything else as digests. If a difference is meant,
run `pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.pins import WORDS
from pbem.engine.system import find
from tests.cli.conftest import _here as _here
from tests.cli.test_board import Sitting
from tests.golden.digests import digest, page
from tests.nightly import IN_CI

SEATS = {"ocs": "bren", "totaler-krieg": "axis", "victory": "red", "wbts": "south", "wif": "allied"}
PAGES = ("", "orders", "desk", "letters", "standing", "settings", "trust", "post")
QUICK, LONG = ("totaler-krieg", "victory", "wbts"), pytest.mark.long
"""Others take some seconds."""
PARTS = ("first", "second", "pages")
ANSWERS, CLICKS = 3, 3
PASSING = ("tag", "digests", "file", "letters", "link")
"""What hangs on the folder and on the time of day."""

OTHERS_MADE = ("made:", "map ", "signs:")
"""Parts of pages: digests of this one game, and what `test_pictures.py` has."""


def lasting(value: Any) -> Any:
    """Return data without what no two games have alike."""
    if isinstance(value, dict):
        return {key: lasting(inner) for key, inner in value.items() if key not in PASSING}
    return [lasting(one) for one in value] if isinstance(value, list) else value


def short(value: Any) -> str:
    return digest(json.dumps(lasting(value), sort_keys=True))[:8]


class Walk:
    """A player who looks at everything, answers, signs, and looks again."""

    def __init__(self, root: Path, system: str) -> None:
        self.at = Sitting(root, system, SEATS[system])
        self.rules = find(system).digest
        self.made: dict[str, str] = {}

    def part(self, name: str) -> str:
        """Return a part; those before it are made first, once."""
        for each in PARTS:
            if each not in self.made:
                self.made[each] = "".join(f"{line}\n" for line in getattr(self, each)())
            if each == name:
                break
        return self.made[name]

    def first(self) -> Iterator[str]:
        yield from self.stage()

    def second(self) -> Iterator[str]:
        self.at.post("nothing")
        signed = self.at.sign()
        yield f"signed {signed.get('signed')} {short(signed)}"
        yield from self.stage()

    def pages(self) -> Iterator[str]:
        yield f"news {short(self.at.get('news?since=0'))}"
        for name in PAGES:
            said = self.at.visitor.ask("GET", f"/g/{self.at.name}/{name}").text
            for passing in (self.rules, str(self.at.place.home), self.at.name):
                said = said.replace(passing, "")
            lines = [line for line in page(WORDS.sub("", said)) if not line.startswith(OTHERS_MADE)]
            yield from (f"{name or 'report'}: {line}" for line in lines)

    def stage(self) -> Iterator[str]:
        now = self.at.get("now")
        yield f"stage {now['stage']}: now {short(now)} board {short(self.at.get('board'))}"
        for _ in range(ANSWERS):
            row = self.at.next()
            question = row["question"]
            yield f"{question['text'] if question else (row['ends'] or {}).get('text')}: {short(row)}"
            if question is None:
                return
            yield from self.question(question["key"], row["options"])

    def question(self, key: str, options: list[dict[str, Any]]) -> Iterator[str]:
        """Yield what may be answered, why other clicks are wrong, and what an answer leads to."""
        of = self.at.post("options", key=key, units="all")
        yield f"  options {short(options)}, of counters {short(of)}"
        listed = [one for each in of["of"].values() for one in each] or options
        yield from (f"  may: {one['text']}" for one in listed[:2])
        game = self.at.folder.view().game
        chart = game.system.map_of(game.world)
        places = [] if chart is None else [chart.number(one) for one in chart.locations][::7]
        for number, unit in enumerate([*of["of"]][:CLICKS]):
            to = places[number % len(places)]
            why = self.at.post("why", key=key, at=unit, to=to)
            reasons = "; ".join(one["message"] for one in why["reasons"])
            yield f"  {unit} to {to}: {reasons} {short(why)}"
            yield f"  odds {short(self.at.post('odds', key=key, target=to, units=[unit]))}"
            yield f"  {unit}: {short([self.at.post('counter', at=unit), self.at.post('past', at=unit)])}"
        unit = next((unit for unit, each in of["of"].items() if each), None)
        chosen = (of["of"][unit] if unit else options)[-1:]
        for one in chosen:
            said = self.at.post("choose", key=key, at=unit, number=one["number"], text=one["text"])
            yield f"  chosen {one['text']}: {short(said)}"
            yield f"  after {short(self.at.post('after', key=key))}"


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Walk]:
    return cache(lambda system: Walk(tmp_path_factory.mktemp(system), system))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "system", [pytest.param(one, marks=IN_CI if one in QUICK else LONG) for one in SEATS]
)
def test_the_table_of_a_practice_game_says_what_it_said(
    system: str, part: str, walks: Callable[[str], Walk], golden: Callable[[str, str], None]
) -> None:
    golden(f"{system}-table-{part}.txt", walks(system).part(part))
