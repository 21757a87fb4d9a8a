"""Answers for named readers by their test vectors (protocol-letters 3, 8), and views that must be refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.text import canonical
from pbem.trust import commit, readers, records
from pbem.trust.errors import BadRecord, BadView
from pbem.trust.readers import ForReaders
from pbem.trust.roster import Roster

_VECTORS = Path(__file__).parents[2] / "data/protocol-letters-vectors.json"


@pytest.fixture(scope="module")
def vector() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_VECTORS.read_text("utf-8"))["readers"]
    return data


@pytest.fixture(scope="module")
def entry(vector: dict[str, Any]) -> ForReaders:
    return ForReaders(tuple(vector["audience"]), vector["facts"], vector["nonces"])


@pytest.fixture(scope="module")
def named(vector: dict[str, Any]) -> readers.Listed:
    return ((tuple(vector["audience"]), vector["hash"]),)


def test_salt_and_hash_are_those_of_the_vectors(
    vector: dict[str, Any], entry: ForReaders, roster: Roster, named: readers.Listed
) -> None:
    assert canonical.dumps(dict(entry.facts)).decode() == vector["facts_canonical"]
    assert entry.salt().hex() == vector["salt"]
    assert entry.hash(roster.game_id, vector["stage"]) == vector["hash"]
    assert readers.listed([entry], roster.game_id, vector["stage"]) == named


def test_the_answer_fits_the_commitment_of_the_vectors(
    vector: dict[str, Any], entry: ForReaders, roster: Roster
) -> None:
    [(party, decision, nonce, value)] = entry.answers()
    args = (roster.game_id, vector["stage"], party, decision, bytes.fromhex(nonce), value)
    assert commit.commitment(*args).hex() == vector["commit"]


def test_a_record_lists_readers_beside_its_groups(vector: dict[str, Any], named: readers.Listed) -> None:
    record = records.check(json.loads(vector["record_2"]))
    assert record.head == vector["head_2"]
    assert record.readers == named
    assert record.kept == {"north": ("note",)}
    assert canonical.dumps({"readers": record.data["readers"]}).decode() == vector["in_record"]


@pytest.mark.parametrize("bad", ([], [[["north", "gm"], "0" * 64]], [[[], "0" * 64]], [[["gm"], "x"]]))
def test_a_record_with_readers_out_of_shape_is_none(vector: dict[str, Any], bad: Any) -> None:
    with pytest.raises(BadRecord):
        records.check(json.loads(vector["record_2"]) | {"readers": bad})


def test_a_view_holds_each_entry_that_names_its_reader(
    vector: dict[str, Any], entry: ForReaders, roster: Roster, named: readers.Listed
) -> None:
    other = ForReaders(("gm", "south"), {"answer/south/note": 1}, {"south": {"note": "0" * 64}})
    assert (
        canonical.dumps({"readers": readers.in_view([other, entry], "north")}).decode() == (vector["in_view"])
    )
    shown = json.loads(vector["in_view"])["readers"]
    assert readers.check_view(shown, "north", named, roster.game_id, vector["stage"]) == (entry,)
    assert readers.check_view([], "south", named, roster.game_id, vector["stage"]) == ()


def changed(vector: dict[str, Any], change: Any) -> Any:
    shown = json.loads(vector["in_view"])["readers"]
    change(shown)
    return shown


WRONG = {
    "another word": lambda shown: shown[0]["facts"].update({"answer/north/note": {"text": "Leave Sarn."}}),
    "another nonce": lambda shown: shown[0]["nonces"]["north"].update(note="0" * 64),
    "an event more": lambda shown: shown[0]["facts"].update({"event/gm.north/0002": {}}),
    "an answer without nonce": lambda shown: shown[0]["facts"].update({"answer/north/other": 1}),
    "a nonce without answer": lambda shown: shown[0]["nonces"]["north"].update(other="0" * 64),
    "other readers": lambda shown: shown[0].update(audience=["gm", "north", "south"]),
    "twice": lambda shown: shown.append(shown[0]),
    "left out": lambda shown: shown.clear(),
    "a member more": lambda shown: shown[0].update(salt="0" * 64),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_a_view_that_says_something_else_is_refused_and_quotes_nothing(
    vector: dict[str, Any], roster: Roster, named: readers.Listed, change: Any
) -> None:
    with pytest.raises(BadView) as refused:
        readers.check_view(changed(vector, change), "north", named, roster.game_id, vector["stage"])
    assert "Sarn" not in str(refused.value)


def test_what_is_no_list_of_entries_is_refused(
    roster: Roster, named: readers.Listed, vector: dict[str, Any]
) -> None:
    for found in (None, {}, "x", [1], [{}], [[["gm"], 1]]):
        with pytest.raises(BadView):
            readers.check_view(found, "north", named, roster.game_id, vector["stage"])


def test_entries_are_in_the_order_of_a_record_whatever_order_they_came_in(roster: Roster) -> None:
    def entry(*audience: str) -> ForReaders:
        return ForReaders(audience, {}, {})

    ordered = [entry("gm", "north", "south"), entry("gm", "north"), entry("north", "south"), entry("south")]
    for came in (ordered, ordered[::-1], ordered[2:] + ordered[:2]):
        found = [audience for audience, _ in readers.listed(came, roster.game_id, 3)]
        assert found == [one.audience for one in ordered]
        view: Any = readers.in_view(came, "north")
        assert [one["audience"] for one in view] == [list(one.audience) for one in ordered[:3]]
        of_south: Any = readers.in_view(came, "south")
        assert [one["audience"] for one in of_south] == [
            list(one.audience) for one in (ordered[0], *ordered[2:])
        ]
