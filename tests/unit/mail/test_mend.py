"""A player's own file after a mail program: what is mended, what is only reported, what is left alone."""

from __future__ import annotations

import pytest

from pbem.mail.mend import lost_indentation, mend
from pbem.text.diagnostics import Span
from pbem.text.yaml import load

FILE = """\
game: "0123456789ab"
stage: 12
answers:
  turn-order:     # one file for the whole turn; what you may answer is listed by pbem orders legal
    choice: turn
    moves:
      - {unit: R-AR2, kind: march, path: ["0405", "0406", "0507", "0606"]}
      - {unit: R-DB1, kind: mission, to: "0606"}
standing: []
"""


def _codes(text: str) -> list[str]:
    return [one.code for one in mend(text, "orders.yaml").repairs]


def _flowed(text: str, width: int = 50) -> str:
    """What `format=flowed` makes of it: stuffed, and long lines broken after a blank."""
    out = []
    for line in text.splitlines():
        rest = f" {line}" if line.startswith((" ", ">", "From ")) else line
        while len(rest) > width and " " in rest[20:width]:
            at = rest.rindex(" ", 20, width) + 1
            out.append(rest[:at])
            rest = rest[at:]
        out.append(rest)
    return "\n".join(out) + "\n"


DAMAGE = {
    "quote-prefix": lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    "quote-prefix twice": lambda text: "".join(f">> {line}\n" for line in text.splitlines()),
    "quote-prefix, empty lines too": lambda text: "".join(
        f"> {line}\n" if line else ">\n" for line in text.splitlines()
    ),
    "odd-blank": lambda text: text.replace("  ", "\u00a0 "),
    "invisible-character": lambda text: "\ufeff" + text.replace("stage", "st\u200bage"),
    "curly-quote": lambda text: text.replace('"0405"', "\u201c0405\u201d"),
    "odd-hyphen": lambda text: text.replace("R-AR2", "R\u2011AR2").replace("turn-order", "turn\u2010order"),
    "empty-lines": lambda text: text.replace("\n", "\n\n"),
    "line-ends": lambda text: text.replace("\n", "\r\r\n"),
    "flowed": _flowed,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_and_mended(name: str) -> None:
    damaged = DAMAGE[name](FILE)
    mended = mend(damaged, "orders.yaml")
    assert name.partition(" ")[0].rstrip(",") in [one.code for one in mended.repairs]
    assert load(mended.text, "orders.yaml").data == load(FILE, "orders.yaml").data


def test_everything_at_once() -> None:
    damaged = FILE
    for name in ("curly-quote", "odd-hyphen", "odd-blank", "quote-prefix", "line-ends"):
        damaged = DAMAGE[name](damaged)
    mended = mend(damaged, "orders.yaml")
    assert load(mended.text, "orders.yaml").data == load(FILE, "orders.yaml").data
    assert len(mended.repairs) == 5


def test_line_and_column_are_those_of_the_file_as_it_is() -> None:
    (repair,) = mend("stage: 12\nanswers:\n  bid:\u00a03\n", "orders.yaml").repairs
    assert (repair.line, repair.column, repair.count) == (3, 7, 1)
    quoted = mend("> stage: 12\n> answers:\n>   bid:\u00a03\n", "orders.yaml").repairs
    assert [(one.code, one.line, one.column) for one in quoted] == [
        ("quote-prefix", 1, 1),
        ("odd-blank", 3, 9),
    ]


def test_a_sound_file_is_left_alone() -> None:
    for text in (FILE, FILE + "\n# a comment > with marks\n", "stage: 12 \nanswers:\n  bid: 3 \n"):
        assert mend(text, "orders.yaml") == mend(text, "x") and mend(text, "x").repairs == ()


def test_tabs_are_not_guessed() -> None:
    text = FILE.replace("    ", "\t")
    assert mend(text, "orders.yaml").text == text


def test_lost_indentation_is_reported_and_not_guessed() -> None:
    text = "\n".join(line.lstrip() for line in FILE.splitlines())
    fault = lost_indentation(text, "orders.yaml")
    assert fault is not None and fault.span is not None
    assert (fault.code, fault.span.line) == ("lost-indentation", 4)
    assert mend(text, "orders.yaml").repairs == ()
    assert lost_indentation(FILE, "orders.yaml") is None
    assert lost_indentation("stage: 1\nstanding:\n- {bid: {value: 1}}\n", "orders.yaml") is None


def test_a_file_that_is_no_text_is_left_alone() -> None:
    assert mend(b"\xff\xfe\x00", "orders.yaml").repairs == ()
    assert _codes("") == []


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("stage: 1\nanswers:\nbid: 3\n", 3, "answers"),
        ("# mine\n\nstage: 1\nanswers: # all\n\n# this\nbid: 3\n", 7, "answers"),
        ("turn-order:\nchoice: turn\nmoves:\n", 2, "turn-order"),
        ("answers:\nbid: 3\n", 0, ""),
        ("answers:\nbid: 3\n# a third line\n\n", 0, ""),
        ("stage: 1\nanswers:\n bid: 3\n", 0, ""),
        ("stage: 1\nanswers:\n\tbid: 3\n", 0, ""),
        ("stage: 1\nanswers: {}\nstanding: []\n", 0, ""),
        ("stage: 1\ngame: x\nanswers:\n", 0, ""),
        ("stage: 1\nahead:\n- bid 3\n", 0, ""),
    ],
)
def test_the_line_behind_a_key_without_a_value_lost_its_indentation(text: str, line: int, key: str) -> None:
    """The first such line is named by its number in the file; remarks and empty lines are none."""
    fault = lost_indentation(text, "orders.yaml")
    assert (fault is None) == (line == 0)
    if fault is not None:
        assert fault.span == Span("orders.yaml", line, 1, line, 2)
        assert fault.message.endswith(f"that belong to {key}") and len(fault.help) == 1
