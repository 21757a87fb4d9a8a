"""The form of a long answer in the order file names units of whoever reads it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.ordering.own_examples import in_own_units
from pbem.board.position import Position
from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.model.facts import may_know
from pbem.stages.views import PlayerView
from pbem.systems.ocs.rules.loops import ALLOWED
from pbem.text.yaml import load

COUNTERS = {
    "R-AR1": {"type": "AR", "owner": "red", "hex": "0305"},
    "B-AR7": {"type": "AR", "owner": "blue", "hex": "0806"},
    "B-F2": {"type": "F", "owner": "blue", "hex": "0806"},
    "B-SU1": {"type": "SU", "owner": "blue", "hex": "0806"},
}


def view(*powers: str, counters: Any = COUNTERS) -> Any:
    game = SimpleNamespace(
        players=("red", "blue"),
        powers=("germany", "france") if powers else ("red", "blue"),
        powers_of=lambda me: powers or (me,),
    )
    game.position = Position.from_json({"counters": counters, "tracks": {}})
    return SimpleNamespace(game=game, position=game.position, system=find("victory"))


def test_a_unit_becomes_one_of_ones_own_of_its_kind() -> None:
    example = '{unit: R-AR1, kind: march, path: ["0305", "0306"]} and {su: R-SU2, targets: [R-F1]}'
    wanted = '{unit: B-AR7, kind: march, path: ["0305", "0306"]} and {su: B-SU1, targets: [B-F2]}'
    assert in_own_units(example, view(), "blue") == wanted


def test_what_is_mine_stays_and_who_has_nothing_gets_no_example() -> None:
    assert in_own_units("{unit: R-AR1}", view(), "red") == "{unit: R-AR1}"
    assert in_own_units("{unit: R-AR1}", view(), "green") is None


MORE = COUNTERS | {
    id: {"type": kind, "owner": "red", "hex": "0305"}
    for id, kind in (("R-AR2", "AR"), ("R-AR3", "AR"), ("R-ZZ1", "ZZ"), ("R-F2", "F"))
}
EXAMPLES: dict[str, tuple[str, Any, str, str | None]] = {
    "nothing of anybody's, for one who has nothing": ("word: halt", view(), "green", None),
    "nothing of anybody's": ("word: halt", view(), "blue", "word: halt"),
    "only headings are left": ("a:\n  b:\n    - R-ZZ1", view(counters=MORE), "blue", None),
    "each unit once while there are others": (
        "- R-AR1\n- R-AR2\n- R-AR3",
        view(counters={**MORE, "B-AR8": {"type": "AR", "owner": "blue", "hex": "0806"}}),
        "blue",
        "- B-AR7\n- B-AR8\n- B-AR7",
    ),
    "no unit twice in a line": ("- [R-AR1, R-AR2]\n- R-F2", view(counters=MORE), "blue", "- B-F2"),
    "one's own by its letters first": (
        "- R-GU1",
        view(counters={"B-AA1": {"owner": "blue"}, "B-GU3": {"owner": "blue"}, "R-GU1": {"owner": "red"}}),
        "blue",
        "- B-GU3",
    ),
    "deeper lines belong to their heading": (
        "a:\n    - R-ZZ1\nb:\n  c:\n    - B-AR7",
        view(counters=MORE),
        "blue",
        "b:\n  c:\n    - B-AR7",
    ),
}


@pytest.mark.parametrize("case", EXAMPLES)
def test_an_example_in_ones_own_units(case: str) -> None:
    example, seen, me, wanted = EXAMPLES[case]
    assert in_own_units(example, seen, me) == wanted


def test_powers_are_ones_own_and_words_that_are_no_ids_stay() -> None:
    counters = {"FR-1": {"owner": "france"}}
    own = in_own_units("germany: [GE-1], ARM: TRUE", view("france", counters=counters), "blue")
    assert own == "germany: [FR-1], ARM: TRUE"


@pytest.mark.parametrize("name", ["ocs", "totaler-krieg", "victory", "wbts", "wif"])
def test_every_form_of_the_five_systems_has_ids_that_are_found(name: str) -> None:
    """What looks like an id in an example is one of the start position, or is given a like one."""
    system = find(name)
    scenario = system.scenarios()[0]
    options = system.options(system.scenario(scenario), {})
    real = game_of(system, start(system, scenario, options))
    position = real.position
    field = system.wording.get("map", {}).get("owner", "owner")
    owners = {position.counters[id].get(field) for id in position.counters} - {None, ""}
    for owner in sorted(map(str, owners)):
        theirs = {id for id in position.counters if position.counters[id].get(field) != owner}
        alone = {"players": (owner,), "powers": (owner,), "powers_of": lambda me: (me,)}
        game = SimpleNamespace(**{**vars(real), **alone})
        seen: Any = SimpleNamespace(game=game, position=position, system=system)
        for form in system.wording.get("answers", {}).values():
            told = in_own_units(form, seen, owner) or ""
            assert not theirs & set(re.findall(r"[A-Z][A-Za-z0-9-]*", told))


def own(name: str, seat: str, form: str, scenario: str = "", section: str = "answers") -> tuple[str, Any]:
    """A form of a system in the units of a seat at the start of a scenario, and that seat's view."""
    system = find(name)
    scenario = scenario or system.scenarios()[0]
    game = game_of(system, start(system, scenario))
    known = {f.key: f.value for f in system.facts(game) if may_know(f.audience, seat)}
    seen = PlayerView(system, scenario, seat, 1, known, ())
    return in_own_units(system.wording[section][form], seen, seat) or "", seen


