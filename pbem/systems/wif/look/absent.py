"""Units that are out of play, as sentences name them: what the force pools and the production track hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.rules import Game, Json

from ..rules.pieces import T


def absent(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """By id the owner and the type of each unit that was destroyed, is built, or waits to come."""
    return dict(_found(T.of(game)))


def _found(t: T) -> Iterator[tuple[str, dict[str, Json]]]:
    for power, entries in sorted(t.force_pool.items()):
        for entry in entries:
            if entry.id is not None:
                yield entry.id, {"owner": power, "type": entry.unit.split(" ", 1)[0]}
    for due in (*(one for row in t.spiral.values() for one in row), *t.repairs, *t.hulls, *t.returning):
        yield due.id, {"owner": due.owner, "type": due.type}
