"""Names: ids that never come back, and public names that do not tell which id is behind them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.naming import letters, new_id, public_names


def test_an_id_is_never_given_twice() -> None:
    made: dict[str, int] = {}
    ids = {new_id(made, "INF", lambda number: f"R-INF{number}") for _ in range(5)}
    assert len(ids) == 5
    assert new_id(made, "INF", lambda number: f"R-INF{number}", taken={"R-INF6"}) == "R-INF7"
    assert new_id(made, "ARM", lambda number: f"R-ARM{number}") == "R-ARM1"


def test_letters_go_on_after_z() -> None:
    assert [letters(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
    assert len({letters(n) for n in range(1000)}) == 1000


UNITS = st.dictionaries(
    st.text("abcdef", min_size=1), st.tuples(st.sampled_from(["red", "blue"]), st.integers(1, 4))
)


def named(units: dict[str, tuple[str, int]]) -> dict[str, str]:
    listed: list[Any] = [SimpleNamespace(id=id, kind=kind, cv=cv) for id, (kind, cv) in units.items()]
    return public_names(listed, lambda unit: unit.kind, lambda unit: -unit.cv)


@given(UNITS)
def test_public_names_depend_on_nothing_but_what_is_seen(units: dict[str, tuple[str, int]]) -> None:
    names = named(units)
    assert len(set(names.values())) == len(units)
    renamed = named({f"z{id}": seen for id, seen in units.items()})
    assert {(names[id], *units[id]) for id in units} == {(renamed[f"z{id}"], *units[id]) for id in units}


def test_names_of_a_kind_go_on_without_gaps_the_strongest_first() -> None:
    units = {"x": ("red", 1), "y": ("red", 4), "z": ("blue", 2), "w": ("red", 1)}
    assert named(units) == {"y": "red a", "w": "red b", "x": "red c", "z": "blue a"}
