"""The whole game as a book: a static site with pages of stages, an index, a stepping map, figures.

Pure: from reports and figures to names and bytes of files. Every address in it is relative, so that it works
from a disk and from any host, and nothing in it depends on when or where it was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.report.html import context, environment, owners, script, style_sheet
from pbem.report.losses import in_words
from pbem.report.plain import capital, safe
from pbem.report.structure import Report
from pbem.report.svg.heat import heat
from pbem.report.svg.picture import bare
from pbem.report.svg.slides import middles, slides
from pbem.report.whole import ledger
from pbem.report.whole.acts import Act, acts
from pbem.report.whole.chart import Line, steps
from pbem.report.whole.ending import (
    Belief,
    Career,
    beliefs,
    careers,
    decisive,
    losses_by_hex,
    losses_so_far,
    points,
    standing,
)
from pbem.report.whole.moments import Moment, moments
from pbem.report.whole.stats import Holding, Stats, Turn, holdings
from pbem.report.whole.stats_text import length, luck_words, nobody_words, place_of
from pbem.report.whole.summing_up import curve, glance, verdict
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from markupsafe import Markup

INK = "#5f5846"
"""The colour of a line that is nobody's."""
FORMAT = "pbem-book/1"
MANIFEST = "book.json"
INDEX, MAP, FIGURES, CHECK = "index.html", "map.html", "figures.html", "check.html"
CAREERS, HIDDEN, HEAT = "careers.html", "hidden.html", "maps/losses.svg"
CHECK_WORDS = (
    "running", "proved", "claimed", "false", "head", "game", "stage", "roster", "unreadable", "no-subtle",
    "no-ed25519", "count-signatures", "count-records", "count-links", "count-openings", "count-rolls",
    "wrong-signature", "wrong-id", "wrong-canonical", "wrong-game", "wrong-stage", "wrong-prev",
    "wrong-roster", "wrong-gap", "wrong-no-report", "wrong-fork", "wrong-events", "wrong-accepted",
    "wrong-asked", "wrong-groups", "wrong-mode", "wrong-links", "wrong-lock", "wrong-link", "wrong-turn",
    "wrong-seed", "wrong-roll", "wrong-opening", "wrong-amend", "wrong-state", "wrong-head", "wrong-absent",
    "wrong-acknowledged", "wrong-correction", "wrong-derived", "wrong-forfeits", "wrong-kept",
    "wrong-not-asked", "wrong-over", "wrong-readers", "wrong-record", "wrong-role", "wrong-schema",
    "wrong-unseal",
    "claim-corrected", "claim-dropped", "claim-equivocation", "claim-forfeit", "claim-left-out",
    "claim-protest", "claim-proxy", "claim-ruling", "claim-takeover", "unchecked-heading",
    "unchecked-results", "unchecked-scenario", "unchecked-views", "unchecked-hidden", "unchecked-files",
    "unchecked-letters", "unchecked-texts",
)  # fmt: skip
"""Sentences of the page that checks the game (`check-` and these)."""


@dataclass(frozen=True)
class Book:
    """A game as a book: the reports of all its stages for one reader, in order, and their figures.

    `whose` says in words who may read it; `game` and `head` let readers compare. `evidence` is
    the public archive, for the page that checks it; empty where there shall be none. `eyes` are the reports
    of each player, where the reader may know what everybody saw: for the fog switch. `apart` are the stages
    with text for named readers, which is in no book.
    """

    title: str
    whose: str
    game: str
    head: str
    reports: tuple[Report, ...]
    stats: Stats
    evidence: Mapping[str, Any] = field(default_factory=dict, repr=False)
    eyes: Mapping[str, tuple[Report, ...]] = field(default_factory=dict, repr=False)
    apart: tuple[int, ...] = ()

    @cached_property
    def careers(self) -> list[Career]:
        """Return the career of each counter that the reader knew."""
        return careers(self.reports)

    @cached_property
    def losses(self) -> dict[str, int]:
        """Return the losses by place."""
        return losses_by_hex(self.reports)

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Return the player turns."""
        return acts(self.reports)

    @property
    def last(self) -> Report:
        """Return the newest stage."""
        return self.reports[-1]

    @property
    def words(self) -> Wording:
        """Return the words of the book, in its language."""
        return self.last.words

    @property
    def has_map(self) -> bool:
        """Return True if there is a map with something on it."""
        return any(report.view.chart is not None and report.view.position.counters for report in self.reports)


def stage_page(stage: int) -> str:
    """Return the name of a stage's page in the book."""
    return f"stages/{stage:04d}.html"


