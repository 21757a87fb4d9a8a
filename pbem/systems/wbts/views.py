"""Who may know what (section 7). Without `limited_intelligence` all know everything but secret choices.

With it a player sees of an enemy stack only that the hex is occupied, whether a leader is there, and works
and forts; stocks, rosters and militia pools are their owner's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pbem.rules import GM_ONLY, PUBLIC, Fact, Game, Json, Position, audience_of

from .statics import SIDES, UNKNOWN

OWN = ("militia_ready", "made", "plan", "battle_list")
EVERYBODY = frozenset(
    "gt cup chit order done free_used rail_points losses_sp vp settlement_owner fort_owner rail_owner"
    " rail_cut militia_placed result battle fought secrets".split()
)  # any other track is for the GM alone, so that a new one is hidden until somebody says otherwise


def facts(game: Game) -> Iterator[Fact]:
    """`counter/<id>`, `occupied/<hex>/<side>`, `track/<name>[/<side>]`."""
    hidden = bool(game.system.hidden)
    there: dict[tuple[str, str], bool] = {}
    for id, fields in sorted(game.position.counters.items()):
        side, seen = str(fields["side"]), fields["type"] == "entrenchment"
        yield Fact(f"counter/{id}", dict(fields), PUBLIC if seen or not hidden else audience_of(side))
        hex = fields.get("hex")
        if isinstance(hex, str) and not seen:
            there[hex, side] = there.get((hex, side), False) or fields["type"] == "leader"
    if hidden:
        for (hex, side), led in sorted(there.items()):
            yield Fact(f"occupied/{hex}/{side}", {"leader": led}, PUBLIC)
    yield from _track_facts(game, hidden)


def _track_facts(game: Game, hidden: bool) -> Iterator[Fact]:
    for name, value in sorted(game.tracks.items()):
        if not hidden:
            yield Fact(f"track/{name}", value, PUBLIC)
        elif name == "spans":
            yield from _span_facts(game, value)
        elif name in OWN:
            for side, part in sorted(value.items()):
                yield Fact(f"track/{name}/{side}", part, audience_of(side))
        else:
            yield Fact(f"track/{name}", value, PUBLIC if name in EVERYBODY else GM_ONLY)


def _span_facts(game: Game, spans: Mapping[str, Json]) -> Iterator[Fact]:
    """Spans belong to the side of their leaders."""
    for side in SIDES:
        mine = {who: span for who, span in sorted(spans.items()) if _side_of(game, who) == side}
        if mine:
            yield Fact(f"track/spans/{side}", cast(Json, mine), audience_of(side))


def _side_of(game: Game, leader: str) -> Json:
    return game.position.counters[leader]["side"] if leader in game.position.counters else None


def view_position(known: Mapping[str, Json], player: str, world: Any) -> Position:
    """The position as far as these facts tell it: an enemy stack is one counter of type `?`."""
    counters: dict[str, dict[str, Json]] = {}
    tracks: dict[str, Json] = {name: {} for name in (*OWN, "spans")}
    stacks: list[tuple[str, str, Json]] = []
    for key, value in sorted(known.items()):
        section, *rest = key.split("/")
        if section == "counter":
            counters[rest[0]] = cast("dict[str, Json]", value)
        elif section == "occupied":
            stacks.append((rest[0], rest[1], cast("dict[str, Json]", value)["leader"]))
        elif section == "track" and len(rest) == 1:
            tracks[rest[0]] = value
        elif section == "track" and rest[0] == "spans":
            cast("dict[str, Json]", tracks["spans"]).update(cast("dict[str, Json]", value))
        elif section == "track":
            cast("dict[str, Json]", tracks[rest[0]])[rest[1]] = value
    identified = {f["side"] for f in counters.values() if f["type"] != "entrenchment"}
    for hex, side, led in stacks:
        if side not in identified:
            fields: dict[str, Json] = {"side": side, "type": UNKNOWN, "hex": hex, "leader": led}
            counters[f"{UNKNOWN}{side}-{hex}"] = fields
    return Position.from_json({"counters": cast(Json, counters), "tracks": tracks})
