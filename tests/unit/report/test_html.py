"""The page of a report: complete, valid, self-contained, in a sensible order, and safe with any text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import html5lib
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report import html
from pbem.report.composing.compose import compose
from pbem.report.html import render as as_page
from pbem.report.language import language, with_english
from pbem.report.reader import Asked, Meta, Recipe, View
from pbem.report.wording import Wording
from tests.unit.report.conftest import CHART, WORDS
from tests.unit.report.test_text import event, fight

HEADINGS = [
    "In short", "Battles", "What happened to you", "What happened", "Position", "Order of battle",
    "Places", "Questions", "Dice", "How this report was made",
]  # fmt: skip
H = "{http://www.w3.org/1999/xhtml}"


def page(reader: str | None, told: Iterable[Told], view: View, meta: Meta) -> str:
    return as_page(compose(reader, told, view, meta))


def parsed(html: str) -> ElementTree.Element:
    """The page as a strict reader of HTML understands it: any fault of syntax is an error."""
    root: ElementTree.Element = html5lib.HTMLParser(
        tree=html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=True
    ).parse(html)
    return root


def text(one: ElementTree.Element) -> str:
    return " ".join("".join(one.itertext()).split())


def battle(view: View, meta: Meta) -> tuple[list[Told], Meta]:
    told = [
        Told(PUBLIC, fight("south", "0102", 1), 0),
        Told(("north",), event("moved", owner="north", hex="0101"), 1),
    ]
    asked = replace(
        meta,
        asked=[Asked("north", "bid", {"most": 5}, "3.1", True, "pbem bid VALUE")],
        waiting=["north", "south"],
        names={"north": "Nan", "south": "Sue"},
        due="Sunday 18:00",
        refused=["7 is too much (E-BID-01)"],
        digests={"head": "cd" * 32},
        recipe=lambda roll: Recipe("echo 00 | xxd", "each byte: 1 + remainder by 6"),
    )
    return told, asked


def test_its_parts_stand_in_the_order_in_which_a_player_wants_them(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    root = parsed(page("north", told, view, asked))
    assert [text(element) for element in root.iter(f"{H}h2")] == HEADINGS
    assert [text(element) for element in root.iter(f"{H}h1")] == ["The Ford"]
    for landmark in ("header", "nav", "main", "footer"):
        assert len(list(root.iter(f"{H}{landmark}"))) == 1


def test_it_says_on_top_what_i_owe_by_when_and_how_to_answer(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    root = parsed(page("north", told, view, asked))
    summary = text(next(element for element in root.iter() if element.get("id") == "summary"))
    for words in ("South attacked 0102", "To do: one answer.", "Deadline: Sunday 18:00", "pbem bid VALUE"):
        assert words in summary


def test_the_deadline_is_told_once_to_who_has_nothing_to_do(view: View, meta: Meta) -> None:
    told, _ = battle(view, meta)
    root = parsed(page("north", told, view, replace(meta, waiting=["south"], due="Friday")))
    summary = text(next(element for element in root.iter() if element.get("id") == "summary"))
    assert summary.count("Friday") == 1, summary


def test_it_shows_the_working_of_a_result_and_how_to_make_each_die_again(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    root = parsed(page("north", told, view, asked))
    happened = text(next(element for element in root.iter() if element.get("id") == "battles"))
    for words in (
        "table crt",
        "column 2:1",
        "row 7",
        "modifiers river -1",
        "Fought: rolled 2 5",
        "2d6: 2* 5",
    ):
        assert words in happened
    dice = text(next(element for element in root.iter() if element.get("id") == "dice"))
    assert "echo 00 | xxd" in dice and "each byte: 1 + remainder by 6" in dice and "(average 0.7)" in dice


def test_a_hit_is_marked_by_more_than_colour(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    html = page("north", told, view, asked)
    assert '<b class="die hit">2<span class="unseen">*</span></b>' in html and '<b class="die">5</b>' in html
    assert ".die.hit{" in html and "text-decoration:underline" in html
    assert "1 success at 2 or less" in html


def test_every_link_leads_somewhere_on_the_page_and_no_id_is_there_twice(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    root = parsed(page("north", told, view, asked))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    links = {element.get("href") for element in root.iter() if element.get("href")}
    assert len(ids) == len(set(ids))
    assert links <= {f"#{id}" for id in ids}, links - {f"#{id}" for id in ids}
    assert {"#hex-0102", "#at-0102", "#e1"} <= links


def test_a_sentence_leads_to_a_hex_where_nothing_is_left(view: View, meta: Meta) -> None:
    root = parsed(page("north", [Told(PUBLIC, event("moved", owner="north", hex="0201"), 0)], view, meta))
    assert view.chart is not None and not view.position.at("0201")
    links = [element for element in root.iter(H + "a") if element.get("href") == "#hex-0201"]
    assert [text(link) for link in links] and {text(link) for link in links} <= {"0201"}
    (spot,) = [element for element in root.iter() if element.get("id") == "hex-0201"]
    assert spot[0].text == "0201 wood", "the title is its name"


def test_it_is_one_file_that_fetches_nothing(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    html = page("north", told, view, asked)
    assert set(re.findall(r"https?://[^\"' )<]+", html)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"\bsrc=|url\((?!#)|@import|<link|<iframe|<object", html)


def test_the_public_page_has_no_you(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    public = parsed(page(None, told, view, replace(asked, asked=[])))
    assert "What happened to you" not in text(public)
    assert [text(one) for one in public.iter(f"{H}h2")] == [h for h in HEADINGS if not h.endswith(" you")]


def test_a_game_that_is_over_asks_nothing(view: View, meta: Meta) -> None:
    told, asked = battle(view, meta)
    root = parsed(page("north", told, view, replace(asked, finished=True)))
    assert "none: the game is over" in text(root) and "To do" not in text(root)


def test_a_stage_in_which_nothing_happened_has_a_page_too(meta: Meta) -> None:
    root = parsed(page("north", [], View(Position(), ("north",)), meta))
    assert "Nothing happened to you" in text(root) and "Nothing that you could see" in text(root)


def test_the_map_is_there_as_a_drawing_in_letters_and_in_words(view: View, meta: Meta) -> None:
    html = page("north", [], view, meta)
    root = parsed(html)
    position = next(element for element in root.iter() if element.get("id") == "position")
    assert "/0101\\" in text(position), "the map drawn with letters"
    assert "The position in words" in text(position)
    assert 'aria-label="0102 clear; Oxbridge, held by north; North: AR2, IN1"' in html


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></script><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil\u2066\u200f",
    "a" * 5000,
    "javascript:alert(1)//' onclick='alert(1)",
    "]]>--><!--",
]


def hostile_page(word: str) -> str:
    """A page with this word in every place that somebody else can fill."""
    counters = {
        word: {"owner": word, "type": word, "hex": "0101", "cv": 1},
        "b": {"owner": word, "type": word, "hex": word},
    }
    chart = GameMap.from_data({**CHART, "places": {"town": [{"hex": "0102", "name": word}]}})
    view = View(
        Position(counters, {"turn": word, "control": {"0102": word}}),
        ("north", word),
        Wording(WORDS),
        chart,
    )
    meta = Meta(
        word, word, word, 4, f"{word}, {word}", names={"north": word, word: word}, due=word,
        asked=[Asked("north", word, {"most": word}, word, True, word)], waiting=[word], refused=[word],
        command=word, digests={word: word}, recipe=lambda roll: Recipe(word, word),
    )  # fmt: skip
    roll = {"label": [word, 1], "dice": word, "result": [word]}
    told = [
        Told(PUBLIC, {"event": word, "rule": word, "at": word, word: word, "list": [word]}, 0),
        Told(PUBLIC, {**fight(word, "0101", 1), "modifiers": [{"name": word, "value": word}]}, 1),
        Told(("north",), {"event": "moved", "rule": word, "at": word, "owner": word, "hex": word}, 2),
        Told(PUBLIC, {"event": "won", "rule": "1", "at": "", "result": word, "roll": roll}, 3),
    ]
    return page("north", told, view, meta)


def harmless(html: str) -> None:
    """Valid, one script (ours), nothing that acts, no sign that turns the direction of writing."""
    root = parsed(html)
    assert len(list(root.iter(f"{H}script"))) == 1 and not list(root.iter(f"{H}img"))
    for element in root.iter():
        assert not [name for name in element.attrib if str(name).lower().startswith("on")], element.attrib
        href: Any = element.get("href") or "#"
        assert href.startswith("#"), href
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", html)


def test_hostile_names_are_shown_and_do_nothing() -> None:
    for word in HOSTILE:
        harmless(hostile_page(word))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in hostile_page(HOSTILE[0])
    assert "{{ 7 * 7 }}" in hostile_page(HOSTILE[3])


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=40))
def test_no_text_at_all_can_act_on_a_page(word: str) -> None:
    harmless(hostile_page(word))


def test_english_on_a_page_in_another_language_says_so(view: View, meta: Meta) -> None:
    told, meta = battle(view, meta)
    english = page("red", told, view, meta)
    assert 'lang="en"' in english and "<span lang" not in english
    dutch = with_english("nl", language().phrases, {"dice": "dobbelstenen"})
    every = frozenset((section, key) for section, texts in view.wording.sections.items() for key in texts)
    words = replace(view.wording, language=dutch, lacking=every)
    half = page("red", told, replace(view, wording=words), meta)
    assert '<html lang="nl"' in half and ">dobbelstenen<" in half
    assert re.search(r'<h2[^>]*><span lang="en">In short</span></h2>', half)
    assert re.search(r'<li[^>]*><span lang="en">[A-Z]', half), "sentences of the system too"
    assert "\ue000" not in half and not re.search(r'="[^"]*<span', half) and "<title><span" not in half


def test_of_places_that_begin_alike_the_longest_is_the_link() -> None:
    spots = ["A2", "A2 south", "1.1", "1.10", "0101", "0101.nc", "Kiel", "3/2"]
    linker = html._Linker("x-", frozenset(spots), "on the map")
    text = "A2 south, A2; 1.10 and 1.1, 0101.nc (0101), 3/2. Kiel, XA2, 0101.5, 1.1.1, A22"
    linked = re.sub(r'<a href="#x-hex-([^"]*)">([^<]*)</a>', r"[\1]", str(linker.located(text)))
    assert (
        linked
        == "[A2 south], [A2]; [1.10] and [1.1], [0101.nc] ([0101]), [3/2]. Kiel, XA2, 0101.5, 1.1.1, A22"
    )
