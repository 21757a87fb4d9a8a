"""Parts of texts that an example expects in the report, for each reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.drawn import shapes_of
from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.facts import may_know
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.svg.look import Look
from pbem.report.text import render
from pbem.report.wording import Wording

EVERYBODY = "public"


def report_text_faults(game: Game, played: Played, expect: Mapping[str, Any]) -> list[str]:
    """Return faults of `says` and `not_says`: texts that the report must have or not have.

    A list is for the public report, lists by reader for several (`public` for that of everybody). Line breaks
    do not matter.
    """
    faults: list[str] = []
    for name in ("says", "not_says"):
        wanted = expect.get(name, {})
        for reader, texts in (wanted if isinstance(wanted, Mapping) else {EVERYBODY: wanted}).items():
            report = _on_one_line(report_text(game, played, None if reader == EVERYBODY else reader))
            for text in texts:
                if (_on_one_line(text) in report) != (name == "says"):
                    how = "does not say" if name == "says" else "says"
                    near = _nearest(text, report_text(game, played, None if reader == EVERYBODY else reader))
                    faults.append(f"the report of {reader} {how} {text!r}; nearest: {near}")
    return faults


def _nearest(text: str, report: str) -> str:
    """Return the lines of a report that share the most words with a text, at most three."""
    words = set(text.lower().split())
    lines = [line.strip() for line in report.splitlines()]
    ranked = sorted(lines, key=lambda line: -len(words & set(line.lower().split())))
    return " | ".join(ranked[:3])


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def report_text(game: Game, played: Played, reader: str | None) -> str:
    """Return the turn report as text, for a player or for everybody."""
    return render(report_of(game, played, reader))


def report_of(game: Game, played: Played, reader: str | None) -> Report:
    """Return the turn report, for a player or for everybody."""
    system = game.system
    known = {f.key: f.value for f in system.facts(game) if may_know(f.audience, reader)}
    position = system.view_position(known, reader or "", game.world)
    seen = Game(
        system, game.scenario, game.options, game.players, position, world=game.world, viewer=reader or ""
    )
    view = View(
        seen.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        look_from=lambda: Look(system.look),
        shapes_from=lambda: shapes_of(system, system.map_of(game.world)),
        areas_from=lambda: system.overlays(seen),
        printed_from=lambda: system.printed(seen),
        holders_from=lambda: system.holders(seen),
        sides_from=lambda: system.sides(seen),
        titles_from=lambda: system.titles(seen),
        background_from=lambda: system.background(seen),
        absent_from=lambda: system.absent(seen),
        outlook_from=lambda events: system.outlook(seen, events),
        fought_from=lambda events: system.fought(seen, events),
        events=system.registry.events,
        labels=system.labels(game.scenario),
    )
    meta = Meta(system.title, "", system.name, 1, game.place)
    return compose(reader, played.told, view, meta)
