"""HTML mail becomes text; no page is too broken or too hostile, and none is looked at more than once over."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.trust import armour, hypertext
from pbem.trust.armour import Signed, read, sound, write
from pbem.trust.hypertext import decode_entities, looks_like_html, to_text
from pbem.trust.keys import FileSigner

SIZE = 256 * 1024
SIGNER = FileSigner.from_seed(bytes(32))
SIGNED = Signed(b'{"x":1}', (SIGNER.sign(b'{"x":1}'),))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one<p class='x > y'>two</p>", "\none\n y'>two\n"),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("a <b>bold</b> word", "a bold word"),
        ("<style>p {x: y}</style>a<script>if (1 < 2) b()</script>c", "ac"),
        ("a<!-- not <b>this -->b", "ab"),
        ("<!DOCTYPE html><?xml version='1'?>a", "a"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("&#45;&#x2d;&minus;&lt;&nbsp;&amp;", "--−< &"),
        ("<td>a</td><unknown>b</unknown>", "\na\nb"),
        ("a<p", "a\n"),
        ("a<!--b", "a"),
        ("a<script>b", "a"),
    ],
)
def test_a_page_becomes_its_text(page: str, text: str) -> None:
    assert to_text(page) == text


def test_references_to_no_character_stay_as_they_are() -> None:
    for text in ("&#12345678;", "&#x1234567;", "&#" + "9" * 5000 + ";", "&nosuchthing;", "&;", "&#;", "&#x;"):
        assert decode_entities(text) == text
    assert decode_entities("&#0000000045;&#x000000000002D") == "--"
    assert decode_entities("&ampamp;") == "&amp;"


def test_only_tags_that_mail_programs_write_make_a_page() -> None:
    assert looks_like_html("a<br>b") and looks_like_html('<DIV class="x">')
    assert not looks_like_html("1 <2 > 3, <north@example.org>, <https://example.org>")


HOSTILE = {
    "open tags": "<a ",
    "open paragraphs": "<p ",
    "open end tags": "</a ",
    "open comments": "<!--",
    "half comments": "<!-",
    "open declarations": "<![if ",
    "open instructions": "<?",
    "open scripts": "<script ",
    "scripts in scripts": "<script>",
    "open styles that begin to end": "<style></styl",
    "open quotes": "<a b='",
    "attributes": "<p a=b c=d ",
    "nothing but <": "<",
    "nothing but &": "&",
    "numbers of characters": "&#9",
    "one reference": "&#99",
    "words of characters": "&ampa",
    "quoted-printable": "=3Ca =\n",
}


def _hostile(name: str) -> str:
    start, unit = ("&#", "9") if name == "one reference" else ("", HOSTILE[name])
    return start + unit * (SIZE // len(unit))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("end", ["", ">"])
def test_a_hostile_page_neither_stops_the_tool_nor_hides_what_stands_before_it(name: str, end: str) -> None:
    hostile = _hostile(name) + end
    assert len(to_text(hostile)) <= len(hostile)
    assert sound(read(f"{write('', [SIGNED])}\n{hostile}")) == (SIGNED,)
    assert sound(read(f"<p>{hostile}PBEM{armour.STATEMENT}")) == ()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_token_runs_on_to_the_end_where_nothing_closes_it(name: str) -> None:
    """The pattern never fails after it has begun a tag or comment, so no text is tried from every `<` on."""
    hostile = _hostile(name)
    looked_at = sum(len(token.group()) for token in hypertext.TOKEN.finditer(hostile))
    starts = len(list(hypertext.TOKEN.finditer(hostile)))
    assert looked_at <= len(hostile)
    if hostile.startswith("<") and len(HOSTILE[name]) > 1 and ">" not in hostile and "<!-" != HOSTILE[name]:
        assert (starts, looked_at) == (1, len(hostile))


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("<>!-/&#;xp a1scriptyle"), max_size=60))
def test_no_page_is_an_error_and_text_never_grows(page: str) -> None:
    assert len(to_text(page)) <= len(page)
