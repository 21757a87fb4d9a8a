"""What players read of events that no sample game has, in English and German: of each kind the first one that
a worked example of the rules tells, compared with files that somebody has read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pbem.cli.games.telling import words_of
from pbem.engine.game import Game
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.report.reader import View
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from tests.golden.test_samples import FOLDERS, LANGUAGES

FILES = Path(__file__).parent / "files"


def wanted(name: str) -> set[str]:
    """Return the kinds of events of a system that its sample game does not tell to a player."""
    shown = (FILES / f"{name}-sentences-en.txt").read_text("utf-8")
    return set(find(name).registry.events) - set(re.findall(r"^(\S+)$", shown, re.MULTILINE))


def chosen(name: str) -> dict[str, str]:
    """Return the example of each kind that the file names, so that a new example changes nothing."""
    path = FILES / f"{name}-examples-en.txt"
    text = path.read_text("utf-8") if path.exists() else ""
    return dict(re.findall(r"^(\S+): (.+)$", text, re.MULTILINE))


@cache
def told(name: str) -> dict[str, tuple[str, Game, Told]]:
    """Return the example that tells each of these kinds, the game after it, and the event."""
    first: dict[str, tuple[str, Game, Told]] = {}
    left, known = wanted(name), chosen(name)
    listed = dict(examples(find(name)))
    for title in [*dict.fromkeys(known.values()), *listed]:
        if title not in listed:
            continue
        expected = json.dumps(listed[title].get("expect"))
        # most examples tell none of them, and need not be played
        if not any(kind in expected and known.get(kind, title) == title for kind in left):
            continue
        played = played_of(find(name), listed[title])
        for one in played[1].told if played is not None else ():
            kind = str(one.event["event"])
            if played is not None and kind in left and known.get(kind, title) == title:
                first[kind] = title, played[0], one
                left.remove(kind)
    return first


def sentence(game: Game, one: Told, lang: str) -> str:
    """Return an event as a report tells it, and its headline."""
    system = game.system
    view = View(
        game.position,
        game.players,
        words_of(system, lang),
        system.map_of(game.world),
        holders_from=lambda: system.holders(game),
        sides_from=lambda: system.sides(game),
        events=system.registry.events,
        labels=system.labels(game.scenario),
    )
    named = view.named(one.event)
    return f"  {view.wording.event(named)}\n  {view.wording.headline(named) or '-'}\n"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("system", FOLDERS)
def test_each_kind_of_event_that_no_sample_game_has_reads_as_it_did(
    system: str, lang: str, golden: Callable[[str, str], None]
) -> None:
    lines = [
        f"{kind}: {title}\n{sentence(game, one, lang)}"
        for kind, (title, game, one) in sorted(told(system).items())
    ]
    golden(f"{system}-examples-{lang}.txt", "".join(lines))
