"""Who can be asked on a terminal, and what is shown there a page at a time."""

from __future__ import annotations

import os
import shutil
import sys

import click
import pytest

from pbem.cli.shell import console
from pbem.testing.runner import _alike


class Stream:
    """A stream that is a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.text = terminal, ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(("typed", "told"), [(True, True), (True, False), (False, True), (False, False)])
def test_somebody_is_asked_where_one_can_type_and_read(
    typed: bool, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Stream(typed))
    monkeypatch.setattr(sys, "stderr", Stream(told))
    assert console.is_terminal() is (typed and told)


@pytest.mark.parametrize(
    ("lines", "stdin", "stdout", "paged"),
    [(3, True, True, True), (2, True, True, False), (9, True, False, False), (9, False, True, False)],
)
def test_results_longer_than_the_screen_are_paged(
    lines: int, stdin: bool, stdout: bool, paged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pages = Stream(stdout), list[str]()
    monkeypatch.setattr(sys, "stdin", Stream(stdin))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((80, 3)))
    monkeypatch.setattr(click, "echo_via_pager", pages.append)
    with console.paged(), console.paged():
        for number in range(lines):
            console.ready(f"line {number}")
    text = "".join(f"line {number}\n" for number in range(lines))
    assert (pages, out.text) == (([text], "") if paged else ([], text))


@pytest.mark.parametrize(
    ("legal", "wanted", "alike"),
    [
        ([1, 2], [2, 1], True),
        ([1, 2], [1], False),
        ([1], [2], False),
        ([1, 2], [1, 3], False),
        ([], [], True),
    ],
)
def test_options_are_exactly_those_expected_in_any_order(
    legal: list[int], wanted: list[int], alike: bool
) -> None:
    assert _alike(legal, wanted) is alike
