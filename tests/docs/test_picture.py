"""The picture in the README: a report as a picture, small, and with nothing to fetch."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tests.docs.pages import ROOT
from tests.tools.make_mail_pictures import pictures
from tests.tools.make_page_picture import HEIGHT, WIDTH
from tests.tools.make_page_picture import PICTURE as PAGE
from tests.tools.make_picture import PICTURE, excerpt, picture, sections
from tests.tools.make_table_pictures import PICTURES as TABLE

REPORT = """At dawn                                                                stage 3
report for north (Nan)                                       game 0123456789ab
==============================================================================

In short
--------
  * <Red> & "blue" fought

What happened
-------------
"""


def test_the_readme_shows_the_pictures_that_are_there() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert [ROOT / name for name in shown] == [TABLE["table"], PAGE, PICTURE]


def test_the_pictures_of_the_table_are_small_and_its_page_shows_them() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "docs" / "table.md").read_text("utf-8"))
    assert [ROOT / "docs" / name for name in shown] == list(TABLE.values())
    for path in TABLE.values():
        assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and path.stat().st_size < 150_000


def test_the_picture_of_the_page_is_a_picture_and_not_too_large() -> None:
    data = PAGE.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) < 200_000
    width, height = (int.from_bytes(data[n : n + 4], "big") for n in (16, 20))
    assert (width, height) == (WIDTH, HEIGHT)


def test_the_picture_is_small_and_fetches_nothing() -> None:
    data = PICTURE.read_bytes()
    assert len(data) < 60_000
    root = ElementTree.fromstring(data)
    assert root.tag.endswith("svg")
    text = data.decode()
    assert "url(http" not in text
    assert re.findall(r"https?://[^\"' )]+", text) == ["http://www.w3.org/2000/svg"]


def test_the_picture_is_of_a_report_with_a_battle() -> None:
    root = ElementTree.fromstring(PICTURE.read_bytes())
    text = " ".join(part.replace("\xa0", " ") for part in root.itertext())
    for part in ("In short", "What happened", "battle round 1", "Position", "stage"):
        assert part in text, part


def test_long_sections_are_cut_and_the_cut_shows() -> None:
    lines = [f"  - event {number}" for number in range(100)]
    shown = excerpt(REPORT + "\n".join(lines) + "\n\nDice\n----\n  none\n")
    assert "  - event 0" in shown and "  - event 99" not in shown
    assert "  [...]" in shown
    assert "Dice" not in shown


def test_a_report_comes_apart_at_its_headings() -> None:
    assert [heading for heading, _ in sections(REPORT)] == ["", "In short", "What happened"]


def test_signs_of_markup_in_a_report_stay_signs() -> None:
    root = ElementTree.fromstring(picture(REPORT))
    assert '<Red> & "blue" fought' in " ".join(root.itertext()).replace("\xa0", " ")


def test_the_pictures_of_mail_programs_are_as_they_are_drawn_and_the_page_shows_each() -> None:
    page = (ROOT / "docs" / "mail-programs.md").read_text("utf-8")
    for path, text in pictures().items():
        assert path.read_text("utf-8") == text, f"{path.name}: python -m tests.tools.make_mail_pictures"
        assert f"(mail-programs/{path.name})" in page
        root = ElementTree.fromstring(text)
        assert [part.tag.partition("}")[2] for part in root][:2] == ["title", "desc"], "for who cannot see it"
        assert "prefers-color-scheme:dark" in text and re.findall(r"https?://[^\"' )]+", text) == [
            "http://www.w3.org/2000/svg"
        ]
