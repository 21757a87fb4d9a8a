"""The page of a report in a mail: short, without anything that mail programs throw away, no secret in it."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.mail_page import MOST_NEWS, MOST_PICTURE, PIXELS, SHOWN, WIDE, page, picture
from pbem.report.reader import Asked, Meta, View
from pbem.report.svg.canvas import Style
from pbem.report.svg.sheet import ACROSS, HALF_WIDTH, MARGIN
from pbem.report.text import to_do_lines
from tests.unit.report.test_text import event, fight


def test_it_says_what_happened_and_who_is_to_answer(view: View, meta: Meta) -> None:
    told = [Told(PUBLIC, fight("south", "0102", 2), 0)]
    made = page(compose(None, told, view, replace(meta, waiting=("north",), due="Friday")), with_picture=True)
    for words in ("South attacked 0102 Oxbridge", "Waiting for north, deadline Friday.", 'src="cid:map"'):
        assert words in made
    assert not re.search(r"<script|<style|<link|http|url\(|<svg", made), (
        "mail programs drop these or warn of them"
    )
    assert "cid:" not in page(compose(None, told, view, meta), with_picture=False)


def test_it_says_what_the_reader_must_do_and_by_when_as_the_text_does(view: View, meta: Meta) -> None:
    """The page listed the questions of all, and "Axis: Axis: which units move?"."""
    asked = [Asked("north", "turn", command="pbem orders new"), Asked("south", "turn")]
    made = page(compose("north", [], view, replace(meta, asked=asked, due="Friday")), with_picture=False)
    todo = to_do_lines(compose("north", [], view, replace(meta, asked=asked, due="Friday")))
    assert todo[0] == "To do: one answer, deadline Friday: pbem orders new" and len(todo) == 2
    assert f"<strong>{todo[0]}</strong>" in made and made.count(todo[1]) == 1


def test_it_stays_small_however_much_happened(view: View, meta: Meta) -> None:
    told = [Told(PUBLIC, event("won", result=f"Result {n}"), n) for n in range(400)]
    made = page(compose(None, told, view, meta), with_picture=False)
    assert made.count("<li>Result") == MOST_NEWS and f"and {400 - MOST_NEWS} more" in made
    assert len(made) < 6000


def test_names_of_people_are_text(view: View, meta: Meta) -> None:
    evil = replace(meta, title="<img src=x>", waiting=("north",), names={"north": "<b>bold</b>"})
    made = page(compose(None, [], view, evil), with_picture=False)
    assert "<img" not in made and "<b>" not in made


def test_the_picture_is_small_and_of_a_large_map_where_something_happened(view: View, meta: Meta) -> None:
    pytest.importorskip("resvg_py")
    assert 500 < len(picture(compose(None, [], view, meta))) <= MOST_PICTURE
    rows = [" ".join("." * 60) for _ in range(40)]
    large = GameMap.from_data({"legend": {".": "clear"}, "terrain": rows})
    counters = {"n1": {"owner": "north", "type": "IN", "cv": 3, "hex": "2020"}}
    wide = replace(view, chart=large, position=Position(counters))
    assert picture(compose(None, [], wide, meta)) == b"", "nothing happened"
    told = [Told(PUBLIC, fight("south", "2020", 2), 0)]
    assert 500 < len(picture(compose(None, told, wide, meta))) <= MOST_PICTURE
    assert picture(compose(None, told, replace(view, chart=None), meta)) == b""


def test_the_picture_is_twice_as_wide_as_it_is_shown_with_numbers_that_a_phone_shows(
    view: View, meta: Meta
) -> None:
    """A hex number is seven pixels high (capitals; nine with their em) where the picture is 390 wide, and the
    alternative text says what happened."""
    pytest.importorskip("resvg_py")
    told = [Told(PUBLIC, fight("south", "0102", 2), 0)]
    report = compose(None, told, view, meta)
    made = picture(report)
    assert int.from_bytes(made[16:20], "big") == PIXELS == 2 * SHOWN
    shown = page(report, with_picture=True)
    assert f'width="{SHOWN}"' in shown and 'alt="' in shown
    alternative = shown.split('alt="')[1].split('"')[0]
    assert "Oxbridge" in alternative, alternative
    across = (WIDE - 1) * ACROSS + 2 * HALF_WIDTH + 2 * MARGIN
    assert Style(mail=True).number_size * 0.72 * 390 / across >= 7
    assert Style(mail=True).number_size >= 13.4


def test_the_picture_has_a_palette_where_the_library_for_it_is_installed(
    view: View, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("oxipng")
    packed = picture(compose(None, [], view, meta))
    monkeypatch.setitem(sys.modules, "oxipng", None)
    plain = picture(compose(None, [], view, meta))
    size, kind = (
        slice(16, 24),
        25,
    )  # of the header of a PNG (RFC 2083, 4.1.1): width and height, sort of colours
    assert (plain[kind], packed[kind]) == (6, 3) and plain[size] == packed[size]
    assert len(packed) < len(plain) * 2 // 3