def stage_map(stage: int) -> str:
    """Return the name of the map at the end of a stage."""
    return f"maps/{stage:04d}.svg"


def fog_map(stage: int, player: str) -> str:
    """Return the name of the map at the end of a stage as a player saw it."""
    return f"maps/{stage:04d}-{player}.svg"


def files(book: Book) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the book except the manifest, with its name."""
    yield "style.css", _bytes(style_sheet(), _own("book.css"))
    yield "script.js", _bytes(script())
    ends = {act.last.stage: act for act in book.acts}
    for place, report in enumerate(book.reports):
        yield stage_page(report.stage), _bytes(_stage(book, place))
        if book.has_map:
            events = ends[report.stage].events if report.stage in ends else None
            yield stage_map(report.stage), _bytes(bare(report, events))
    if book.has_map:
        yield from _through_their_eyes(book)
    yield FIGURES, _bytes(_render("book_figures.html.j2", book, "", here=FIGURES, **_figures(book)))
    if book.careers:
        groups = [
            (owner, list(group)) for owner, group in groupby(book.careers, key=lambda career: career.owner)
        ]
        yield CAREERS, _bytes(_render("book_careers.html.j2", book, "", here=CAREERS, groups=groups))
    if book.eyes:
        yield HIDDEN, _bytes(_render("book_hidden.html.j2", book, "", here=HIDDEN, hidden=_hidden(book)))
    if book.has_map and book.losses:
        yield HEAT, _bytes(heat(book.last.view, book.losses, book.words.say("losses-map")))
    if book.has_map:
        yield "map.js", _bytes(_own("map.js"))
        drawn = {"frames": _frames(book), "stands": _stands(book)}
        yield MAP, _bytes(_render("book_map.html.j2", book, "", here=MAP, **drawn))
    if book.evidence:
        yield "proof.js", _bytes(_own("proof.js"))
        yield "audit.js", _bytes(_own("audit.js"))
        yield "check.js", _bytes(_own("check.js"))
        yield CHECK, _bytes(_render("book_check.html.j2", book, "", here=CHECK, **_check(book)))
    yield INDEX, _bytes(_render("book_index.html.j2", book, "", here=INDEX, **_index(book)))


def _hidden(book: Book) -> list[tuple[str, list[tuple[Act, list[Belief]]]]]:
    """Return for each player the ends of game turns, and where the player's map was wrong."""
    ends = {act.turn: act for act in book.acts}
    truth = {report.stage: report for report in book.reports}
    seen: list[tuple[str, list[tuple[Act, list[Belief]]]]] = []
    for player, reports in book.eyes.items():
        his = {report.stage: report for report in reports}
        turns = [(act, act.last.stage) for act in ends.values() if act.last.stage in his]
        seen.append((player, [(act, beliefs(his[stage], truth[stage])) for act, stage in turns]))
    return seen


def _through_their_eyes(book: Book) -> Iterator[tuple[str, bytes]]:
    """Yield the map at the end of each player turn as each player saw it."""
    for player, reports in book.eyes.items():
        of = {report.stage: report for report in reports}
        for act in book.acts:
            known = [of[stage] for stage in act.stages if stage in of]
            if known:
                events = [dict(item.event) for report in known for item in report.items]
                yield fog_map(act.last.stage, player), _bytes(bare(known[-1], events))


