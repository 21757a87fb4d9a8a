"""The turn report as one page: self-contained, light and dark, for print, keyboard and screen reader.

A rendering of `structure.Report` by the templates in `pages/`; `environment` and `context` are there for
other pages made of the same parts (the book).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.report.forecasts import forecast_words, table_words
from pbem.report.muster import owners_of
from pbem.report.plain import capital, label_text, safe
from pbem.report.situation import situation
from pbem.report.structure import Item, Report
from pbem.report.svg.board import Board
from pbem.report.svg.canvas import Style
from pbem.report.svg.canvas import words as shown
from pbem.report.svg.draw import AREAS, Drawn, draw
from pbem.report.svg.far import far
from pbem.report.svg.foot import keys
from pbem.report.svg.look import palette
from pbem.report.text import (
    fight_words,
    losses_in_words,
    new_place,
    news_lines,
    nothing_words,
    to_do_lines,
)
from pbem.report.textmap import initials, legend, sheets
from pbem.report.whole import ledger
from pbem.report.whole.ending import how_it_ended
from pbem.text.dataclass import dataclass
from pbem.text.sentences import ENGLISH, English

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


@dataclass(frozen=True)
class Letters:
    """The letters at the end of the owner's report.

    Of each there are its head, what is odd about it, who wrote it, and its lines.
    """

    title: str
    letters: Sequence[tuple[str, Sequence[str], str, Sequence[str]]]


PAGES = Path(__file__).parent / "pages"
FOLD_FROM = 12  # so many lines of one phase are folded


def render(report: Report, board: Board | None = None, letters: Letters | None = None) -> str:
    """Return the page of a report; on a `board`, and with `letters`, for oneself alone."""
    names = context(report, board=board) | {"letters": letters}
    return environment().get_template("report.html.j2").render(names)


@cache
def environment() -> Environment:
    """Return the templates, which escape everything put into them."""
    from jinja2 import FileSystemLoader, StrictUndefined

    made = _pages()(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_visible,
        auto_reload=False,  # nor a look at the file for each page
    )
    made.filters |= {"label": label_text, "plain": safe}
    return made


@cache
def _pages() -> type[Environment]:
    """Return templates that mark every sentence in another language than the page."""
    from jinja2 import Environment, Template

    class Page(Template):
        def render(self, *args: Any, **values: Any) -> str:
            return with_languages(super().render(*args, **values))

    class Pages(Environment):
        template_class = Page

    return Pages


# around English on a page in another language, until the page is done: no text of anybody holds these
_FROM, _TO = "\ue000", "\ue001"
_TAG, _SAID = r"<(?P<end>/?)(?P<tag>[a-zA-Z]+)[^>]*>", rf"{_FROM}(?P<said>[^{_FROM}{_TO}<]*){_TO}"
_PIECE = re.compile(rf"{_TAG}|{_SAID}|[{_FROM}{_TO}]")
_NO_ELEMENTS = {"title", "svg", "script", "style", "option", "textarea"}


def with_languages(page: str) -> str:
    """Return a page with an element, `lang="en"`, around each English sentence, where elements may be."""
    if _FROM not in page:
        return page
    inside: list[str] = []

    def piece(match: re.Match[str]) -> str:
        tag = (match["tag"] or "").lower()
        if tag in _NO_ELEMENTS and not match[0].endswith("/>"):
            if match["end"]:
                inside[:] = inside[:-1]
            else:
                inside.append(tag)
        if match["said"] is not None:
            return match["said"] if inside else f'<span lang="{ENGLISH}">{match["said"]}</span>'
        return re.sub(f"[{_FROM}{_TO}]", "", match[0])

    return _PIECE.sub(piece, page)


def _whose(report: Report) -> str:
    """Return the reader of the page."""
    say = report.words.say
    return say("report-for", who=report.reader.inside) if report.reader else say("public-report")


def _in_tongue(item: Item, sentence: Markup) -> Markup:
    """Return the sentence of an item, marked if its language is not the page's."""
    from markupsafe import Markup

    return (
        Markup('<span lang="{}">{}</span>').format(ENGLISH, sentence)
        if type(item.text) is English
        else sentence
    )


def _visible(value: Any) -> Any:
    """Return a text for a page in which direction and invisible characters are visible."""
    if type(value) is English:
        return f"{_FROM}{safe(value)}{_TO}"
    return safe(value) if type(value) is str else value


