"""Tests of the schema of a system's reports: it accepts every event, and none with other fields."""

from __future__ import annotations

from typing import Any

from pbem.engine import schemas
from pbem.engine.system import System
from pbem.testing.playing import whole_game
from pbem.text.schema import check


def told(system: System, each: int = 5) -> list[dict[str, Any]]:
    """Return events of a whole game as in a report, a few of each kind."""
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for stage in whole_game(system, system.scenarios()[0]).stages:
        for entry in stage.outcome.told:
            kind = str(entry.event["event"])
            fields = {key: value for key, value in entry.event.items() if key not in ("event", "rule", "at")}
            by_kind.setdefault(kind, []).append({"kind": kind, "fields": fields})
    return [event for events in by_kind.values() for event in events[:each]]


def test_every_event_of_a_whole_game_fits(system: System) -> None:
    events = told(system)
    assert len({event["kind"] for event in events}) > 2
    assert check({"events": events}, schemas.report(system)) == []


def test_an_event_with_another_field_or_without_one_does_not_fit(system: System) -> None:
    schema = schemas.report(system)
    for event in told(system, each=1):
        more = {**event, "fields": {**event["fields"], "another": 1}}
        assert [fault.code for fault in check({"events": [more]}, schema)] == ["unknown-key"]
        needed = schema["$defs"][f"event-{event['kind']}"].get("required", [])
        for name in needed:
            less = {key: value for key, value in event["fields"].items() if key != name}
            faults = check({"events": [{**event, "fields": less}]}, schema)
            assert [fault.code for fault in faults] == ["missing-key"]
