"""Books of the sample games, as they were: first page, figures, careers, the map that steps, hidden units."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.cli.games.book import make
from pbem.cli.games.history import told_to
from pbem.cli.games.telling import words_of
from pbem.report.whole import book as books
from pbem.report.whole.stats_text import render
from tests.golden.digests import page
from tests.golden.test_samples import FOLDERS, LANGUAGES, history
from tests.nightly import in_ci


@in_ci
@pytest.mark.parametrize("system", FOLDERS)
def test_the_pages_of_a_book_are_made_as_they_were(
    system: str, golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    past, lang = history(system), LANGUAGES[len(system) % 2]
    monkeypatch.setattr(books, "_stage", lambda book, place: "")  # these are in test_pictures.py
    monkeypatch.setattr(books, "bare", lambda report, events=None: "")
    words = words_of(past.system, lang)
    made = make(past, None, words, {})
    files = {name: data.decode() for name, data in books.files(made)}
    lines = [
        f"{name}: {line}"
        for name, text in files.items()
        if name.endswith(".html") and text.strip()
        for line in page(text)
    ]
    stats = render(made.stats, made.last.view, made.title, told_to(past, None, words))
    golden(f"{system}-book.txt", "\n".join([*lines, stats]) + "\n")
