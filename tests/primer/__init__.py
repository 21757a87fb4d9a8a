"""The primer: a two-page invented system that uses every engine feature, public and with hidden units;
also a template."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.rules import PUBLIC, Fact, Game, Json, Position, System


def fog_facts(game: Game) -> Iterable[Fact]:
    """Own units are known to their owner; others see how many stand in a hex."""
    counts: dict[str, int] = {}
    for unit, fields in sorted(game.position.counters.items()):
        owner = str(fields["owner"])
        yield Fact(f"unit/{unit}", dict(fields), (owner,))
        key = f"blocks/{fields['hex']}/{owner}"
        counts[key] = counts.get(key, 0) + 1
    for key, count in counts.items():
        yield Fact(key, count, PUBLIC)
    for name, value in sorted(game.tracks.items()):
        hidden = name in ("moved", "card")
        yield Fact(f"track/{name}", value, () if hidden else PUBLIC)


def fog_view(facts: Mapping[str, Json], player: str, world: Any) -> Position:
    """Own units, and an unknown one for each that is only counted."""
    counters: dict[str, Any] = {}
    tracks: dict[str, Json] = {}
    for key, value in sorted(facts.items()):
        section, *rest = key.split("/")
        if section == "unit":
            counters[rest[0]] = value
        elif section == "track":
            tracks[rest[0]] = value
        elif section == "blocks" and rest[1] != player:
            assert isinstance(value, int)
            for n in range(value):
                counters[f"unknown-{rest[1]}-{rest[0]}-{n + 1}"] = {
                    "owner": rest[1],
                    "hex": rest[0],
                    "steps": 0,
                }
    return Position.from_json({"counters": counters, "tracks": tracks})


def make(name: str, *, hidden: bool) -> System:
    return System(
        name=name,
        package="tests.primer",
        edition="1",
        revision=1,
        modules=["tests.primer.rules"],
        title="The Ford",
        hidden=hidden,
        facts_hook=fog_facts if hidden else None,
        view_hook=fog_view if hidden else None,
    )


SYSTEM = make("primer", hidden=False)
FOG = make("primer-fog", hidden=True)
