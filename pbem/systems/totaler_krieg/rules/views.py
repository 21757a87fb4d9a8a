"""Who knows what (7): pools as they were at the start and hands are their owner's, face-down cards too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.board.position import Position
from pbem.kit.decks import deck_facts, decks_seen
from pbem.rules import PUBLIC, Fact, Game, Json, audience_of, to_json

from .pieces import T
from .printed import NOBODY

OWN = ("pending",)


def facts(game: Game) -> Iterator[Fact]:
    """The position as facts. A counter of a pool is its owner's until it was once seen."""
    hidden = bool(game.system.hidden)
    pools: dict[str, int] = {}
    for id, fields in sorted(game.position.counters.items()):
        owner = str(fields["owner"])
        secret = fields.get("spot") == "pool" and not fields.get("seen") and owner != NOBODY
        if fields.get("spot") == "pool":
            pools[owner] = pools.get(owner, 0) + 1
        audience = audience_of(*game.friends(owner)) if hidden and secret else PUBLIC
        yield Fact(f"counter/{id}", dict(fields), audience)
    for owner, count in sorted(pools.items()):
        yield Fact(f"pool/{owner}", count, PUBLIC)
    if hidden:
        yield from deck_facts(T.of(game).decks, seat=game.seat)
    for name, value in sorted(game.tracks.items()):
        if hidden and name == "decks":
            continue
        if hidden and name in OWN:
            for owner, part in sorted(value.items()):
                yield Fact(f"track/{name}/{owner}", part, audience_of(*game.friends(owner)))
        else:
            yield Fact(f"track/{name}", value, PUBLIC)


def view(known: Mapping[str, Json], player: str, world: object) -> Position:
    """The position as far as these facts tell it."""
    seen = Position()
    tracks: dict[str, Json] = {}
    for key, value in sorted(known.items()):
        section, *rest = key.split("/")
        if section == "counter" and isinstance(value, dict):
            seen.add("/".join(rest), value)
        elif section == "track" and len(rest) == 1:
            tracks[rest[0]] = value
        elif section == "track":
            parts = tracks.setdefault(rest[0], {})
            assert isinstance(parts, dict)
            parts[rest[1]] = value
    if "decks" not in tracks:
        tracks["decks"] = to_json(decks_seen(known))
    return Position(seen.counters, tracks)