ROLES = {
    "aircraft": "air",
    "escorts": "air",
    "fighters": "air",
    "atr": "air",
    "ships": "sea",
    "units": "land",
}


@pytest.mark.parametrize("scenario", ["narrow_sea_1943", "normandy_1944", "two_fronts_1943"])
def test_no_cruiser_flies_and_no_aircraft_sails(scenario: str) -> None:
    """wif: each unit of an example is one of the reader's that does what it is named for."""
    for seat in find("wif").scenario(scenario)["seats"]:
        told, seen = own("wif", seat, "impulse-letter", scenario)
        world, counters = seen.game.world, seen.position.counters
        for key, ids in re.findall(r"(\w+): \[?([A-Z]+-\w+(?:, [A-Z]+-\w+)*)", told):
            for id in ids.split(", ") if key in ROLES else ():
                arm = world.print(counters[id]["type"], counters[id].get("printed", "")).arm
                assert arm == ROLES[key], f"{seat}: {key} {id}"
                assert seen.game.seat(counters[id]["owner"]) == seat


def test_no_division_is_a_formation_and_nobody_fires_but_artillery() -> None:
    told, _ = own("ocs", "bren", "actions")
    assert "{fuel: {formation: B7}}" in told
    assert "fire: {units: [B-61A]" in own("ocs", "bren", "actions/artillery")[0]
    assert "A5-1T" not in told and "B-1T" not in told, "bren has no tanks for the line that names two"
    assert own("ocs", "bren", "arrivals", section="standing")[0].startswith("{arrivals: {B-101: ")
    assert own("ocs", "bren", "trace_provider", section="standing")[0] == "{trace_provider: {B7: B-HQ4}}"


@pytest.mark.parametrize(
    ("name", "form"), [("ocs", "actions"), ("wif", "impulse-letter"), ("victory", "turn-order")]
)
def test_every_hex_of_an_example_is_on_this_map(name: str, form: str) -> None:
    system = find(name)
    if form not in system.wording["answers"]:
        form = next(iter(system.wording["answers"]))
    for scenario in system.scenarios():
        for seat in system.scenario(scenario)["seats"]:
            told, seen = own(name, seat, form, scenario)
            chart = system.map_of(seen.game.world)
            assert chart is not None
            hexes = re.findall(r"\b\d\d\.?\d\d\b", told)
            assert all(chart.get(hex) is not None for hex in hexes), (seat, scenario, hexes)


def test_a_heading_of_which_nothing_is_left_goes_too() -> None:
    example = "a:\n  - {unit: R-ZZ1}\nb:\n  - {unit: R-AR1}"
    counters = {**COUNTERS, "R-ZZ1": {"type": "ZZ", "owner": "red", "hex": "0305"}}
    assert in_own_units(example, view(counters=counters), "blue") == "b:\n  - {unit: B-AR7}"


@pytest.mark.parametrize("name", ["ocs", "totaler-krieg", "victory", "wbts", "wif"])
def test_no_example_says_a_line_twice(name: str) -> None:
    for section in ("answers", "spoken"):
        for kind, text in find(name).wording.get(section, {}).items():
            assert len(set(text.splitlines())) == len(text.splitlines()), kind


@pytest.mark.parametrize("segment", list(ALLOWED))
def test_a_segment_of_ocs_shows_what_may_be_ordered_in_it(segment: str) -> None:
    """A Reaction Phase showed attacks and work of engineers, which nobody may order then."""
    wording = find("ocs").wording
    shown = load(wording["answers"].get(f"actions/{segment}", wording["answers"]["actions"]), "example").data
    kinds = {kind for action in shown["actions"] for kind in action if kind != "if"}
    assert kinds and kinds <= set(ALLOWED[segment])
    said = wording["spoken"].get(f"actions/{segment}", wording["spoken"]["actions"])
    verbs = {"attack": "attack", "fires": "fire", "builds": "build", "fuel": "fuel", "to": "move"}
    assert {verbs[word] for word in said.split() if word in verbs} <= set(ALLOWED[segment])
