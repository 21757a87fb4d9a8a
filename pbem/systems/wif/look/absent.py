"""Units out of play, as sentences name them: those in force pools and on the production track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.rules import Game, Json

from ..rules.pieces import T


def absent(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return by id the owner and type of each unit that was destroyed, is built, or waits to come."""
    return {id: {"owner": unit["owner"], "type": unit["type"]} for id, unit in known(game).items()}


def known(game: Game) -> dict[str, dict[str, str]]:
    """Return by id the owner, type and print of each unit that was destroyed, is built, or waits to come."""
    return dict(_found(T.of(game)))


def _found(t: T) -> Iterator[tuple[str, dict[str, str]]]:
    for power, entries in sorted(t.force_pool.items()):
        for entry in entries:
            if entry.id is not None:
                type, _, printed = entry.unit.partition(" ")
                yield entry.id, {"owner": power, "type": type, "printed": printed}
    for due in (
        *(due_unit for row in t.spiral.values() for due_unit in row),
        *t.repairs,
        *t.hulls,
        *t.returning,
    ):
        yield due.id, {"owner": due.owner, "type": due.type, "printed": due.printed}
