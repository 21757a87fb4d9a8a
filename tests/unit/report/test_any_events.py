"""Events of a stranger's archive may hold anything: what is made of them neither fails nor prints badly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report import situation
from pbem.report.composing.compose import compose
from pbem.report.language import language
from pbem.report.plain import width
from pbem.report.reader import Meta, View
from pbem.report.text import render
from pbem.report.whole import stats_text
from pbem.report.whole.stats import Asking, Seen, stats
from pbem.report.wording import Wording
from tests.unit.report.happenings import KNOWN, FoughtDearly

WORDS = st.sampled_from(["north", "0101", "fought", "3", "{hits}", "\u202e", "<b>", "\x1b[31m", "a, b", ""])
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-3, 10**6), WORDS)
JSON = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
ROLL = st.fixed_dictionaries(
    {"label": st.lists(PLAIN, max_size=3), "result": st.lists(PLAIN, max_size=3)},
    optional={"dice": st.one_of(JSON, st.just("2d6")), "stage": PLAIN, "hidden": PLAIN},
)
EVENT = st.fixed_dictionaries(
    {"event": st.one_of(st.sampled_from(["fought", "moved", "fell-back", "hurt", "won", "?"]), JSON)},
    optional={
        "at": JSON, "rule": JSON, "attacker": JSON, "hits": JSON, "rating": JSON, "roll": ROLL,
        "owner": JSON, "result": JSON, "path": JSON, "block": JSON, "steps": JSON, "hex": JSON,
        "destination": JSON, "table": JSON, "modifiers": JSON, "odds": JSON,
    },
)  # fmt: skip


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(EVENT, max_size=4), lang=st.sampled_from(["en", "de"]))
def test_reports_figures_and_sentences_are_made_of_anything(
    events: list[dict[str, Any]], lang: str, view: View, meta: Meta
) -> None:
    values = {"{a} {b}": "{b} {a}", "north": "Nord"} if lang == "de" else {}
    words = {**view.wording.sections, "values": values}
    known = {**KNOWN, "fought": FoughtDearly}
    seen = replace(view, wording=Wording(words, language(lang)), events=known)
    told = [Told(PUBLIC, event, n) for n, event in enumerate(events)]
    report = compose("north", told, seen, meta)
    figures = stats([Seen(4, told, seen, [Asking("north", "bid")])], ["north", "south"])
    text = "\n".join([render(report), *situation.render(report), stats_text.render(figures, seen, "x", "y")])
    assert all(width(line) <= 72 and line.isprintable() for line in text.split("\n"))
    assert "\u202e" not in text
