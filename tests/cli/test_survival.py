"""Order files that an editor changed: the text as it was meant, each repair said, a document named."""

from __future__ import annotations

import codecs

import pytest

from pbem.cli.writing.survival import foreign, saved

BLANKS, ENDS = "odd spaces became ordinary ones", "odd line ends became ordinary ones"
CURLY, DASHES = "curly quotes became straight ones", "long dashes became plain ones"
INVISIBLE, MARK = "invisible characters were ignored", "the mark at the beginning was ignored"
TABS, UTF_16, WINDOWS = "tabs became spaces", "read as UTF-16", "read as Windows-1252"
LINE = "stage: 1\n"


@pytest.mark.parametrize(
    ("source", "text", "said"),
    [
        (codecs.BOM_UTF8 + LINE.encode(), LINE, [MARK]),
        (LINE.encode("utf-16"), LINE, [UTF_16]),
        (codecs.BOM_UTF16_BE + LINE.encode("utf-16-be"), LINE, [UTF_16]),
        (LINE.encode("utf-16-le"), LINE, [UTF_16]),
        (LINE.encode("utf-16-be"), LINE, [UTF_16]),
        ((LINE * 20 + "# я" + "я" * 900).encode("utf-16-le"), LINE * 20 + "# я" + "я" * 900, [UTF_16]),
        ("# Köln\n".encode("cp1252"), "# Köln\n", [WINDOWS]),
        (b"a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n", None),
        (b"a: 1\rb: 2\r", "a: 1\nb: 2\n", [ENDS]),
        (b"a: 1\r\nb: 2\r", "a: 1\nb: 2\n", [ENDS]),
        ("a:\u00a01\n".encode(), "a: 1\n", [BLANKS]),
        ("a: 1\u200b\n".encode(), "a: 1\n", [INVISIBLE]),
        ("a: “x”\nb: ‘y’\n".encode(), "a: \"x\"\nb: 'y'\n", [CURLY]),
        ("a: R—1\n".encode(), "a: R-1\n", [DASHES]),
        ("a: R—1 # to be – or “not”\n".encode(), "a: R-1 # to be – or “not”\n", [DASHES]),
        ("# “mine”\n".encode(), "# “mine”\n", None),
        ("a: R#—1\n".encode(), "a: R#-1\n", [DASHES]),
        (b"a:\n\tb: 1\n", "a:\n  b: 1\n", [TABS]),
        (b"a:\n    b: 1\n\tc: 2\n", "a:\n    b: 1\n    c: 2\n", [TABS]),
        (b"a:\n      b:\n\tc: 1\n", "a:\n      b:\n        c: 1\n", [TABS]),
        (b"a:\t1\n", "a: 1\n", [TABS]),
        (b"a: [\n\tb\n", "a: [\n\tb\n", None),
        (LINE.encode(), LINE, None),
        (b"", "", None),
        (codecs.BOM_UTF8 + "a:\u00a0“x”–\n".encode(), 'a: "x"-\n', [MARK, BLANKS, CURLY, DASHES]),
    ],
)  # fmt: skip
def test_what_an_editor_changed_is_undone_and_said_once(
    source: bytes, text: str, said: list[str] | None
) -> None:
    """What stands in a comment stays; a file without such changes is no matter of this."""
    made = saved(source, "orders.yaml")
    assert (made and list(made.said)) == said
    assert made is None or made.text == text


@pytest.mark.parametrize(
    "source",
    [codecs.BOM_UTF8 + b"\xff", codecs.BOM_UTF16_LE + b"a", b"a\0b\0c", b"\x81\x8d\n"],
)  # fmt: skip
def test_bytes_that_no_encoding_reads_stay_as_they_are(source: bytes) -> None:
    assert saved(source, "orders.yaml") is None


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (b"PK\x03\x04rest", ".docx"),
        (b"{\\rtf1 a}", ".rtf"),
        (b"\xd0\xcf\x11\xe0\xa1", ".doc"),
        (b"%PDF-1.7", "PDF"),
        (b"\n  <!DOCTYPE html>", "web page"),
        (b"<HTML><body>", "web page"),
        (b"stage: 1 # <html>", None),
        (b"a document of %PDF and more than twenty bytes", None),
    ],
)
def test_a_document_that_is_no_plain_text_is_named(source: bytes, what: str | None) -> None:
    fault = foreign(source, "orders.doc")
    assert (fault is None) == (what is None)
    if fault is not None and what is not None:
        assert fault.message.startswith("orders.doc") and what in fault.message and len(fault.help) == 2
