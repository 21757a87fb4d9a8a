"""7: Views of the sides.

With `fow: open` both sides know everything.

With `fow: gm` a side sees in an enemy hex the top combat unit and the markers, the top Active aircraft, ships
and facilities. In a hex without combat units it also sees which supply and transport is there, but not how
much (R-131).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pbem.board.position import Fields
from pbem.kit.hidden import Hidden, Parts, Seen, Told
from pbem.rules import Game, Json, Message

from .events.moving import Sighted
from .pieces import (
    Craft,
    Extender,
    Plane,
    Points,
    Sight,
    T,
    Unit,
    craft,
    extenders,
    maybe_unit,
    planes,
    points,
    units,
    world_of,
)

V = TypeVar("V")
PUBLIC_TRACKS = frozenset(
    "turn ground flight winner first simulcast phase acting bases hedgehogs ports control busted barraged"
    " attacked dead points_lost gauge converted blown razed targeted intercepts vp result landed".split()
)
"""Tracks that both sides know. The GM alone knows tracks that are named nowhere here."""
BY_ENTRY = ("dumps", "coming", "plans", "sealed_plans", "fuelled")
"""Tracks of both sides, in which each entry belongs to one side."""
ACTING = ("arrived", "unloaded", "rail_used", "sea_used")
"""Tracks of the side that acts in the phase."""
SEEN = ("kind", "type", "printed", "facing", "marker", "min_ar", "oos", "parent")
"""Fields of a top unit that the enemy sees: no losses, stocks or fuel."""
WINGS = ("kind", "type", "printed", "active")
THINGS = {
    "transport": ("kind", "type", "ma", "mobility"),
    "craft": ("kind", "points"),
    "extender": ("kind", "type", "range", "mobility", "ma", "point_mobility"),
}
BENEATH = ("reserve", "strat", "dg", "exploit")


def hides(game: Game) -> bool:
    """Return True if the game has fog run by the GM."""
    return bool(game.system.hidden)


def top_unit(listed: Iterable[Unit]) -> Unit | None:
    """7.1: Return the unit on top of a stack.

    Units that exert a zone come first, then the one that the owner puts on top, then units that can attack in
    Combat Mode; then strength decides, then the id.
    """

    def rank(u: Unit) -> tuple[bool, bool, bool, int, str]:
        fit = u.attack_capable and u.facing == "combat" and u.marker == "none"
        return not u.zoc, not u.top, not fit, -(u.side.strength or 0), u.id

    return min(listed, key=rank, default=None)


def top_plane(listed: Iterable[Plane]) -> Plane | None:
    """7.1: Return the Active aircraft on top: a fighter if there is one."""
    active = [p for p in listed if p.active]
    return min(active, key=lambda p: (not p.is_type("F"), -p.wing.rating, p.id), default=None)


def shown(game: Game, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the counters in `ids` that the other side may see in an event.

    In a game with fog, these are units on top of a stack, aircraft and ships.
    """
    listed = tuple(ids)
    return tuple(id for id in listed if _on_top(game, id)) if hides(game) else listed


def _on_top(game: Game, id: str) -> bool:
    fields = game.position.counters.get(id)
    if fields is None or fields["kind"] in ("transport", "extender", "craft"):
        return False
    if fields["kind"] in ("aircraft", "ship"):
        return True
    u = Unit(game, id)
    best = top_unit(units(game, u.owner, u.hex)) if u.hex is not None else None
    return best is not None and best.id == id


def secret(game: Game, value: V, instead: V) -> V:
    """Return the value for an event that both sides read, or `instead` in a game with fog."""
    return instead if hides(game) else value


def tell_sighted(game: Game, side: str, listed: Iterable[Unit]) -> None:
    """7.1: Tell the other side which unit is on top where units arrived, in a game with fog."""
    moved = [u for u in listed if u.there]
    tops = shown(game, (u.id for u in moved)) if hides(game) else ()
    if tops:
        game.emit(Sighted(world_of(game).enemy(side), side, tops, moved[0].hex or ""))


def note_sightings(game: Game) -> None:
    """7.2: Record the units now on top, and where those no longer on top were last seen."""
    if not hides(game):
        return
    world, t = world_of(game), T.of(game)
    tops: dict[str, str] = {}
    for side in world.seats:
        held = {u.hex or "" for u in units(game, side) if u.hex in world.terrains}
        for hex in sorted(held):
            best = top_unit(units(game, side, hex))
            assert best is not None
            tops[best.id] = hex
    sightings = {side: dict(t.sightings.get(side, {})) for side in world.seats}
    for id, hex in t.tops.items():
        u = maybe_unit(game, id)
        if id not in tops and u is not None:
            sightings[world.enemy(u.owner)][id] = Sight(hex, t.tops_turn)
    t.sightings = {
        side: {id: sight for id, sight in seen.items() if id not in tops and maybe_unit(game, id) is not None}
        for side, seen in sightings.items()
    }
    t.tops, t.tops_turn = tops, t.turn


def told(game: Game, hidden: bool) -> Iterator[Told]:
    """Yield what both sides see in each other's hexes, and what each remembers."""
    if not hidden:
        return
    world, counters = world_of(game), game.position.counters
    for side in world.seats:
        held = {hex for u in units(game, side) if (hex := u.hex) is not None}
        for hex in sorted(held):
            here = units(game, side, hex)
            best = top_unit(here)
            assert best is not None
            seen: dict[str, Json] = {"unit": best.id, **_some(counters[best.id], SEEN)}
            marks = {u.marker for u in here if u.marker != best.marker}
            if beneath := [mark for mark in BENEATH if mark in marks]:
                seen["beneath"] = list(beneath)
            yield Told("stack", f"{hex}/{side}", seen)
        for hex in sorted({p.hex for p in planes(game, side) if p.hex is not None}):
            if (first := top_plane(planes(game, side, hex))) is not None:
                value: dict[str, Json] = {"plane": first.id, **_some(counters[first.id], WINGS)}
                yield Told("wings", f"{hex}/{side}", value)
        for hex, things in sorted(_things(game, side, held).items()):
            yield Told("things", f"{hex}/{side}", things)
        yield from _remembered(game, side)


