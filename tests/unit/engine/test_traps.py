"""Mistakes of authors that were silent once: each is refused where it is made."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.cursor import stop_of
from pbem.engine.decisions import Decision, decision
from pbem.engine.game import Game
from pbem.engine.growing import Draft, Growing
from pbem.engine.linting.lint import lint
from pbem.engine.outline import parse
from pbem.kit.faults import illegal
from pbem.model.events import Event, event
from pbem.model.typed import Counter
from pbem.testing.gate import views
from pbem.text.diagnostics import Refused
from tests.primer import SYSTEM
from tests.primer.rules import BidsOpened


def a_game() -> Game:
    from pbem.testing.runner import prepare

    return prepare(SYSTEM, {})


def test_an_audience_is_no_text() -> None:
    game = a_game()
    with pytest.raises(TypeError, match="audience_of"):
        game.emit(BidsOpened({"north": 1, "south": 0}, "north"), to="north")  # type: ignore[arg-type]


def test_an_event_is_told_to_everyone_its_owner_or_the_gm_and_to_no_name() -> None:
    with pytest.raises(TypeError, match="public, owner or gm"):

        @event(rule="1.1", to="italy")  # type: ignore[arg-type]
        class Told(Event):
            number: int


def test_lint_names_an_audience_that_is_a_text() -> None:
    faults = lint('def tell(game, event):\n    game.emit(event, to="italy")\n', "rules.py")
    assert [one.code for one in faults] == ["bad-audience"]
    assert not lint("def tell(game, event, to):\n    game.emit(event, to=to)\n", "rules.py")


@pytest.mark.parametrize("kind", ["orders", "report", "scenario"])
def test_no_decision_takes_the_name_of_another_schema(kind: str) -> None:
    with pytest.raises(TypeError, match="overwritten"):

        @decision(kind, rule="1.1", answer=str)
        class Question(Decision[str]):
            """A question."""

            player: str


def test_a_label_counts_from_a_year() -> None:
    root = parse({"id": "Y", "repeat_while": "on", "do": [{"leaf": "spring", "phase": "Spring {n+1900}"}]})
    leaf = root.children[0]
    assert (leaf.label, leaf.more) == ("Spring {n}", 1900)
    assert stop_of(leaf, 3, None).text == "Spring 1903"


def test_a_label_counts_from_a_year_of_the_scenario() -> None:
    said = {"leaf": "spring", "phase": "Spring {n from first_year}"}
    leaf = parse({"id": "Y", "repeat_while": "on", "do": [said]}).children[0]
    assert leaf.label == "Spring {n}"
    years = [stop_of(leaf, n, None, {"first_year": 1861}).text for n in (1, 3)]
    assert years == ["Spring 1861", "Spring 1863"]


def test_a_label_names_no_other_field() -> None:
    with pytest.raises(Refused) as refused:
        parse({"id": "Y", "do": [{"leaf": "spring", "phase": "Spring {year}"}]})
    assert [fault.code for fault in refused.value.diagnostics] == ["unknown-field"]


class Doubtful(Draft[str]):
    def faults(self, element: str) -> list[Any]:
        return []

    def do(self, element: str) -> None:
        pass

    def doubts(self) -> list[Any]:
        return [illegal("E-DOUBT", "1.1", "are you sure")]


@decision("doubtful", rule="1.1", answer=tuple[str, ...])
class DoubtfulAsked(Growing[tuple[str, ...]]):
    """A question whose doubts are made like faults."""

    player: str
    drafts = Doubtful


def test_a_doubt_never_stops_a_stage() -> None:
    game, asked = a_game(), DoubtfulAsked("north")
    assert [one.severity for one in asked.warnings(game, ("a",))] == ["warning"]
    explained = asked.explained(game, ("a",))
    assert not explained.faults and [doubt.severity for doubt in explained.doubts] == ["warning"]


def test_the_gate_names_a_field_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Badge(Counter):
        owner: str
        ribbons: list[str] = []

    monkeypatch.setattr(Badge, "__module__", f"{SYSTEM.package}.rules")
    assert any("Badge.ribbons" in str(one.message) for one in views(SYSTEM))