def context(
    report: Report, *, prefix: str = "", screen: bool = False, board: Board | None = None
) -> dict[str, Any]:
    """Return the names for the templates.

    `prefix` keeps the ids of maps apart if a page has several; `screen`: the page is viewed where it is made
    and not mailed. `board` is the picture that the map is drawn on.
    """
    from markupsafe import Markup

    words = report.words
    anchors = _anchors(report)
    links = {hex: f"#at-{hex}" for _, hex in anchors}
    style = Style(prefix=prefix, links=links, screen=screen or _is_crowded(report), board=board)
    title = words.say("map-title", stage=report.stage)
    events = [item.event for item in report.items]
    drawn = draw(report.view, events, style, title)
    from_afar = drawn.parts and not screen
    parts = lambda hex: f"#{prefix}part-{drawn.inside.get(hex, 1)}"  # noqa: E731
    far_map = far(report.view, events, title, prefix, parts, board) if from_afar else ""
    linker = _Linker(
        prefix,
        frozenset(re.findall(rf'id="{re.escape(prefix)}hex-([^"]*)"', drawn.svg)),
        words.say("show-where"),
    )
    return {
        "report": report,
        "cap": capital,
        "lang": words.language.code,
        "say": words.say,
        "figure": words.number,
        "style": Markup(style_sheet()),
        "script": Markup(script()),
        "script_hash": script_hash(),
        "pictured": board is not None,
        "whose": _whose(report),
        "owners": owners(report),
        "passages": _headed(report),
        "mine_items": _mine(report),
        "cards": _cards(report),
        "card_of": _card_of(report),
        "fold_from": FOLD_FROM,
        "fold_open": len(report.items) <= 3 * FOLD_FROM,
        "anchors": anchors,
        "waits": words.language.listed([party.inside for party in report.waiting]),
        "told": linker.told,
        "located": linker.located,
        "hexlink": linker.linked,
        "hits_words": lambda entry: ledger.hits_words(entry, words),
        "die_words": lambda entry: capital(ledger.die_words(entry, words)),
        "who": lambda owner: capital(safe(words.text(owner))) or words.say("nobodys"),
        **_position(report, drawn, prefix),
        "map_far": Markup(far_map),
        **_in_short(report),
        **_luck(report),
    }


@dataclass(frozen=True)
class _Linker:
    """A maker of texts in which every place on the map is a link.

    `spots` are their ids.
    """

    prefix: str
    spots: frozenset[str]
    show: str

    @cached_property
    def _spots_pattern(self) -> re.Pattern[str] | None:
        """Return the pattern of spots with a number, the longest first: names alone may be words."""
        numbered = [spot for spot in self.spots if any(map(str.isdigit, spot))]
        if not numbered:
            return None
        listed = sorted(numbered, key=lambda name: (-len(name), name))
        return re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, listed))})(?!\w|\.\d)")

    def linked(self, hex: str, name: str = "") -> Markup:
        """Return the number of a hex, or the name of a box, as a link."""
        from markupsafe import Markup

        label = shown(name or hex)
        if hex not in self.spots:
            return Markup(label)
        return Markup(f'<a href="#{self.prefix}hex-{shown(hex)}">{label}</a>')

    def located(self, text: str) -> Markup:
        """Return a text with the numbers of hexes as links."""
        from markupsafe import Markup

        parts = self._spots_pattern.split(text) if self._spots_pattern is not None else [text]
        made = (self.linked(part) if n % 2 else Markup(shown(part)) for n, part in enumerate(parts))
        linked_text = Markup("").join(made)
        return (
            Markup(f"{_FROM}{linked_text}{_TO}") if type(text) is English and len(parts) == 1 else linked_text
        )

    def told(self, item: Item) -> Markup:
        """Return the sentence of an item, with a link to the map if its words have none."""
        from markupsafe import Markup

        sentence = self.located(str(item.text))
        where = next((hex for hex in item.hexes if hex in self.spots), "")
        if where and "<a " not in sentence:
            sign = Markup(' <a class="where" href="#{}hex-{}" title="{}" aria-label="{}">◎</a>')
            sentence += sign.format(self.prefix, where, self.show, self.show)
        return _in_tongue(item, sentence)


def _position(report: Report, drawn: Drawn, prefix: str) -> dict[str, Any]:
    """Return the map, and its legend in letters and words."""
    from markupsafe import Markup

    return {
        "map": Markup(drawn.svg) if drawn.svg else "",
        "map_parts": [(f"{prefix}part-{n}", name) for n, name in enumerate(drawn.parts, 1)],
        "map_units": drawn.wide,
        "map_pages": ";".join(f"{page.x} {page.y} {page.wide} {page.high}" for page in drawn.pages),
        "unprinted": drawn.unprinted,
        "printed": len(drawn.pages),
        "layers": drawn.layers,
        "areas": AREAS,
        "key": [(Markup(sign), text) for sign, text in drawn.key],
        "sheets": [(title, Markup(escape("\n".join(lines)))) for title, lines in sheets(report.view)],
        "legend": legend(report.view),
        "situation": situation(report),
    }


CROWDED = 1500
"""A map with more hexes and counters than these is written so that a browser draws it in half the time."""


