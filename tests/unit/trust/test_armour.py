"""Statements in mail: whatever a mail program did to the text, the signature says what was sent."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.trust import armour, repairs, sshsig
from pbem.trust.armour import Found, Signed, read, signatures, sound, write
from pbem.trust.keys import FileSigner

NORTH = FileSigner.from_seed(bytes(32))
SOUTH = FileSigner.from_seed(bytes(range(32)))
DATA = ("{" + ",".join(f'"order-{i}":"Überfall — 0{i}13 > | = ???"' for i in range(40)) + "}").encode()
SIGNED = Signed(DATA, (NORTH.sign(DATA),))
HEAD = """Vector Ridge, stage 12
north: orders, revision 2

  n-12 moves 0612 0713
  n-07 attacks 0713 (odds 3:1)
"""
TEXT = write(HEAD, [SIGNED])
LINE = base64.b64encode(DATA).decode()[64:128]


# --- writing --------------------------------------------------------------------------------------------


def test_the_armour_of_the_vectors(vectors: dict[str, Any]) -> None:
    small = vectors["small"]
    signed = Signed(small["canonical"].encode(), (small["signature"],))
    assert armour.armour(signed) == small["armor"]
    assert sound(read(small["armor"])) == (signed,)


def test_a_file_has_the_readable_text_first_and_short_lines() -> None:
    assert TEXT.startswith(HEAD)
    body = TEXT[len(HEAD) :]
    assert max(map(len, body.splitlines())) == 70  # the signature's; the statement's have 64
    assert TEXT.endswith("-----END SSH SIGNATURE-----\n")
    assert write("", [SIGNED]) == armour.armour(SIGNED)


def test_several_statements_and_co_signatures_travel_together() -> None:
    other = Signed(b'{"a":1}', (SOUTH.sign(b'{"a":1}'), NORTH.sign(b'{"a":1}')))
    assert sound(read(write("two of them", [SIGNED, other]))) == (SIGNED, other)


def test_readable_text_cannot_pass_for_an_armour() -> None:
    fake = write("", [Signed(b"not signed", (NORTH.sign(b"something else"),))])
    assert sound(read(write(fake, [SIGNED]))) == (SIGNED,)
    assert len(read(write(fake, [SIGNED]))) == 1
    assert "begin pbem STATEMENT" in write(fake, [SIGNED])
    cut = "-----BEGIN PBEM STATEMENT-----\nAAAA"
    assert sound(read(cut + "\n" + TEXT)) == (SIGNED,)
    assert sound(read(TEXT + cut)) == (SIGNED,)
    assert sound(read("-----END PBEM STATEMENT-----\n-----END SSH SIGNATURE-----\n" + TEXT)) == (SIGNED,)


# --- damage ---------------------------------------------------------------------------------------------


def lines(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


def wrapped(width: int) -> Callable[[str], str]:
    return lines(lambda line: "\n".join(textwrap.wrap(line, width, break_on_hyphens=False)) if line else line)


def flowed(text: str) -> str:
    """As a sender with format=flowed leaves it: stuffed, long lines cut with a blank at the end."""
    out = []
    for line in text.split("\n"):
        stuffed = " " + line if line.startswith((" ", ">", "From ")) else line
        out += [stuffed[:40] + " ", stuffed[40:]] if len(stuffed) > 50 else [stuffed]
    return "\n".join(out)


def quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode()


def in_html(inner: str) -> str:
    return f"<html><head><style>p {{x: y}}</style></head><body>{inner}</body></html>"


def escaped(text: str) -> str:
    return html.escape(text).replace("-", "&#45;").replace("+", "&#x2b;")


DAMAGE: dict[str, Callable[[str], str]] = {
    "none": lambda text: text,
    "CR LF": lambda text: text.replace("\n", "\r\n"),
    "CR CR LF": lambda text: text.replace("\n", "\r\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "blank line after every line": lambda text: text.replace("\n", "\n\n"),
    "no line breaks": lambda text: text.replace("\n", " "),
    "all white space gone": lambda text: "".join(text.split("\n")),
    "line separators of Unicode": lambda text: text.replace("\n", "\u2028"),
    "wrapped at 72": wrapped(72),
    "wrapped at 60": wrapped(60),
    "wrapped at 40": wrapped(40),
    "quoted": lines(lambda line: "> " + line),
    "quoted twice": lines(lambda line: ">> " + line),
    "quoted with blanks": lines(lambda line: "> > " + line),
    "quoted with bars": lines(lambda line: "| " + line),
    "quoted with initials": lines(lambda line: "JD> " + line),
    "quoted with initials twice": lines(lambda line: "> JD> ab> " + line),
    "quoted with initials, no line breaks": lambda text: " ".join("JD> " + line for line in text.split("\n")),
    "quoted with a long name": lines(lambda line: "Johannes> " + line),
    "quoted and wrapped": lambda text: wrapped(60)(lines(lambda line: "> " + line)(text)),
    "wrapped and quoted": lambda text: lines(lambda line: "> " + line)(wrapped(40)(text)),
    "quoted with initials, wrapped": lambda text: wrapped(40)(lines(lambda line: "JD> " + line)(text)),
    "cut by a server after 998": lambda text: (
        text.replace("\n", " ")[:998] + "\r\n " + text.replace("\n", " ")[998:]
    ),
    "indented": lines(lambda line: "    " + line),
    "tabs": lines(lambda line: "\t" + line),
    "trailing blanks": lines(lambda line: line + "  "),
    "NBSP everywhere": lambda text: text.replace(" ", "\u00a0"),
    "NBSP in front": lines(lambda line: "\u00a0\u00a0" + line),
    "smart dashes": lambda text: text.replace("-----", "\u2014\u2014-"),
    "en dashes": lambda text: text.replace("-----", "\u2013\u2013-"),
    "minus signs": lambda text: text.replace("-", "\u2212"),
    "hyphens that do not break": lambda text: text.replace("-", "\u2011"),
    "few dashes": lambda text: text.replace("-----", "--"),
    "byte order mark": lambda text: "\ufeff" + text,
    "zero-width spaces": lambda text: text.replace("M", "\u200bM"),
    "list footer": lambda text: text + "_______________\nwargames mailing list\n-- \nsent from my pipe",
    "warning banner": lambda text: "[EXTERNAL] do not click!\n" + text,
    ">From": lambda text: text.replace("\n" + LINE, "\n>" + LINE),
    "quoted-printable": quoted_printable,
    "quoted-printable with s-nail's habits": lambda text: quoted_printable(text).replace("\n-", "\n=2D"),
    "quoted-printable, CR LF": lambda text: quoted_printable(text).replace("\n", "\r\n"),
    "quoted-printable and quoted": lambda text: lines(lambda line: "> " + line)(quoted_printable(text)),
    "entities": escaped,
    "entities and quoted": lambda text: html.escape(lines(lambda line: "> " + line)(text)),
    "entities in quoted-printable": lambda text: quoted_printable(escaped(text)),
    "html pre": lambda text: in_html(f"<pre>{html.escape(text)}</pre>"),
    "html div": lambda text: in_html("".join(f"<div>{html.escape(line)}</div>" for line in text.split("\n"))),
    "html p": lambda text: in_html(
        "".join(f"<p class='x'>{html.escape(line)}</p>\n" for line in text.split("\n"))
    ),
    "html br": lambda text: in_html(html.escape(text).replace("\n", "<br>")),
    "html br, white space collapsed": lambda text: in_html(html.escape(text).replace("\n", "<br />")).replace(
        "\n", ""
    ),
    "html with spans": lambda text: in_html(
        "<br>".join(f"<span style='mso: 1'>{html.escape(line)}</span>" for line in text.split("\n"))
    ),
    "html, all white space collapsed": lambda text: in_html(" ".join(html.escape(text).split())),
    "html with links made of numbers": lambda text: in_html(
        html.escape(text).replace("0612", '<a href="tel:0612">0612</a>').replace("\n", "<br>\n")
    ),
    "html in quoted-printable": lambda text: quoted_printable(
        in_html(html.escape(text).replace("\n", "<br>"))
    ),
    "html, quoted": lambda text: in_html(
        f"<blockquote>{html.escape(lines(lambda line: '> ' + line)(text))}</blockquote>".replace("\n", "<br>")
    ),
    "broken html": lambda text: "<![if x<p <br " + in_html(f"<pre>{html.escape(text)}"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_by_mail_programs_is_undone(damage: str) -> None:
    assert sound(read(DAMAGE[damage](TEXT))) == (SIGNED,), damage


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_to_a_mail_with_two_statements_is_undone(damage: str) -> None:
    other = Signed(b"{}", (SOUTH.sign(b"{}"), NORTH.sign(b"{}")))
    assert sound(read(DAMAGE[damage](write(HEAD, [SIGNED, other])))) == (SIGNED, other), damage


@pytest.mark.parametrize("delsp", [False, True])
def test_flowed_text_is_read_with_its_header_and_without(delsp: bool) -> None:
    text = flowed(TEXT) if delsp else "\n".join(" " + line for line in TEXT.split("\n"))
    assert sound(read(text, flowed=True, delsp=delsp)) == (SIGNED,)
    assert sound(read(text)) == (SIGNED,)


def test_a_marker_flowed_in_the_middle_of_a_word_needs_the_header() -> None:
    text = TEXT.replace("STATEMENT", "STATE \nMENT")
    assert sound(read(text)) == ()
    assert sound(read(text, flowed=True, delsp=True)) == (SIGNED,)


def test_unflowing_joins_stuffed_and_quoted_lines_as_rfc_3676_says() -> None:
    text = " From here\none \ntwo\n> quoted \n> on\n>> deeper\n-- \nname"
    assert repairs.unflow(text) == "From here\none two\n>quoted on\n>>deeper\n-- \nname"
    assert repairs.unflow("o \nne", delsp=True) == "one"


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(min_size=1, max_size=400),
    width=st.integers(30, 80),
    prefix=st.text("> |", max_size=6) | st.from_regex(r"[A-Za-z]{1,4}> ", fullmatch=True),
    newline=st.sampled_from(["\n", "\r\n", "\r\r\n", "\n\n"]),
    around=st.text(max_size=40),
)
def test_any_statement_survives_wrapping_quoting_and_line_ends(
    data: bytes, width: int, prefix: str, newline: str, around: str
) -> None:
    signed = Signed(data, (NORTH.sign(data),))
    text = lines(lambda line: prefix + line)(wrapped(width)(write(around, [signed])))
    assert sound(read(text.replace("\n", newline))) == (signed,)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_no_text_is_an_error(text: str) -> None:
    assert sound(read(text)) == ()
    mark = "-----BEGIN PBEM STATEMENT-----"
    assert sound(read(mark + text + mark.replace("BEGIN", "END") + text)) == ()
    assert signatures(text) == ()


def test_words_without_dashes_are_no_marker() -> None:
    for text in (
        "see BEGIN PBEM STATEMENT-----",
        "-----BEGIN PBEM STATEMENT here",
        "--- x BEGIN PBEM STATEMENT ---",
    ):
        assert list(repairs.marks(("PBEM STATEMENT",), text)) == []
    (mark,) = repairs.marks(("PBEM STATEMENT",), "> --  BEGIN\n> PBEM  STATEMENT \u2014-")
    assert (mark.name, mark.begins) == ("PBEM STATEMENT", True)


# --- the signature is the judge -------------------------------------------------------------------------


def test_what_was_changed_is_not_found_sound() -> None:
    one = base64.b64encode(DATA).decode()[80:90]
    assert one in TEXT
    assert sound(read(TEXT.replace(one, "AAAA" + one[4:]))) == ()
    assert read(TEXT.replace(one, "AAAA" + one[4:])) != ()


def test_only_good_signatures_stay_and_only_by_the_keys_wanted() -> None:
    text = write("", [Signed(DATA, (SOUTH.sign(b"else"), NORTH.sign(DATA), SOUTH.sign(DATA)))])
    assert sound(read(text)) == (Signed(DATA, (NORTH.sign(DATA), SOUTH.sign(DATA))),)
    assert sound(read(text), keys={SOUTH.public}) == (Signed(DATA, (SOUTH.sign(DATA),)),)
    assert sound(read(text), keys=set()) == ()


def test_signatures_of_the_same_bytes_come_together() -> None:
    text = write("", [SIGNED]) + write("> a reply", [Signed(DATA, (SOUTH.sign(DATA),))])
    assert sound(read(text)) == (Signed(DATA, (NORTH.sign(DATA), SOUTH.sign(DATA))),)


def test_a_key_that_verifies_anything_verifies_nothing_here() -> None:
    weak = b"\1" + bytes(31)
    forged = sshsig.encode(weak, weak + bytes(32))
    assert sound([Found((b"anything",), (forged,))]) == ()


def test_a_statement_without_a_signature_is_found_but_not_sound() -> None:
    found = read(repairs.mark_base64("PBEM STATEMENT", DATA))
    assert found == (Found((DATA,), ()),)
    assert sound(found) == ()
    assert read("") == () and read("-----BEGIN PBEM") == ()


def test_a_signature_under_the_wrong_statement_is_not_taken() -> None:
    other = Signed(b"{}", (SOUTH.sign(b"{}"),))
    swapped = [Signed(DATA, other.signatures), Signed(b"{}", SIGNED.signatures)]
    assert sound(read(write("", swapped))) == ()


# --- limits and files -----------------------------------------------------------------------------------


def test_a_flood_of_armours_is_cut_off() -> None:
    many = [Signed(str(i).encode(), (NORTH.sign(str(i).encode()),)) for i in range(armour.MAX_STATEMENTS + 3)]
    assert sound(read(write("", many))) == tuple(many[: armour.MAX_STATEMENTS])
    crowd = Signed(
        DATA, tuple(NORTH.sign(bytes([i])) for i in range(armour.MAX_SIGNATURES)) + SIGNED.signatures
    )
    assert sound(read(write("", [crowd]))) == ()


def test_hostile_text_takes_no_time_worth_naming() -> None:
    marker = "-----BEGIN PBEM STATEMENT-----"
    for text in (
        "-" * 200_000 + "PBEM",
        "BEGIN " * 50_000 + "PBEM",
        marker * 5_000,
        "BEGIN" + " " * 200_000 + "PBEM",
    ):
        assert sound(read(text)) == ()


def test_a_signature_file_with_other_line_ends_is_read_to_the_one_form() -> None:
    good = NORTH.sign(DATA)
    assert signatures(good) == (good,)
    assert signatures(good.replace("\n", "\r\n")) == (good,)
    assert signatures(good.rstrip("\n") + "\n\n" + SOUTH.sign(DATA)) == (good, SOUTH.sign(DATA))
    assert signatures("no signature") == ()


def test_real_mails_around_an_armour_do_not_hide_it(shared_data: Path) -> None:
    files = sorted(
        path for path in (shared_data / "mails").rglob("*") if path.is_file() and path.stat().st_size < 60_000
    )
    assert len(files) > 100
    for path in files:
        around = path.read_bytes().decode("utf-8", "replace")
        assert read(around) == (), path
        text = lines(lambda line: "> " + line)(TEXT)
        assert sound(read(f"{around}\n{text}\n{around}")) == (SIGNED,), path
