"""7 Who may know what. With `fow: open` everybody knows everything.

With `fow: gm` a side sees of an enemy hex its top combat unit and the markers there, the top Active aircraft,
ships and facilities; where no combat unit stands, what lies there but not how much (R-131).
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
"""Tracks that everybody knows. What is named nowhere is the GM's alone."""
BY_ENTRY = ("dumps", "coming", "plans", "sealed_plans", "fuelled")
"""Tracks of both sides: each entry is its owner's."""
ACTING = ("arrived", "unloaded", "rail_used", "sea_used")
"""Tracks of the side that acts in the phase."""
SEEN = ("kind", "type", "printed", "facing", "marker", "min_ar", "oos", "parent")
"""What is seen of a top unit: no losses, no stocks, no fuel."""
WINGS = ("kind", "type", "printed", "active")
THINGS = {
    "transport": ("kind", "type", "ma", "mobility"),
    "craft": ("kind", "points"),
    "extender": ("kind", "type", "range", "mobility", "ma", "point_mobility"),
}
BENEATH = ("reserve", "strat", "dg", "exploit")


def hides(game: Game) -> bool:
    """Return True if this is a game with a GM's fog."""
    return bool(game.system.hidden)


def top_unit(listed: Iterable[Unit]) -> Unit | None:
    """7.1: Return the unit on top of a stack.

    With a zone before without; the one its owner lays there; attack-capable in Combat Mode; the strongest; by
    id.
    """

    def rank(u: Unit) -> tuple[bool, bool, bool, int, str]:
        fit = u.attack_capable and u.facing == "combat" and u.marker == "none"
        return not u.zoc, not u.top, not fit, -(u.side.strength or 0), u.id

    return min(listed, key=rank, default=None)


def top_plane(listed: Iterable[Plane]) -> Plane | None:
    """7.1: Return the Active aircraft on top: a fighter, if there is one."""
    active = [p for p in listed if p.active]
    return min(active, key=lambda p: (not p.is_type("F"), -p.wing.rating, p.id), default=None)


def shown(game: Game, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the counters that the other side may be told of.

    In a game with fog the tops of their stacks, aircraft and ships.
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
    """Return the value for an event for both sides, or in a game with fog something else."""
    return instead if hides(game) else value


def tell_sighted(game: Game, side: str, listed: Iterable[Unit]) -> None:
    """7.1: Tell the other side, in a game with fog, which unit lies on top where a stack has come to."""
    moved = [u for u in listed if u.there]
    tops = shown(game, (u.id for u in moved)) if hides(game) else ()
    if tops:
        game.emit(Sighted(world_of(game).enemy(side), side, tops, moved[0].hex or ""))


def note_sightings(game: Game) -> None:
    """7.2: Note at the end of a phase that each unit on top was seen there last."""
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
        side: {id: one for id, one in seen.items() if id not in tops and maybe_unit(game, id) is not None}
        for side, seen in sightings.items()
    }
    t.tops, t.tops_turn = tops, t.turn


# what is told besides counters and tracks


def told(game: Game, hidden: bool) -> Iterator[Told]:
    """Yield what everybody sees of each side's hexes, and what a side remembers."""
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

    A unit is known as long as it stays where it was, beside a unit of one's own; of the others one remembers
    where and when.
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
    """R-131: Return what lies open in hexes without a combat unit: one of each sort."""
    found: dict[str, dict[str, Json]] = {}
    for hex, dump in T.of(game).dumps.items():
        if dump.owner == side and hex not in held:
            found.setdefault(hex, {})["dump"] = {}
    listed: list[Points | Extender | Craft] = [
        *points(game, side),
        *extenders(game, side),
        *craft(game, side),
    ]
    for one in listed:
        if one.hex is not None and one.hex not in held:
            fields = game.position.counters[one.id]
            value = _some(fields, THINGS[str(fields["kind"])])
            sort = str(fields["kind"]) if isinstance(one, Craft) else f"{fields['kind']}-{one.type}"
            found.setdefault(one.hex, {}).setdefault(sort, value)
    return {hex: dict(sorted(things.items())) for hex, things in found.items()}


# tracks that are no {owner: part}


def _of_acting(game: Game, value: Any) -> Mapping[str, Json]:
    acting = T.of(game).acting
    return {acting: value} if acting is not None else {}


def _made(game: Game, value: Any) -> Mapping[str, Json]:
    return {side: {side: value[side]} for side in world_of(game).seats if side in value}


def _organic(game: Game, value: Any) -> Mapping[str, Json]:
    return {side: [side] for side in world_of(game).seats if side in value}


def _by_entry(name: str) -> Parts:
    """Take a track of both sides apart by who owns each entry."""

    def parts(game: Game, value: Any) -> Mapping[str, Json]:
        seats, owners = world_of(game).seats, {key: _owner(game, name, key, value) for key in value}
        if isinstance(value, list):
            return {side: mine for side in seats if (mine := [key for key in value if owners[key] == side])}
        found = {side: {key: value[key] for key in value if owners[key] == side} for side in seats}
        return {side: part for side, part in found.items() if part}

    return parts


def _owner(game: Game, name: str, key: str, value: Any) -> str | None:
    if name == "dumps":
        return str(value[key]["owner"])
    if name == "coming":
        return str(value[key]["counter"]["owner"])
    fields = game.position.counters.get(key)
    return str(fields["owner"]) if fields is not None else None


# the view of a side


def fill(seen: Seen) -> None:
    """Fill in the top counter of each enemy stack, and what is remembered."""
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
