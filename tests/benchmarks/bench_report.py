"""The report of a stage in which much happened: composed, as text, as JSON, as a page. How each grows.

What happened is that of a sample game, over and over: in the phases in which it happened, and all in one. Two
exponents are 1 where every event costs the same, however many there are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import Outcome, facts, start
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report import data, html, text
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta
from pbem.report.structure import Report
from pbem.stages.views import PlayerView
from tests.benchmarks.timing import best_processor, growth, row

SAMPLES = Path(__file__).parents[2] / "sample_games"
GAMES = (("wbts-marl-crossings", "wbts", "marl_crossings"), ("victory-sarn-strait", "victory", "sarn_strait"))
COUNTS = (1000, 2000, 4000, 8000)


def happened(sample: str) -> list[dict[str, Any]]:
    """All public events of a sample game."""
    files = sorted((SAMPLES / sample / "stages").glob("*/events.json"))
    return [event for path in files for event in json.loads(path.read_bytes())]


def over_and_over(events: list[dict[str, Any]], count: int, one_phase: bool) -> Iterator[Told]:
    """So many of them, each roll with a label of its own."""
    for n in range(count):
        event = dict(events[n % len(events)])
        for name, value in event.items():
            if isinstance(value, dict) and "label" in value:
                event[name] = {**value, "label": [*value["label"], n]}
        if one_phase:
            event["at"] = events[0].get("at", "")
        yield Told(PUBLIC, event, n)


def composed(view: PlayerView, told: list[Told], meta: Meta) -> Report:
    return compose(None, told, report_view(view), meta)


def main(smoke: bool = False) -> None:
    for sample, name, scenario in GAMES[:1] if smoke else GAMES:
        system, events = find(name), happened(sample)
        state = start(system, scenario)
        known = facts(system, Outcome(state, state.position, (), (), (), (), None))
        view = PlayerView(system, scenario, None, 1, {fact.key: fact.value for fact in known}, ())
        for one_phase in (False, True):
            points: dict[str, list[tuple[float, float]]] = {}
            for count in (20, 40) if smoke else COUNTS:
                told = list(over_and_over(events, count, one_phase))
                meta = Meta("War", "0" * 64, name, 1, "")
                made = composed(view, told, meta)
                works = {
                    "composed": partial(composed, view, told, meta),
                    "as text": partial(text.render, made),
                    "as JSON": partial(data.as_json, made),
                    "as a page": partial(html.render, made),
                }
                for what, work in works.items():
                    points.setdefault(what, []).append((float(count), best_processor(work)))
            where = "all in one phase" if one_phase else "in their phases"
            for what, found in points.items():
                row(f"{name}, {found[-1][0]:.0f} events {where}, {what}", found[-1][1])
                if not smoke:
                    print(f"  grows with the events to the power of {growth(found):.2f}")


if __name__ == "__main__":
    main("--smoke" in sys.argv)