def _remembered(game: Game, side: str) -> Iterator[Told]:
    """7.2: Yield what a side remembers of enemy units that it has seen.

    It still knows a unit that is in the same hex, with a unit of its own in that hex or beside it. Of the
    others it remembers where and when it saw them.
    """
    counters, world = game.position.counters, world_of(game)
    for id, sight in sorted(T.of(game).sightings.get(side, {}).items()):
        u, near = maybe_unit(game, id), (sight.hex, *world.beside(sight.hex))
        if u is not None and _on_top(game, id):
            continue
        if u is not None and u.hex == sight.hex and any(units(game, side, hex) for hex in near):
            value: dict[str, Json] = {"owner": u.owner, "hex": sight.hex, **_some(counters[id], SEEN)}
            yield Told("beneath", f"{id}/{side}", value, side)
        else:
            yield Told("sighting", f"{id}/{side}", {"hex": sight.hex, "turn": sight.turn}, side)


def _some(fields: Fields, names: Iterable[str]) -> dict[str, Json]:
    return {name: fields[name] for name in names if name in fields}


def _things(game: Game, side: str, held: set[str]) -> dict[str, Json]:
    """R-131: Return the supply and transport seen in hexes without combat units: one entry for each sort."""
    seen: dict[str, dict[str, Json]] = {}
    for hex, dump in T.of(game).dumps.items():
        if dump.owner == side and hex not in held:
            seen.setdefault(hex, {})["dump"] = {}
    listed: list[Points | Extender | Craft] = [
        *points(game, side),
        *extenders(game, side),
        *craft(game, side),
    ]
    for counter in listed:
        if counter.hex is not None and counter.hex not in held:
            fields = game.position.counters[counter.id]
            value = _some(fields, THINGS[str(fields["kind"])])
            sort = str(fields["kind"]) if isinstance(counter, Craft) else f"{fields['kind']}-{counter.type}"
            seen.setdefault(counter.hex, {}).setdefault(sort, value)
    return {hex: dict(sorted(things.items())) for hex, things in seen.items()}


def _of_acting(game: Game, value: Any) -> Mapping[str, Json]:
    acting = T.of(game).acting
    return {acting: value} if acting is not None else {}


def _made(game: Game, value: Any) -> Mapping[str, Json]:
    return {side: {side: value[side]} for side in world_of(game).seats if side in value}


def _organic(game: Game, value: Any) -> Mapping[str, Json]:
    return {side: [side] for side in world_of(game).seats if side in value}


def _by_entry(name: str) -> Parts:
    """Return a function that divides a track of both sides by the owners of its entries."""

    def parts(game: Game, value: Any) -> Mapping[str, Json]:
        seats, owners = world_of(game).seats, {key: _owner(game, name, key, value) for key in value}
        if isinstance(value, list):
            return {side: mine for side in seats if (mine := [key for key in value if owners[key] == side])}
        shares = {side: {key: value[key] for key in value if owners[key] == side} for side in seats}
        return {side: share for side, share in shares.items() if share}

    return parts


def _owner(game: Game, name: str, key: str, value: Any) -> str | None:
    if name == "dumps":
        return str(value[key]["owner"])
    if name == "coming":
        return str(value[key]["counter"]["owner"])
    fields = game.position.counters.get(key)
    return str(fields["owner"]) if fields is not None else None


def fill(seen: Seen) -> None:
    """Add to a view the enemy counters that the side sees, and what it remembers."""
    for (id, *_), value in seen.told("beneath"):
        if isinstance(value, dict) and id not in seen.counters:
            seen.counters[id] = value
    for (id, *_), value in seen.told("sighting"):
        if isinstance(value, dict):
            listed = seen.tracks.get("last_seen")
            words = Message("ocs.views.plan-in-turn", rest=id, hex=value["hex"], turn=value["turn"])
            seen.tracks["last_seen"] = [*(listed if isinstance(listed, list) else ()), words]
    for section in ("stack", "things", "wings"):
        for (hex, owner), value in seen.told(section):
            if owner not in seen.mine and isinstance(value, dict):
                _stand_in(seen, section, hex, owner, value)


def _stand_in(seen: Seen, section: str, hex: str, owner: str, value: Mapping[str, Any]) -> None:
    place = {"owner": owner, "hex": hex}
    if section in ("stack", "wings"):
        id = str(value["unit" if section == "stack" else "plane"])
        seen.counters[id] = {**_some(value, (*SEEN, "active", "beneath")), **place}
        return
    for sort, fields in value.items():
        if sort == "dump":
            dumps = seen.tracks.setdefault("dumps", {})
            assert isinstance(dumps, dict)
            dumps[hex] = {"owner": owner, "t": 1}
        else:
            points_ = {"points": 1} if sort.startswith("transport") else {}
            seen.counters[f"?{owner}-{hex}-{sort}"] = {**fields, **points_, **place}


HIDDEN = Hidden(
    public=PUBLIC_TRACKS,
    parts={
        **{name: _by_entry(name) for name in BY_ENTRY},
        **dict.fromkeys(ACTING, _of_acting),
        "made": _made,
        "uses_organic": _organic,
    },
    told=told,
    fill=fill,
    seen=lambda fields: fields["kind"] == "ship",
)