def manifest(book: Book, names: Sequence[str]) -> bytes:
    """Return the list of the book's files, so that the next run can remove old ones."""
    data = {"format": FORMAT, "game": book.game, "stage": book.last.stage, "files": sorted(names)}
    return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode()


def _bytes(*parts: str) -> bytes:
    return ("\n".join(part.strip() for part in parts) + "\n").encode("utf-8")


def _own(name: str) -> str:
    from pbem.report.html import PAGES

    return (PAGES / name).read_text("utf-8")


def _render(template: str, book: Book, up: str, **more: Any) -> str:
    """Return a page of the book; `up` leads from its folder to that of the index."""
    words = book.words
    names: dict[str, Any] = {
        "book": book,
        "up": up,
        "lang": words.language.code,
        "say": words.say,
        "text": lambda word: safe(words.text(word)),
        "owners": owners(book.last),
        "report": book.last,
        "stage_page": stage_page,
        "stage_map": stage_map,
        "figure": words.number,
        "cap": capital,
        "coded": _coded,
        "length": length(book.stats, words),
        "before": None,
        "after": None,
        "fog_map": fog_map,
        "career": {career.id: f"{up}{CAREERS}#u-{career.id}" for career in book.careers},
    }
    return environment().get_template(template).render({**names, **more})


def _check(book: Book) -> dict[str, Any]:
    """Return the archive and the words of the page that checks it, as JSON that cannot break the page."""
    say = book.words.say
    words = {name: say(f"check-{name}") for name in CHECK_WORDS}
    return {"archive": _as_data(book.evidence), "check_words": _as_data(words)}


def _as_data(value: object) -> Markup:
    from markupsafe import Markup

    return Markup(json.dumps(value, sort_keys=True).replace("<", "\\u003c"))


# ---- stages and index --------------------------------------------------------------------------------


def _stage(book: Book, place: int) -> str:
    report = book.reports[place]
    before = book.reports[place - 1] if place else None
    after = book.reports[place + 1] if place + 1 < len(book.reports) else None
    around = {"here": "", "before": before, "after": after, "whose": book.whose}
    return _render("book_stage.html.j2", book, "../", **{**context(report), **around})


def _index(book: Book) -> dict[str, Any]:
    """Return the game turns, and how the game ended or stands."""
    from markupsafe import Markup

    moved = moments(book.reports, book.acts)
    fought = [] if moved else decisive(book.acts)
    linked = [(moment.stage, _moment_page(moment), "; ".join(moment.texts) or "–") for moment in moved]
    linked += [
        (battle.stage, f"{stage_page(battle.stage)}#battle-{battle.number}", battle.fight.where or "–")
        for battle in fought
    ]
    colours = {owner: paint["fill"] for owner, paint in owners(book.last).items()}
    listed = glance(book.last, book.stats)
    return {
        "turns": _turns(book),
        "decisive": fought,
        "moments": [(moment, _moment_page(moment)) for moment in moved],
        "verdict": verdict(book.last),
        "standing": standing(book.last),
        "glance": listed,
        "glanced": [name for name in GLANCED if any(getattr(row, name) for row in listed)],
        "who": lambda party: capital(safe(book.words.text(party))),
        "curve": Markup(curve(book.reports, book.stats, colours, linked)),
    }


def _moment_page(moment: Moment) -> str:
    """Return where a moment is told: at its worst battle, else on the page of its stage."""
    return stage_page(moment.stage) + (f"#battle-{moment.battle.number}" if moment.battle is not None else "")


GLANCED = ("points", "held", "lost", "luck")
"""Facts of each player on the first page."""


