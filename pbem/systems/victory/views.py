"""Who may know what (section 7): the position split into facts, and a player's view made again from his.

Everybody knows how many blocks of whom stand in each hex, and type and strength of blocks that are
face up. Which block is which only its owner and his allies know; pools and turn orders the owner alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from pbem.rules import GM_ONLY, PUBLIC, Fact, Game, Json, Position, audience_of

from .blocks import side, units
from .world import UNKNOWN

OWN = ("plan", "pool", "made")
EVERYBODY = frozenset(
    "acted active battle battles bids control initiative out passed place result round taking tied turn"
    " turn_began vp".split()
)  # any other track is for the GM alone, so that a new one is hidden until somebody says otherwise


def facts(game: Game) -> Iterator[Fact]:
    """`block/<id>`, `blocks/<hex>/<player>`, `face-up/<hex>/<player>`, `track/<name>[/<player>]`."""
    counts: dict[tuple[str, str], int] = {}
    shown: dict[tuple[str, str], list[dict[str, Json]]] = {}
    for block in units(game):
        place = (block.hex, block.owner)
        counts[place] = counts.get(place, 0) + 1
        if block.revealed:
            shown.setdefault(place, []).append({"type": block.type, "cv": block.cv})
        fields = cast(Json, dict(game.position.counters[block.id]))
        yield Fact(f"block/{block.id}", fields, audience_of(*side(game, block.owner)))
    for (hex, owner), count in sorted(counts.items()):
        yield Fact(f"blocks/{hex}/{owner}", count, PUBLIC)
    for (hex, owner), up in sorted(shown.items()):
        listed = cast("list[Json]", sorted(up, key=lambda s: (str(s["type"]), -cast(int, s["cv"]))))
        yield Fact(f"face-up/{hex}/{owner}", listed, PUBLIC)
    yield from _track_facts(game)


def _track_facts(game: Game) -> Iterator[Fact]:
    for name, value in sorted(game.tracks.items()):
        if name in OWN:
            for player, part in sorted(value.items()):
                yield Fact(f"track/{name}/{player}", part, audience_of(player))
        else:
            yield Fact(f"track/{name}", value, PUBLIC if name in EVERYBODY else GM_ONLY)


def view_position(known: Mapping[str, Json], player: str, world: Any) -> Position:
    """The position as far as these facts tell it: blocks that are only counted are counters of type `?`."""
    counters: dict[str, dict[str, Json]] = {}
    tracks: dict[str, Json] = {}
    counted: dict[tuple[str, str], int] = {}
    shown: dict[tuple[str, str], list[dict[str, Json]]] = {}
    for key, value in sorted(known.items()):
        section, *rest = key.split("/")
        if section == "block":
            counters[rest[0]] = cast("dict[str, Json]", value)
        elif section == "blocks":
            counted[rest[0], rest[1]] = cast(int, value)
        elif section == "face-up":
            shown[rest[0], rest[1]] = cast("list[dict[str, Json]]", value)
        elif section == "track" and len(rest) == 1:
            tracks[rest[0]] = value
        elif section == "track":
            cast("dict[str, Json]", tracks.setdefault(rest[0], {}))[rest[1]] = value
    identified = {fields["owner"] for fields in counters.values()}  # whose blocks are known, are all known
    for (hex, owner), count in sorted(counted.items()):
        if owner not in identified:
            counters |= _unknown(hex, owner, count, shown.get((hex, owner), []))
    for name in OWN:
        tracks.setdefault(name, {})
    return Position.from_json({"counters": cast(Json, counters), "tracks": tracks})


def _unknown(hex: str, owner: str, count: int, shown: list[dict[str, Json]]) -> dict[str, dict[str, Json]]:
    """Stand-ins for the blocks of a hex: those face up first, then as many unknown ones as are left."""
    seen: list[dict[str, Json]] = [{**up, "revealed": True} for up in shown]
    seen += [{"type": UNKNOWN} for _ in range(count - len(shown))]
    return {
        f"{UNKNOWN}{owner}-{hex}-{n}": {"owner": owner, "hex": hex, **fields}
        for n, fields in enumerate(seen, 1)
    }


def friends(game: Game, player: str) -> tuple[str, ...]:
    """The player and his allies, who see what he sees (section 7)."""
    return tuple(sorted(side(game, player)))
