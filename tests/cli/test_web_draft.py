"""Orders by clicking: elements change places, go one by one, are put back; units that act together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web.board import _about
from pbem.cli.web.draft import OrderDraft
from pbem.cli.writing.legal import Legal
from pbem.engine.points import Points
from tests.cli.test_board import Sitting

UNITS = ("R-AR1", "R-AR2", "R-IN4")


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Sitting:
    """Red's first turn."""
    sitting = Sitting(tmp_path_factory.mktemp("second"), "victory", "red")
    sitting.choose("GT1/1.1/bid", "bid 2")
    sitting.sign()
    return sitting


@pytest.fixture
def turn(second: Sitting) -> Iterator[Turn]:
    """The turn with three moves in its draft."""
    made = Turn(second)
    for unit in UNITS:
        made.choose(unit)
    yield made
    made.path.unlink()


class Turn:
    """The question that is answered by moves, and its draft."""

    def __init__(self, at: Sitting) -> None:
        self.at, self.key = at, at.get("state")["questions"][0]["key"]

    def choose(self, unit: str) -> None:
        first = self.at.post("options", key=self.key, at=unit)["options"][0]
        self.click("choose", at=unit, number=first["number"], text=first["text"])

    def click(self, what: str, **more: Any) -> Any:
        return self.at.post(what, key=self.key, **more)

    @property
    def path(self) -> Path:
        return self.at.folder.root / "private" / "orders-0002.yaml"

    @property
    def order(self) -> list[str]:
        """What the file has, in its order: units by the number in their name, and the kind of turn."""
        lines = [line.strip() for line in self.path.read_text("utf-8").splitlines()[4:]]
        units = {f"- {{unit: {unit},": unit for unit in UNITS}
        return [next((units[begin] for begin in units if line.startswith(begin)), line) for line in lines]


@pytest.mark.parametrize(
    ("number", "to", "order"),
    [
        (1, "down", ["R-AR2", "R-AR1", "R-IN4"]),
        (2, "up", ["R-AR2", "R-AR1", "R-IN4"]),
        (3, "up", ["R-AR1", "R-IN4", "R-AR2"]),
        (2, "down", ["R-AR1", "R-IN4", "R-AR2"]),
        (3, "down", list(UNITS)),
        (9, "up", list(UNITS)),
    ],
)
def test_an_order_changes_places_with_its_neighbour(
    turn: Turn, number: int, to: str, order: list[str]
) -> None:
    """The first element is the kind of turn."""
    turn.click("shift", number=number, text=to)
    assert [one for one in turn.order if one in UNITS] == order


def test_one_order_goes_the_last_one_goes_and_all_go(turn: Turn) -> None:
    turn.click("remove", number=2)
    assert [one for one in turn.order if one in UNITS] == ["R-AR1", "R-IN4"]
    turn.click("back")
    assert [one for one in turn.order if one in UNITS] == ["R-AR1"]
    for wrong in (-1, "0", True, None):
        assert turn.click("remove", number=wrong)["changed"]
    turn.click("remove", number=9)
    assert [one for one in turn.order if one in UNITS] == ["R-AR1"]
    assert turn.click("clear")["questions"][0]["elements"] == []
    assert turn.order == [f"{turn.key}:"], "begun anew, the question stands there without an answer"


def test_the_file_of_another_time_is_put_back_unless_it_is_none(turn: Turn) -> None:
    """Its owner alone reads it, as before."""
    before = turn.path.read_text("utf-8")
    turn.click("back")
    after = turn.path.read_text("utf-8")
    for text in (before, after, before):
        said = turn.click("put", text=text)
        assert said["text"] == text == turn.path.read_text("utf-8")
        assert turn.path.stat().st_mode & 0o777 == 0o600
    assert turn.click("put", text="answers: {a: [")["faults"]
    assert turn.path.read_text("utf-8") == before


def test_the_rest_of_a_file_written_by_hand_stays_behind_what_is_clicked(turn: Turn) -> None:
    """Standing orders, and advance orders of other names, behind those of the row."""
    by_hand = "standing:\n  - {bid: {value: 1}}\nahead:\n  - {decision: bid, once: mine, answer: 3}\n"
    turn.path.write_text(turn.path.read_text("utf-8") + by_hand, "utf-8")
    turn.click("back")
    text = turn.path.read_text("utf-8")
    assert text.endswith(
        "ahead:\n  - {decision: bid, once: mine, answer: 3}\nstanding: [{bid: {value: 1}}]\n"
    )
    assert text.count("ahead:") == text.count("answers:") == 1
    head = text.splitlines()
    assert head[0].startswith("# Orders for stage 2, ") and head[2:4] == ["stage: 2", "answers:"]
    assert head[1].startswith('game: "') and len(head[1]) == len('game: ""') + 12