def _turns(book: Book) -> list[tuple[Turn, list[list[Act]]]]:
    """Return the game turns with their player turns; quiet ones in a row together."""
    first = {report.stage: act for act in book.acts for report in act.reports}
    turns: list[tuple[Turn, list[list[Act]]]] = []
    done: set[int] = set()
    for turn in book.stats.turns:
        listed: list[list[Act]] = []
        for number in range(turn.stages[0], turn.stages[1] + 1):
            act = first.get(number)
            if act is None or act.first in done:
                continue
            done.add(act.first)
            if act.quiet and listed and listed[-1][0].quiet:
                listed[-1].append(act)
            else:
                listed.append([act])
        turns.append((turn, listed))
    return turns


def _coded(text: str) -> Markup:
    """Return a sentence whose parts between backticks are code."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts)
    )


def _frames(book: Book) -> list[dict[str, Any]]:
    """Return the frames of the stepping map; the last one of a player turn shows all of that turn."""
    say = book.words.say
    seen = {player: {report.stage for report in reports} for player, reports in book.eyes.items()}
    frames: list[dict[str, Any]] = []
    for number, act in enumerate(book.acts):
        battles = [
            {"text": battle.fight.where, "href": f"{stage_page(battle.stage)}#battle-{battle.number}"}
            for battle in act.battles
        ]
        for report in act.reports:
            ends = report is act.last
            events = act.events if ends else [dict(item.event) for item in report.items]
            frames.append(
                {
                    "stage": report.stage,
                    "map": stage_map(report.stage),
                    "page": stage_page(report.stage),
                    "title": capital(say("stage", stage=report.stage)),
                    "place": report.place,
                    "news": list(act.headlines[:8] if ends else report.summary) or [act.title],
                    "tracks": list(report.tracks),
                    "act": number,
                    "quiet": act.quiet,
                    "turn": ", ".join(part for part in (act.turn, act.place) if part),
                    "told": act.title,
                    "battle": bool(report.fights),
                    "battles": battles,
                    "slides": slides(report.view, events),
                    "eyes": {
                        player: fog_map(act.last.stage, player)
                        for player, stages in seen.items()
                        if stages & set(act.stages)
                    },
                }
            )
    return frames


def _stands(book: Book) -> dict[str, Any]:
    """Return where each counter is, for clicks.

    `counters` has owner, name, and the frame of each move with its location (empty: off the map); `places`
    has the middles of locations.
    """
    named = {career.id: career for career in book.careers}
    came: dict[str, list[tuple[int, str]]] = {id: [] for id in named}
    for number, report in enumerate(book.reports):
        position = report.view.position
        for id, stays in came.items():
            here = (position.hex(id) or "") if id in position.counters else ""
            if here != (stays[-1][1] if stays else ""):
                stays.append((number, here))
    places = {hex for stays in came.values() for _, hex in stays if hex}
    counters = [{"id": id, "text": named[id].title, "stays": stays} for id, stays in came.items() if stays]
    return {"counters": counters, "places": middles(book.last.view, places), "careers": f"{CAREERS}#u-"}


# ---- figures -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A figure with its share of the greatest, in hundredths, for a bar beside it."""

    text: str
    share: int


def _figures(book: Book) -> dict[str, Any]:
    """Return the tables of figures: rows with bars."""
    stats, words = book.stats, book.words
    mails = [[turn.mails[party] for party in stats.parties] for turn in stats.turns]
    return {
        "stats": stats,
        "who": lambda party: capital(safe(words.text(party))),
        "turn_name": lambda turn: safe(turn.name) or words.say("before-first"),
        "mails": [
            (turn, [Bar(str(n), share) for n, share in zip(row, _shares(row, mails), strict=True)])
            for turn, row in zip(stats.turns, mails, strict=True)
        ],
        "saved": any(turn.standing is not None for turn in stats.turns),
        "losses": [(turn, _lost(book, turn)) for turn in stats.turns if turn.losses],
        "all_losses": _lost(book, None),
        "holdings": _holdings(stats),
        "chart": _chart(book),
        "points_chart": _curve(book, [points(report.view) for report in book.reports], "points-chart"),
        "losses_chart": _curve(book, losses_so_far(book.reports), "losses-chart"),
        "heat": HEAT if book.has_map and book.losses else "",
        "places": [
            (turn, [place_of(turn.luck[p]) if p in turn.luck else "–" for p in stats.judged])
            for turn in stats.turns
            if turn.luck
        ],
        "luck": [(luck, luck_words(luck, words)) for luck in stats.luck],
        "luck_nobody": nobody_words(stats, words),
        "forms": _forms(stats),
        "luck_share": _luck_share,
    }


