"""Games that hide something, and the same games with other secrets: what the tests of blindness compare.

A system that is to be looked at says in `GAMES` which game shows its secrets, and what may be changed in it
that a reader cannot know; everything else is the same for all.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import renderer, report_view
from pbem.engine.adjudicate import Outcome, facts
from pbem.engine.system import System, find
from pbem.model.events import Told
from pbem.model.facts import GM_ONLY, PUBLIC, may_know
from pbem.report import situation
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.html import render as as_page
from pbem.report.svg.picture import svg
from pbem.report.text import render as as_text
from pbem.report.whole import stats_text
from pbem.report.whole.stats import Seen, stats
from pbem.stages.views import PlayerView, told_to

Changed = Callable[[Outcome, str | None, random.Random], Iterator[Outcome]]


@dataclass(frozen=True)
class Hiding:
    """A game between sensible players; `changed` gives it with other secrets of those who are not the viewer.
    `shown` changes something that the first reader may know and the second may not."""

    system: System
    scenario: str
    options: tuple[tuple[str, Any], ...]
    readers: tuple[str, str]
    length: int
    changed: Changed
    shown: Callable[[Outcome], Outcome]

    def views(self, outcome: Outcome, reader: str | None) -> PlayerView:
        """What a reader is told at the end of a stage."""
        known = {f.key: f.value for f in facts(self.system, outcome) if may_know(f.audience, reader)}
        events = [told.event for told in outcome.told if told.audience == PUBLIC]
        played = self.system.as_played(outcome.state.options)
        chosen = " ".join(f"{name}={_word(value)}" for name, value in self.options)
        return PlayerView(played, f"{self.scenario} {chosen}", reader, 7, known, told_to(events, known))  # type: ignore[arg-type]

    def report(self, outcome: Outcome, reader: str | None) -> str:
        """His report."""
        view = self.views(outcome, reader)
        return renderer()(reader, view.told, view, _META | {"asked": _asked(outcome)})

    def every_form(self, outcome: Outcome, reader: str | None) -> dict[str, str]:
        """The same as text, as data, as a page with its map, as a drawing, in sentences and figures, and in
        German."""
        view = self.views(outcome, reader)
        facts_: dict[str, object] = {**_META, "asked": _asked(outcome), "seed": "5e" * 32}
        seen = report_view(view)
        made = compose(reader, view.told, seen, meta_from(reader, view, facts_, seen.wording))
        told = [item.event for item in made.items]
        figures = stats([Seen(7, [one for one in view.told if one.event in told], seen)], made.view.players)
        german = report_view(view, "de")
        translated = compose(reader, view.told, german, meta_from(reader, view, facts_, german.wording))
        return {
            "text": as_text(made),
            "json": json.dumps(as_json(made)),
            "html": as_page(made),
            "svg": svg(made),
            "sentences": "\n".join(situation.render(made)),
            "figures": stats_text.render(figures, seen, "A game", "x"),
            "German": as_text(translated),
        }


_META: dict[str, Any] = {"title": "A game", "game": "ab" * 32, "stage": 7, "head": "cd" * 32}


def _asked(outcome: Outcome) -> dict[str, list[str]]:
    return {question.party: [question.key] for question in outcome.pending}


def _word(value: Any) -> str:
    return str(value).lower()


@cache
def course(name: str) -> tuple[Stage, ...]:
    """The first stages of one of the games."""
    game = GAMES[name]
    played = stages(game.system, game.scenario, dict(game.options), "rowan", clever)
    return tuple(islice(played, game.length))


def with_secrets(outcome: Outcome, viewer: str | None) -> Outcome:
    """The same with private events of others, and of the GM, among what was told."""
    other = next(seat for seat in outcome.state.players if seat != viewer)
    secret: dict[str, Any] = {"event": "something-secret", "rule": "0", "owner": other, "at": "here"}
    return replace(outcome, told=(Told((other,), secret, 0), *outcome.told, Told(GM_ONLY, secret, 0)))


def ocs_changed(outcome: Outcome, viewer: str | None, rng: random.Random) -> Iterator[Outcome]:
    """Other stocks, losses and loads of what the viewer cannot look at, more T in dumps, other plans."""
    others = [
        (id, fields)
        for id, fields in sorted(outcome.position.counters.items())
        if fields["owner"] != viewer and fields["kind"] not in ("ship", "aircraft", "extender")
    ]
    for id, fields in rng.sample(others, min(3, len(others))):
        position = outcome.position.copy()
        if fields["kind"] == "transport":
            position.set(id, load=3)
        else:
            position.set(id, internal="exhausted", fuelled=True, last_trace="ate")
        yield replace(outcome, position=position)
    position = outcome.position.copy()
    dumps: Any = position.tracks["dumps"]
    position.tracks["dumps"] = {
        hex: dump | {"t": dump["t"] + 5} if dump["owner"] != viewer else dump for hex, dump in dumps.items()
    }
    if viewer != "aster":
        position.tracks["plans"] = {"A-1P": {"hex": "12.06", "turn": 4}}
    yield replace(outcome, position=position)


def ocs_shown(outcome: Outcome) -> Outcome:
    position = outcome.position.copy()
    for id, fields in sorted(position.counters.items()):
        if fields["owner"] == "aster" and fields["kind"] == "infantry_type" and fields.get("hex"):
            position.set(id, internal="exhausted", fuelled=True, lost=1)
    dumps: Any = position.tracks["dumps"]
    position.tracks["dumps"] = {
        hex: dump | {"t": dump["t"] + 5} if dump["owner"] == "aster" else dump for hex, dump in dumps.items()
    }
    return replace(outcome, position=position)


def wbts_changed(outcome: Outcome, viewer: str | None, rng: random.Random) -> Iterator[Outcome]:
    """Other strengths under counters that the viewer cannot look at."""
    hidden = [
        id
        for id, fields in sorted(outcome.position.counters.items())
        if fields["side"] != viewer and fields["type"] in ("infantry", "militia", "supply_train", "depot")
    ]
    for id in rng.sample(hidden, min(3, len(hidden))):
        position = outcome.position.copy()
        position.set(id, sp=1 + (int(str(position.counters[id]["sp"])) + 1) % 4, supply=9)
        yield replace(outcome, position=position)


def wbts_shown(outcome: Outcome) -> Outcome:
    position = outcome.position.copy()
    position.set("U-1D", sp=1 + int(str(position.counters["U-1D"]["sp"])) % 4)
    return replace(outcome, position=position)


GAMES = {
    "ocs": Hiding(
        find("ocs"), "crossing_the_tol", (("fow", "gm"),), ("aster", "bren"), 60, ocs_changed, ocs_shown
    ),
    "wbts": Hiding(
        find("wbts"), "marl_crossings", (("limited_intelligence", True),), ("north", "south"), 40,
        wbts_changed, wbts_shown,
    ),
}  # fmt: skip
