"""Plain words for questions that are not asked now: those that need a unit or place stay as they are."""

from __future__ import annotations

from pbem.archive import Folder
from pbem.cli.writing.naming import Names
from pbem.cli.writing.plain import Plain
from tests.cli.play import Table


def test_words_for_a_question_about_nobody_knows_what_stay_as_they_are(table: Table) -> None:
    """A reaction is that of one unit, which these words do not name; `nonsense` is no question."""
    folder = Folder.open(table.players["north"].root)
    plain = Plain(folder, Names.of(folder), {})
    given = {"reaction": "stay", "nonsense": "stay", "nonsense/of": ["stay", "go"]}
    assert plain.answers(given) == given and plain.read == {} and plain.several == {}
    assert plain.answers("stay") == "stay" and plain.answers(None) is None