def _shares(row: Sequence[int], rows: Sequence[Sequence[int]]) -> list[int]:
    most = max((n for numbers in rows for n in numbers), default=0)
    return [100 * n // most if most else 0 for n in row]


def _lost(book: Book, turn: Turn | None) -> list[Bar]:
    """Return the losses of each player in a game turn, or in all."""
    stats, view = book.stats, book.last.view
    listed = stats.losses if turn is None else turn.losses
    amounts = {losses.player: sum(n for _, n in losses.lost) for losses in listed}
    every = [loss for each_turn in stats.turns for loss in each_turn.losses] if turn else list(listed)
    greatest = [sum(n for _, n in losses.lost) for losses in every]
    most = max(greatest, default=0)
    texts = {losses.player: ", ".join(in_words(losses, view)) for losses in listed}
    return [
        Bar(texts.get(player, "–"), 100 * amounts.get(player, 0) // most if most else 0)
        for player in stats.players
    ]


def _holdings(stats: Stats) -> list[tuple[Turn, list[tuple[Bar, str]]]]:
    """Return what each player holds at the end of each turn: by worth if known, else by places."""
    known = [turn for turn in stats.turns if turn.holdings]
    worths = [[_held(holding) for holding in turn.holdings] for turn in known]
    rows: list[tuple[Turn, list[tuple[Bar, str]]]] = []
    for turn, row in zip(known, worths, strict=True):
        bars: list[tuple[Bar, str]] = []
        for holding, share in zip(turn.holdings, _shares(row, worths), strict=True):
            shown = str(holding.places) if holding.worth is None else f"{holding.places} ({holding.worth})"
            bars.append((Bar(shown, share), str(holding.counters)))
        rows.append((turn, bars))
    return rows


def _chart(book: Book) -> Markup:
    """Return a chart of what each player held at the end of each stage, by worth if known."""
    held = [{holding.player: _held(holding) for holding in holdings(report.view)} for report in book.reports]
    return _curve(book, held, "territory-chart")


def _curve(book: Book, values: Sequence[Mapping[str, int]], title: str) -> Markup:
    """Return a number for each player at the end of each stage as lines; empty without any."""
    from markupsafe import Markup

    paints = owners(book.last)
    shared = any(ledger.ALL in stage for stage in values)
    lines = [
        Line(
            capital(book.words.say("points") if shared else book.words.text(player)),
            paints[player]["fill"] if player in paints else INK,
            [max(0, stage.get(player, 0)) for stage in values],
        )
        for player in ([ledger.ALL] if shared else book.stats.players)
    ]
    marks = [(turn.stages[0] - book.reports[0].stage, turn.name) for turn in book.stats.turns if turn.name]
    return Markup(steps(lines, marks, book.words.say(title)))


def _held(holding: Holding) -> int:
    return holding.places if holding.worth is None else holding.worth


def _forms(stats: Stats) -> list[tuple[str, tuple[str, ...]]]:
    """Return the standing orders that would have answered what stopped the game, by kind of decision."""
    forms: dict[str, tuple[str, ...]] = {}
    for stop in stats.stops:
        if stop.forms:
            forms.setdefault(stop.kind, stop.forms)
    return list(forms.items())


def _luck_share(chance: Fraction) -> int:
    """Return in how many of 100 games fair dice do worse, for a bar whose middle is usual luck."""
    return int(100 * (1 - chance))