def _is_crowded(report: Report) -> bool:
    """Return True for such a map: letters shared by `<use>` make its pages slow to print."""
    chart = report.view.chart
    return chart is not None and len(chart.hexes) + 2 * len(report.view.position.counters) > CROWDED


def _in_short(report: Report) -> dict[str, Any]:
    """Return the first section of a report."""
    parts: dict[str, Any] = {"lost": losses_in_words(report), "news": news_lines(report)}
    parts["ending"] = how_it_ended(report)
    parts["forecasts"] = [] if report.finished else forecast_words(report.view.forecasts, report.view)
    return {**parts, "nothing": nothing_words(report), "todo": to_do_lines(report)}


def style_sheet() -> str:
    """Return the style of all pages."""
    return (PAGES / "style.css").read_text("utf-8").strip()


def script() -> str:
    """Return the script of all pages.

    It shows names under the pointer, and opens folded parts before printing.
    """
    return (PAGES / "script.js").read_text("utf-8") + keys().strip()


def script_hash() -> str:
    """Return the hash of the page's script, so that a browser runs no other (Content Security Policy)."""
    return "sha256-" + b64encode(sha256(script().encode()).digest()).decode()


def owners(report: Report) -> dict[str, dict[str, str]]:
    """Return colours and initials of everybody who owns counters or has a seat."""
    ids = [party.id for party in report.players]
    ids += [owner for owner in owners_of(report.view) if owner not in ids]
    marks = initials(ids)
    marks_: dict[str, dict[str, str]] = {}
    for number, owner in enumerate(ids):
        paint: Mapping[str, str] = palette()["paints"][report.view.look.paint(owner, ids)]
        marks_[owner] = {
            "name": f"own-{number}",
            "fill": paint["fill"],
            "ink": paint["ink"],
            "initial": marks[owner],
        }
    return marks_


def _anchors(report: Report) -> set[tuple[str, str]]:
    """Return (owner, hex) of the lines linked from a hex of the map; no owner: the line of a place."""
    first: dict[str, str] = {}
    chart = report.view.chart
    for force in report.forces:
        for stack in force.stacks:
            if chart is not None and stack.hex in chart:
                first.setdefault(stack.hex, force.owner)
    for place in report.places:
        first.setdefault(place.hex, "")
    return {(owner, hex) for hex, owner in first.items()}


def _cards(report: Report) -> list[tuple[str, list[str], list[str], list[Item]]]:
    """Return every fight.

    Its title, its sentences, the table of its forecast, and what happened shot by shot.
    """
    items = {item.number: item for item in report.items}
    cards: list[tuple[str, list[str], list[str], list[Item]]] = []
    for fight in report.fights:
        title, *lines = fight_words(fight, report, table=False)
        table = table_words(fight.outlook, report.view) if fight.outlook is not None else []
        cards.append((title, lines, table, [items[number] for number in fight.numbers]))
    return cards


def _card_of(report: Report) -> dict[int, tuple[int, bool]]:
    """Return the card number of each item in a fight, and whether it is the first of them."""
    return {
        number: (card, number == fight.numbers[0])
        for card, fight in enumerate(report.fights, 1)
        for number in fight.numbers
    }


def _mine(report: Report) -> list[Item]:
    """Return events of the reader's side that no headline and no card has shown."""
    folded = _card_of(report)
    return [item for item in report.mine if item.number not in folded and item.headline is None]


def _headed(report: Report) -> list[tuple[object, str]]:
    """Return every passage with the new part of its heading; parts of a fight are on its card."""
    folded = _card_of(report)
    before: tuple[str, ...] = ()
    headed: list[tuple[object, str]] = []
    for passage in report.passages:
        if all(item.number in folded and not folded[item.number][1] for item in passage.items):
            continue  # all of it is on the card of a fight above
        headed.append((passage, new_place(before, passage.place) or "–"))
        before = passage.place
    return headed


def _luck(report: Report) -> dict[str, Any]:
    """Return the sums of the dice, and how often each face came up."""
    words, entries = report.words, report.entries
    players = [party.id for party in report.players]
    faces = []
    for sides, counts in ledger.faces(entries).items():
        if sides <= 20:
            most = max(counts.values())
            shown = [(face, counts[face], 100 * counts[face] // most) for face in range(1, sides + 1)]
            faces.append((sides, shown, words.number(Fraction(sum(counts.values()), sides))))

    def named(name: str) -> str:
        row = ledger.row_name(name, words)
        return capital(row) if name in players else row

    rows = ledger.sums(entries, players) if entries else []
    return {
        "sums": rows,
        "faces": faces,
        "who_or_all": named,
        "with_hits": any(row.hits is not None for _, row in rows),
        "successes": capital(ledger.success_name(2, words)),
    }
