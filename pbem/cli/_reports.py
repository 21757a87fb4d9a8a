"""Between archive and report: makes the texts that `adjudicate`, `receive`, `report` and `demo` write.

`render` is what `archive.stage.adjudicate` and `archive.receive` want as their call-back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pbem.report import data, text
from pbem.report.reader import Asked, Meta, View
from pbem.report.wording import Wording

if TYPE_CHECKING:
    from pbem.archive.views import PlayerView
    from pbem.engine.resolve import Question
    from pbem.engine.system import System
    from pbem.model.events import Told


def render(
    reader: str | None,
    told: Sequence[Told],
    view: PlayerView,
    meta: Mapping[str, Any],
    *,
    umpire: bool = False,
) -> str:
    """The turn report of a stage as text; `reader` None is the public one. `umpire`: he may read all."""
    return text.render(reader, told, report_view(view), report_meta(view, meta, umpire=umpire))


def as_json(
    reader: str | None,
    told: Sequence[Told],
    view: PlayerView,
    meta: Mapping[str, Any],
    *,
    umpire: bool = False,
) -> dict[str, Any]:
    """The same as data."""
    return data.as_json(reader, told, report_view(view), report_meta(view, meta, umpire=umpire))


def report_view(view: PlayerView) -> View:
    """A view as reports and maps take it."""
    from pbem.board.map import GameMap

    game = view.game
    chart = getattr(game.world, "map", None)
    return View(
        game.position,
        game.players,
        Wording(view.system.wording),
        chart if isinstance(chart, GameMap) else None,
    )


def report_meta(view: PlayerView, meta: Mapping[str, Any], *, umpire: bool = False) -> Meta:
    """Facts about the game as reports take them, from `meta` of the archive and the reader's own facts.

    `meta` has `title game stage head asked by`, and may have `names` (party -> name).
    """
    reader = view.player
    game = view.game
    friends = game.friends(reader) if reader in game.players else ()
    asked = [_asked(view.system, question) for question in view.questions]
    who = f" --as {reader}" if reader else ""
    return Meta(
        title=str(meta["title"]),
        game=str(meta["game"]),
        system=f"{view.system.title or view.system.name}, scenario {view.scenario}",
        stage=int(meta["stage"]),
        place=view.place,
        names=dict(meta.get("names") or {}),
        friends=tuple(friend for friend in friends if friend != reader),
        asked=[one for one in asked if umpire or one.party == reader or not view.system.hidden],
        waiting=sorted(meta.get("asked") or {}),
        due=str(meta.get("by") or ""),
        refused=_refused(view),
        finished=not meta.get("asked"),
        umpire=umpire,
        command=f"pbem report {meta['stage']}{who}",
        digests={name: str(meta[name]) for name in ("head", "seed", "state") if meta.get(name)},
    )


def _asked(system: System, question: Question) -> Asked:
    return Asked(
        question.party,
        question.kind,
        question.fields,
        question.rule,
        question.secrecy != "open",
        answer_command(system, question),
    )


def answer_command(system: System, question: Question) -> str:
    """The command that answers a question: `pbem bid` for one secret number, else an order file."""
    kind = system.registry.decisions.get(question.kind)
    wanted = kind.answer if kind is not None else None
    number = wanted is int or (get_origin(wanted) is not None and get_args(wanted)[:1] == (int,))
    return "pbem bid VALUE" if number and question.secrecy != "open" else "pbem orders new"


def _refused(view: PlayerView) -> list[str]:
    """Why answers of the reader were not taken."""
    prefix = f"refused/{view.player}/"
    found: list[str] = []
    for key in sorted(key for key in view.facts if key.startswith(prefix)):
        entry: Any = view.facts[key]
        rule = f", rule {entry['rule']}" if entry.get("rule") else ""
        found.append(f"{entry['message']} ({entry['code']}{rule})")
    return found
