"""Records: the outcome of a stage in one encoding only."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.text import canonical
from pbem.trust import records
from pbem.trust.errors import BadRecord
from pbem.trust.groups import Fact, build
from pbem.trust.roster import Roster

H0, H1, H2, H3 = ("0" * 64, "1" * 64, "2" * 64, "3" * 64)


def played(**change: Any) -> Any:
    record: Any = {
        "stage": 2,
        "prev": H0,
        "accepted": {"north": H1, "south": None},
        "forfeits": ["south"],
        "links": {"gm": H0, "north": H1},
        "seed": H2,
        "events": H3,
        "groups": [[["gm", "north"], H0], [["gm"], H1]],
        "state": H2,
        "asked": {"north": ["orders"]},
    }
    record.update(change)
    return {name: value for name, value in record.items() if value is not ...}


def test_the_heads_of_the_vectors(vectors: dict[str, Any]) -> None:
    for text, head in (
        (vectors["record_0"]["canonical"], vectors["record_0"]["head"]),
        (vectors["record"]["canonical"], vectors["record"]["head"]),
        (vectors["amend"]["record_2"], vectors["amend"]["head"]),
    ):
        assert records.head(json.loads(text)).hex() == head
    events = json.loads(vectors["events"]["canonical"])
    assert records.events_hash(events).hex() == vectors["events"]["hash"]


def test_the_builder_makes_record_1_of_the_vectors(vectors: dict[str, Any], roster: Roster) -> None:
    want = json.loads(vectors["record"]["canonical"])
    facts = [
        Fact(key, value, tuple(group["audience"]))
        for group in vectors["state"]["groups"]
        for key, value in group["facts"].items()
    ]
    secret = bytes.fromhex(vectors["gm_secret"])
    made = records.record(
        roster.game_id,
        1,
        bytes.fromhex(want["prev"]),
        accepted=want["accepted"],
        forfeits=[],
        links={party: bytes.fromhex(link) for party, link in want["links"].items()},
        openings={party: records.shown_in(each) for party, each in want["openings"].items()},
        seed=bytes.fromhex(want["seed"]),
        events=bytes.fromhex(want["events"]),
        groups=build(facts, game=roster.game_id, stage=1, everybody=roster.everybody, secret=secret),
        asked={"north": ["initiative-bid"], "south": []},
    )
    assert made.asked == {"north": ("initiative-bid",)}
    # the vectors were made before `asked` came into the record (17)
    before = {name: value for name, value in made.data.items() if name != "asked"}
    assert canonical.dumps(before).decode() == vectors["record"]["canonical"]
    assert records.head(before).hex() == vectors["record"]["head"]


def test_the_start_and_a_closed_stage(vectors: dict[str, Any], roster: Roster) -> None:
    start = records.record_zero(roster.game_id, build([], game=roster.game_id, stage=0, everybody=["a"]), {})
    assert (start.prev, start.stage, start.asked) == (roster.game, 0, {})
    assert start.kind == "zero"
    made = records.closed(2, bytes.fromhex(vectors["record"]["head"]), [vectors["amend"]["sid"]])
    assert canonical.dumps(made.data).decode() == vectors["amend"]["record_2"]
    assert made.kind == "closed"


def test_empty_members_are_left_out_and_lists_sorted() -> None:
    group = build([], game=bytes(32), stage=2, everybody=["gm", "north"])
    common: dict[str, Any] = {
        "accepted": {"north": None, "south": None},
        "forfeits": {"south", "north"},
        "links": {"gm": bytes(32)},
        "seed": bytes(32),
        "events": records.events_hash([]),
        "groups": group,
    }
    plain = records.record(bytes(32), 2, bytes(32), openings={"north": {}}, asked={}, **common)
    assert plain.forfeits == ("north", "south")
    assert {"openings", "kept", "lock", "amends", "standing"}.isdisjoint(plain.data)
    full = records.record(
        bytes(32),
        2,
        bytes(32),
        openings={"north": {"bid": records.Shown(H0, None, 1)}},
        asked={"north": ["z", "a"]},
        kept={"north": ["plan", "card"], "south": []},
        lock=H1,
        amends=[H2, H1],
        standing={"south": H3},
        **common,
    )
    assert (full.kept, full.amends) == ({"north": ("card", "plan")}, (H1, H2))
    assert full.asked == {"north": ("z", "a")}
    assert (full.lock, full.standing) == (H1, {"south": H3})
    assert full.openings == {"north": {"bid": records.Shown(H0, None, 1)}}


def test_a_whole_record_passes() -> None:
    assert records.check(played()).kind == "played"
    records.check(played(accepted={}, forfeits=[], asked={}))
    opening = {"nonce": H0, "value": [1], "stage": 1}
    records.check(played(openings={"north": {"plan": opening}}, kept={"north": ["plan"]}))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"accepted": ...}, "unknown member"),  # then it is read as a closed one
        ({"asked": ...}, "asked is missing"),
        ({"forfeits": ...}, "forfeits is missing"),
        ({"links": ...}, "links is missing"),
        ({"seed": ...}, "seed is missing"),
        ({"links": {}}, "links: empty"),
        ({"openings": {}}, "openings: empty"),
        ({"openings": {"north": {}}}, "openings.north: empty"),
        ({"kept": {}}, "kept: empty"),
        ({"amends": []}, "amends: empty"),
        ({"standing": {}}, "standing: empty"),
        ({"lock": None}, "lock: null"),
        ({"asked": {"north": []}}, "asked.north: empty"),
        ({"asked": {"north": ["a", "a"]}}, "asked.north: it has an entry twice"),
        ({"asked": {"north": ["a b"]}}, "asked.north.0"),
        ({"extra": 1}, "unknown member 'extra'"),
        ({"stage": -1}, "stage: -1"),
        ({"stage": True}, "stage: True"),
        ({"stage": 2**31}, "stage: 2147483648"),
        ({"prev": H0.upper().replace("0", "A")}, "prev"),
        ({"accepted": {"north": H1, "south": None, "west": None}}, "accepted.west: nothing of west"),
        ({"forfeits": ["south", "west"]}, "west was not asked"),
        ({"forfeits": ["south", "north"]}, "ascending"),
        ({"amends": [H2, H1]}, "ascending"),
        ({"groups": [[["gm"], H1], [["gm", "north"], H0]]}, "order of their audiences"),
        ({"groups": [[["gm"], H1], [["gm"], H1]]}, "order of their audiences"),
        ({"groups": [[["north", "gm"], H0]]}, "groups.0.0"),
        ({"groups": [[["gm"], H0, 1]]}, "groups.0"),
        ({"groups": []}, "groups: empty"),
        ({"groups": {}}, "groups"),
        (
            {"openings": {"north": {"plan": {"nonce": H0, "value": 1}}}, "kept": {"north": ["plan"]}},
            "plan is both revealed and kept",
        ),
        ({"openings": {"north": {"plan": {"nonce": H0}}}}, "value is missing"),
        ({"openings": {"north": {"plan": {"nonce": H0, "value": 1, "stage": 0}}}}, "stage: 0"),
    ],
)
def test_a_record_of_another_shape_is_refused_and_the_place_named(change: dict[str, Any], where: str) -> None:
    with pytest.raises(BadRecord) as caught:
        records.check(played(**change))
    assert where in str(caught.value)


def test_other_records_have_exactly_their_members() -> None:
    zero: Any = {"stage": 0, "prev": H0, "groups": [[["a"], H0]], "state": H1, "asked": {}}
    records.check(zero)
    closed: Any = {"stage": 2, "prev": H0, "amends": [H1]}
    records.check(closed)
    bad_ones: list[Any] = [
        {**zero, "seed": H0},
        {**zero, "accepted": {}},
        {name: value for name, value in zero.items() if name != "asked"},
        {**closed, "asked": {}},
        {**closed, "amends": []},
        [],
        None,
        {},
    ]
    for bad in bad_ones:
        with pytest.raises(BadRecord):
            records.check(bad)


def test_what_no_head_can_be_made_of_is_no_record() -> None:
    """Found by fuzzing: a damaged file passed the check, and its head was an error of another kind."""
    for value in (1.5, 2**60, "\x1b[2J", {"a b": 1}):
        bad = played(openings={"north": {"bid": {"nonce": H0, "value": value}}})
        with pytest.raises(BadRecord, match="no head can be computed"):
            records.check(bad)


def test_a_closed_stage_names_its_amendments_in_ascending_order() -> None:
    one, two = "ab" * 32, "cd" * 32
    closed = records.closed(3, bytes(32), [two, one])
    assert closed == records.closed(3, bytes(32), [one, two]) and closed.amends == (one, two)
    assert records.check(closed.data) == closed
