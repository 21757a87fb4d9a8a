"""Outlines that use one body twice, and what is secret in games that hide nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from pbem.engine.decisions import secrecy_in
from pbem.engine.outline import parse
from pbem.engine.resolve import question_of
from pbem.rules import Decision, decision
from pbem.text.diagnostics import Refused

TURN = {
    "id": "B",
    "each_player": "first",
    "do": [
        {"id": "B.1", "do": [{"leaf": "move", "id": "B.1.a", "rule": "4.1"}]},
        {"leaf": "fight", "id": "B.2", "when": "enemies"},
    ],
}


def test_a_node_like_another_has_its_body_under_its_own_ids() -> None:
    root = parse({"do": [TURN, {"id": "C", "like": "B", "each_player": "second", "phase": "Second"}]})
    copy = root.find("C")
    assert copy is not None and (copy.kind, copy.name, copy.label) == ("each", "second", "Second")
    assert [node.id for node in copy.walk()] == ["C", "C.1", "C.1.a", "C.2"]
    moved, fought = root.find("C.1.a"), root.find("C.2")
    assert moved is not None and (moved.name, moved.rule) == ("move", "4.1")
    assert fought is not None and fought.when == "enemies"
    assert [node.id for node in root.walk()][:5] == ["root", "B", "B.1", "B.1.a", "B.2"], (
        "the first stays as it is"
    )


@pytest.mark.parametrize(
    "node",
    [
        {"id": "C", "like": "X"},
        {"like": "B"},
        {"id": "C", "like": "B", "do": [{"leaf": "move"}]},
        {"id": "C", "like": "C"},
    ],
    ids=["unknown", "without-id", "with-a-body", "itself"],
)
def test_a_copy_of_nothing_is_refused(node: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        parse({"do": [TURN, node]})
    assert "bad-like" in [fault.code for fault in caught.value.diagnostics]


@pytest.mark.parametrize("name", ["letter", "plain"])
def test_ids_under_which_letters_commit_are_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        parse({"do": [TURN, {"leaf": "move", "id": name}]})
    assert [fault.code for fault in caught.value.diagnostics] == ["bad-id"]
    with pytest.raises(Refused):
        parse({"do": [TURN, {"leaf": name}]})


@decision("orders-of-units", rule="1.0", answer=Literal["go"], secrecy="sealed")
class Sealed(Decision[str]):
    """Where do your hidden units go?"""

    player: str


def test_what_is_for_the_game_master_alone_is_open_where_nothing_is_hidden() -> None:
    assert question_of(Sealed("red"), "k", hidden=True).secrecy == "sealed"
    assert question_of(Sealed("red"), "k", hidden=False).secrecy == "open"
    assert question_of(Sealed("red"), "k", hidden=False, together=True).secrecy == "together"


@pytest.mark.parametrize("secrecy", ["open", "together", "kept"])
def test_other_secrets_are_kept_in_every_game(secrecy: Any) -> None:
    asked = replace(Sealed("red"))
    type(asked).secrecy = secrecy
    try:
        assert secrecy_in(asked, True) == secrecy_in(asked, False) == secrecy
    finally:
        Sealed.secrecy = "sealed"
