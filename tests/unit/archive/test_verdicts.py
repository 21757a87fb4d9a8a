"""Each message of `verify` has a code and a severity that programs may rely on, and a page lists them."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive.verifying.verdicts import severity, verdicts
from pbem.cli.main import cli
from pbem.text.schema import check, find
from tests.tools import make_verdicts
from tests.tools.syntax import nodes
from tests.unit.archive.forger import Forger

ROOT = Path(__file__).parents[3]
CLASSES = ("proved", "consistent", "claimed", "false")


def in_the_source() -> dict[str, set[str]]:
    """The codes that `verify` can give, by the classes in which the source says them."""
    found: dict[str, set[str]] = defaultdict(set)
    rooms = [path for room in ("archive", "stages") for path in (ROOT / "pbem" / room).rglob("*.py")]
    for path in [*rooms, ROOT / "pbem/trust/accept.py"]:
        for node in nodes(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                for code in _words(node.args[0]):
                    kind = _class(node, path.name)
                    if kind:
                        found[code].add(kind)
    return found


def _words(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_words(node.body), *_words(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _class(call: ast.Call, file: str) -> str | None:
    of = call.func
    if isinstance(of, ast.Attribute) and of.attr in CLASSES:
        return of.attr
    if not isinstance(of, ast.Name):
        return None
    if of.id == "Said":
        last = call.args[-1]
        return "proved" if isinstance(last, ast.Constant) and last.value else "claimed"
    return "false" if of.id == "Fault" or (of.id == "NotAccepted" and file == "accept.py") else None


def test_every_code_in_the_source_is_in_the_table_and_no_other() -> None:
    found = in_the_source()
    assert len(found) > 70
    assert {code: sorted(kinds) for code, kinds in sorted(found.items())} == {
        code: sorted(kind for kind in CLASSES if kind in entry) for code, entry in sorted(verdicts().items())
    }


def test_what_is_false_is_an_error_and_nothing_else_is() -> None:
    for code, entry in verdicts().items():
        weights = {kind: entry[kind] for kind in CLASSES if kind in entry}
        assert weights and set(weights.values()) <= {"error", "warning", "note"}, code
        assert all((kind == "false") == (weight == "error") for kind, weight in weights.items()), code
        assert entry["means"] and entry["protocol"], code
        assert {kind: severity(kind, code) for kind in weights} == weights


def test_page_and_schema_are_fresh() -> None:
    """`python -m tests.tools.make_verdicts` makes them."""
    assert make_verdicts.PAGE.read_text("utf-8") == make_verdicts.page()
    assert make_verdicts.SCHEMA.read_text("utf-8") == make_verdicts.schema()


@pytest.mark.parametrize("sound", [True, False])
def test_what_verify_prints_for_programs_is_as_the_schema_has_it(archive: Path, sound: bool) -> None:
    if not sound:
        f = Forger(archive)
        f.find(2, "report").unlink()
    done = CliRunner().invoke(cli, ["verify", str(archive), "--json"])
    data: Any = json.loads(done.stdout)
    assert check(data, find("verify")) == []
    assert data["ok"] is sound and (data["first_bad"] is None) is sound
    assert all("." in one["id"] and isinstance(one["fields"], dict) for one in data["findings"])
