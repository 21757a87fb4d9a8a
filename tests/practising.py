"""Practice games begun once in a run of the tests, and copied for each test that plays on."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.cli.web.desk import Desk
from tests import luck
from tests.copying import copied


def practising(place: Desk, system: str, seat: str) -> str:
    """Begin a practice game at a desk, at its first question; its short name, as `Desk.practice` gives it.

    The luck of the game hangs on its system and its seat alone.
    """
    begun = _begun(system, seat)
    copied(begun, place.home / begun.name)
    return place.practice(system, seat)  # goes back to what lies there


@cache
def _begun(system: str, seat: str) -> Path:
    place = Desk(Path(_shelf().name) / f"{system} as {seat}")
    with luck.drawn_for(f"{seat} practises {system}"):
        name = place.practice(system, seat)
    return place.open(name).root.parent


@cache
def _shelf() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pbem-practice-")
