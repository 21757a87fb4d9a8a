"""The comparison of an example's expectations with the result of playing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.text.diagnostics import Diagnostic


def compare(game: Game, expect: Mapping[str, Any], played: Played) -> list[str]:
    """Return every difference in position, events, refusals and questions."""
    faults: list[str] = []
    for counter, fields in expect.get("counters", {}).items():
        have = game.position.counters.get(counter)
        faults += [f"{counter} is not on the map"] if have is None else subset(have, fields, counter)
    for counter in expect.get("gone", []):
        if counter in game.position.counters:
            faults.append(f"{counter} is still on the map: {game.position.counters[counter]}")
    faults += subset(game.tracks, expect.get("tracks", {}), "tracks")
    faults += event_faults([entry.event for entry in played.told], expect)
    if "refused" in expect:
        faults += refusals([fault for _, fault in played.diagnostics], expect["refused"])
    if "asked" in expect:
        asked: dict[str, list[str]] = {}
        for question in played.pending:
            asked.setdefault(question.party, []).append(question.kind)
        if asked != expect["asked"]:
            faults.append(f"asked {asked}, expected {expect['asked']}")
    return faults


def subset(have: Any, want: Any, where: str) -> list[str]:
    """Return the differences of wanted entries; of mappings only the named keys count."""
    if isinstance(want, Mapping) and isinstance(have, Mapping):
        return [
            fault for key, value in want.items() for fault in subset(have.get(key), value, f"{where}.{key}")
        ]
    return [] if have == want else [f"{where} is {have!r}, expected {want!r}"]


# ---- events ------------------------------------------------------------------------------------------


def event_faults(events: Sequence[Mapping[str, Any]], expect: Mapping[str, Any]) -> list[str]:
    """Return faults of `events` and its relatives.

    `events`: these in this order, no other of their kinds; other kinds may come between. `events_among`:
    these in this order, anything between. `events_exactly`: these and no other. `not_events`: none of these.
    """
    kinds = [event["event"] for event in events]
    faults: list[str] = []
    for name in ("events", "events_among", "events_exactly"):
        faults += _in_order(events, expect.get(name, []))
    listed = [_pattern(want)["event"] for want in expect.get("events", [])]
    for kind in dict.fromkeys(listed):
        if kinds.count(kind) > listed.count(kind):
            others = [event for event in events if event["event"] == kind]
            counts = f"{kinds.count(kind)} events {kind}, expected {listed.count(kind)}"
            faults.append(f"{counts} (see events_among): {others}")
    if "events_exactly" in expect:
        wanted = [_pattern(want)["event"] for want in expect["events_exactly"]]
        faults += [] if kinds == wanted else [f"told {kinds}, expected exactly {wanted}"]
    for want in expect.get("not_events", []):
        faults += [f"told {event}, which must not happen: {want}" for event in events if _fits(event, want)]
    return faults


def _in_order(events: Sequence[Mapping[str, Any]], wanted: Sequence[Any]) -> list[str]:
    rest = iter(events)
    for want in wanted:
        if not any(_fits(event, want) for event in rest):
            return [f"no event {want} in this order among {[event['event'] for event in events]}: {events}"]
    return []


def _pattern(want: Any) -> Mapping[str, Any]:
    return {"event": want} if isinstance(want, str) else want


def _fits(event: Mapping[str, Any], want: Any) -> bool:
    return not subset(event, _pattern(want), "")


# ---- refusals ----------------------------------------------------------------------------------------


def refusals(diagnostics: Sequence[Diagnostic], wanted: Any) -> list[str]:
    """Return faults of `refused`.

    A list has exactly these in this order, `{contains: [...]}` these among others. Each is a code, or a
    mapping of code, rule, path and `says`, a part of the message.
    """
    shown = [(fault.code, fault.message, list(fault.path)) for fault in diagnostics]
    if isinstance(wanted, Mapping):
        missing = [
            want for want in wanted["contains"] if not any(_is_refusal(fault, want) for fault in diagnostics)
        ]
        return [f"refused {shown}, expected among them {missing}"] if missing else []
    fits = len(diagnostics) == len(wanted) and all(
        _is_refusal(refusal, want) for refusal, want in zip(diagnostics, wanted, strict=True)
    )
    return [] if fits else [f"refused {shown}, expected {list(wanted)}"]


def _is_refusal(fault: Diagnostic, want: Any) -> bool:
    if isinstance(want, str):
        return fault.code == want
    have = {"code": fault.code, "rule": fault.rule, "path": list(fault.path)}
    words = " ".join((fault.message, *fault.notes, *fault.help))
    return want.get("says", "") in words and all(have[key] == want[key] for key in want if key != "says")