def test_an_answer_under_the_name_of_its_kind_is_the_answer(turn: Turn) -> None:
    """People write `turn-order` by hand; what is clicked takes its place under the whole name."""
    kind = turn.key.rpartition("/")[2]
    text = turn.path.read_text("utf-8").replace(f"{turn.key}:", f"{kind}:")
    assert turn.click("put", text=text)["questions"][0]["answered"]
    turn.click("back")
    assert turn.order == [f"{turn.key}:", "choice: turn", "moves:", *UNITS[:2]]


def test_units_that_act_together_get_one_order_and_who_cannot_is_told_why(turn: Turn) -> None:
    """Of several orders to a place the one with most of those who were sent, and each acts once."""
    orders = OrderDraft(turn.at.place.at_hand(turn.at.name))
    ways = {
        "0404": [("R-AR1",), ("R-AR1", "R-AR2"), ("R-AR1", "R-AR2", "R-IN1"), ("R-IN1", "R-IN2")],
        "0505": [("R-AR1", "R-AR2", "R-IN2"), ("R-IN4",)],
    }
    asked: list[str | None] = []

    def marches(*units: str) -> Any:
        path = ["0305", "0205", "0105"]
        return {"choice": "turn", "moves": [{"unit": unit, "kind": "march", "path": path} for unit in units]}

    def options(question: Any, at: str | None) -> list[Legal]:
        asked.append(at)
        return [
            Legal("", answer=marches(*units), points=Points(units, way=(to,)))
            for to, listed in ways.items()
            for units in listed
            if at in units
        ]

    orders.options = options  # type: ignore[method-assign]
    question = orders.question(turn.key)
    left = orders.march(question, ["R-AR2", "R-IN4", "R-AR1", "R-IN2", "R-AR2"], "0404")
    assert asked == ["R-AR2", "R-IN4", "R-IN2"] and orders.answer(question) == marches("R-AR1", "R-AR2")
    assert [one["counter"] for one in left] == ["R-IN4", "R-IN2"] and all(one["faults"] for one in left)
    assert orders.march(question, ["R-IN1", "R-IN2"], "0404") == [], "together they can"
    assert orders.answer(question) == marches("R-IN1", "R-IN2")


def test_an_order_that_is_wrong_stays_when_another_is_added(turn: Turn) -> None:
    text = turn.path.read_text("utf-8").replace(
        "{unit: R-AR1, kind: march, path: [", '{unit: R-AR1, kind: march, path: ["0909", '
    )
    turn.click("put", text=text)
    turn.click("remove", number=3)
    turn.choose("R-IN4")
    said = turn.at.get("state")
    assert turn.order[-3:] == list(UNITS) and '["0909", ' in said["text"]
    assert [bool(one["faults"]) for one in said["questions"][0]["elements"]] == [False, True, False, False]


@pytest.mark.parametrize("longer", [True, False])
def test_a_longer_form_of_the_last_order_takes_its_place(turn: Turn, longer: bool) -> None:
    orders = OrderDraft(turn.at.place.at_hand(turn.at.name))
    question = orders.question(turn.key)
    last = orders.elements(question)[-1].written
    value: Any = last.value
    more = replace(last, value={**value, "path": [*value["path"], "0303"]})
    option = Legal("further", added=more, given=True, instead=last if longer else None)
    orders.options = lambda question, at: [option]  # type: ignore[method-assign]
    orders.choose(question, None, 0, "further")
    moves = [move["path"][-1] == "0303" for move in orders.answer(question)["moves"]]
    assert moves == ([False, False, True] if longer else [False, False, False, True])


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"event": "moved", "unit": "R-1"}, True),
        ({"event": "battle", "lost": {"R-1": 1}}, True),
        ({"event": "battle", "sides": [{"units": ["B-2", "R-1"]}, {}]}, True),
        ({"event": "stacked", "pairs": (("B-2", 1), ("R-1", 2))}, True),
        ({"event": "moved", "unit": "R-11", "by": {"B-R-1": 1}}, False),
        ({"event": "said", "text": "R-1 held", "unit": None, "count": 1}, False),
    ],
)
def test_the_past_of_a_counter_is_what_names_it_anywhere(event: dict[str, Any], told: bool) -> None:
    assert _about(event, "R-1") is told
