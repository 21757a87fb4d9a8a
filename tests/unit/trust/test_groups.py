"""The state split by audience: what is hashed, what each party sees, what cannot be forged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pbem.text import canonical
from pbem.trust import groups
from pbem.trust.errors import BadView
from pbem.trust.groups import Fact
from pbem.trust.roster import Roster

ALL = ("gm", "north", "south")


@pytest.fixture
def facts(vectors: dict[str, Any]) -> list[Fact]:
    return [
        Fact(key, value, tuple(group["audience"]))
        for group in vectors["state"]["groups"]
        for key, value in group["facts"].items()
    ]


@pytest.fixture
def state(facts: list[Fact], roster: Roster, vectors: dict[str, Any]) -> tuple[groups.Group, ...]:
    secret = bytes.fromhex(vectors["gm_secret"])
    return groups.build(facts, game=roster.game_id, stage=1, everybody=roster.everybody, secret=secret)


def test_the_state_of_the_vectors(
    state: tuple[groups.Group, ...], vectors: dict[str, Any], roster: Roster
) -> None:
    want = {tuple(group["audience"]): group for group in vectors["state"]["groups"]}
    assert {group.audience: (group.salt.hex(), group.hash.hex()) for group in state} == {
        audience: (group["salt"], group["hash"]) for audience, group in want.items()
    }
    assert [group.audience for group in state] == [ALL, ("gm", "south"), ("gm",)]
    listed = groups.group_list(reversed(state))
    assert canonical.dumps(listed).decode() == vectors["state"]["list"]
    assert groups.state_hash(roster.game_id, 1, listed).hex() == vectors["state"]["root"]


def test_the_view_of_the_vectors(
    state: tuple[groups.Group, ...], vectors: dict[str, Any], roster: Roster
) -> None:
    view = groups.view(state, "south", 1)
    assert canonical.dumps(view).decode() == vectors["view"]["plaintext"]
    seen = groups.check_view(
        view,
        party="south",
        listed=groups.group_list(state),
        game=roster.game_id,
        stage=1,
        everybody=roster.everybody,
    )
    assert {fact.key for fact in seen} == {"turn", "unit/n-07", "unit/s-03"}
    assert Fact("unit/s-03", {"hex": "0714", "steps": 1}, ("gm", "south")) in seen


def test_the_hash_of_a_sealed_view(vectors: dict[str, Any]) -> None:
    import base64

    blob = base64.b64decode(vectors["view"]["sealed_base64"])
    assert groups.view_hash(blob).hex() == vectors["view"]["hash"]


def test_the_order_of_facts_changes_nothing(facts: list[Fact], roster: Roster) -> None:
    common: dict[str, Any] = {
        "game": roster.game_id,
        "stage": 1,
        "everybody": roster.everybody,
        "secret": bytes(32),
    }
    assert groups.build(facts, **common) == groups.build(list(reversed(facts)), **common)


def test_the_public_group_is_there_even_without_facts() -> None:
    (only,) = groups.build([], game=bytes(32), stage=3, everybody=["b", "a"])
    assert (only.audience, only.salt, dict(only.facts)) == (("a", "b"), bytes(32), {})


def test_audiences_that_are_always_listed_hide_whether_there_are_facts(roster: Roster) -> None:
    made = groups.build(
        [], game=bytes(32), stage=3, everybody=ALL, secret=bytes(32), always=[("gm", "north"), ("gm",)]
    )
    assert [group.audience for group in made] == [ALL, ("gm", "north"), ("gm",)]


def test_groups_depend_on_stage_game_and_secret(facts: list[Fact]) -> None:
    def hashes(game: bytes = bytes(32), stage: int = 1, secret: bytes = bytes(32)) -> set[bytes]:
        return {g.hash for g in groups.build(facts, game=game, stage=stage, everybody=ALL, secret=secret)}

    assert not hashes() & hashes(game=b"\1" * 32)
    assert not hashes() & hashes(stage=2)
    assert len(hashes() & hashes(secret=b"\1" * 32)) == 1  # the public one


@pytest.mark.parametrize(
    "audience", [(), ("north", "gm"), ("gm", "gm"), ("gm", "stranger"), ("gm", "north", "south", "west")]
)
def test_an_audience_is_a_sorted_set_of_parties(audience: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="audience"):
        groups.build([Fact("a", 1, audience)], game=bytes(32), stage=1, everybody=ALL, secret=bytes(32))


def test_a_fact_stands_once_and_secrets_need_a_gm() -> None:
    with pytest.raises(ValueError, match="'a' appears twice"):
        groups.build(
            [Fact("a", 1, ALL), Fact("a", 1, ("gm",))],
            game=bytes(32),
            stage=1,
            everybody=ALL,
            secret=bytes(32),
        )
    with pytest.raises(ValueError, match="the secret of a GM"):
        groups.build([Fact("a", 1, ("gm",))], game=bytes(32), stage=1, everybody=ALL)


# --- views that lie -------------------------------------------------------------------------------------


def _fact(view: Any) -> None:
    view["groups"][1]["facts"]["unit/s-03"]["steps"] = 2


def _extra_fact(view: Any) -> None:
    view["groups"][0]["facts"]["unit/n-99"] = {}


def _salt(view: Any) -> None:
    view["groups"][1]["salt"] = "00" * 32


def _public_salt(view: Any) -> None:
    view["groups"][0]["salt"] = "01" * 32


def _leave_out(view: Any) -> None:
    del view["groups"][1]


def _twice(view: Any) -> None:
    view["groups"].append(view["groups"][1])


def _other_audience(view: Any) -> None:
    view["groups"][1]["audience"] = ["gm"]


def _stage(view: Any) -> None:
    view["stage"] = 2


def _member(view: Any) -> None:
    view["groups"][0]["more"] = 1


def _no_groups(view: Any) -> None:
    view["groups"] = []


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (_fact, "group of gm, south is not in the state"),
        (_extra_fact, "is not in the state"),
        (_salt, "is not in the state"),
        (_public_salt, "public group of the view must not have a salt"),
        (_leave_out, "leaves out the group of gm, south"),
        (_twice, "is not in the state"),
        (_other_audience, "group of gm is not in the state"),
        (_stage, "the view is of stage 2"),
        (_member, "does not contain a valid view"),
        (_no_groups, "does not contain a valid view"),
    ],
)
def test_a_view_that_is_not_in_the_state_is_refused(
    lie: Callable[[Any], None], why: str, state: tuple[groups.Group, ...], roster: Roster
) -> None:
    view = copy.deepcopy(groups.view(state, "south", 1))
    lie(view)
    with pytest.raises(BadView, match=why):
        groups.check_view(
            view,
            party="south",
            listed=groups.group_list(state),
            game=roster.game_id,
            stage=1,
            everybody=roster.everybody,
        )


def test_a_view_that_is_no_object_is_refused(roster: Roster) -> None:
    odds: list[Any] = [None, [], "view", {"stage": 1}]
    for odd in odds:
        with pytest.raises(BadView):
            groups.check_view(odd, party="a", listed=[], game=bytes(32), stage=1, everybody=["a"])


def test_a_view_has_its_groups_in_the_order_of_a_record(state: tuple[groups.Group, ...]) -> None:
    view: Any = groups.view(state, "south", 1)
    assert [group["audience"] for group in view["groups"]] == [[*ALL], ["gm", "south"]]
    assert "readers" not in view and groups.view(state, "south", 1, ["x"]) == {**view, "readers": ["x"]}
