"""Powers beside seats: what a scenario's `powers:` and `cooperate:` say, and who controls a power now.

    powers: {germany: {seat: axis}, italy: {seat: axis}, uk: {seat: allies}}
    cooperate: [[germany, italy]]          # powers of which each works together with each; the others do not

Who controls a power may change in play: the track `seats` says so, which rules, and a GM's ruling, may
change. Without `powers:` every player is a power, and there is no such track.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.board.position import Position
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.decisions import Decision
    from pbem.engine.game import Game

TRACK = "seats"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


def seats_at_start(scenario: Mapping[str, Any]) -> dict[str, str]:
    """Return power -> seat as in the scenario, or {} if players have no powers."""
    return {str(power): str(power_data["seat"]) for power, power_data in scenario.get("powers", {}).items()}


def put_up(scenario: Mapping[str, Any], players: Sequence[str], position: Position) -> None:
    """Set the track of powers at the start of a game.

    Raises Refused, with all faults, if the scenario's powers are inconsistent.
    """
    faults = list(_faults(scenario, players))
    if faults:
        raise Refused(faults)
    seats = seats_at_start(scenario)
    if seats:
        position.tracks.setdefault(TRACK, dict(seats))


def _faults(scenario: Mapping[str, Any], players: Sequence[str]) -> Iterator[Diagnostic]:
    powers = scenario.get("powers", {})
    for power, power_data in powers.items():
        seat = power_data.get("seat") if isinstance(power_data, Mapping) else None
        if seat not in players:
            message = Message("engine.powers.power-seat-one", power=power, seat=seat, players=tuple(players))
            yield Diagnostic("bad-power", message, path=("powers", str(power), "seat"))
        if not _NAME.fullmatch(str(power)):
            message = Message("engine.powers.cannot-stand-in-key-letters", power=power)
            yield Diagnostic("bad-power", message, path=("powers", str(power)))
    for i, group in enumerate(scenario.get("cooperate", [])):
        for power in group:
            if power not in (powers or players):
                message = Message("engine.powers.no-power-cooperate", power=power)
                yield Diagnostic("bad-power", message, path=("cooperate", i))


def seats(scenario: Mapping[str, Any], tracks: Mapping[str, Any], players: Sequence[str]) -> dict[str, str]:
    """Return power -> the player who controls it now."""
    start = seats_at_start(scenario) or {player: player for player in players}
    now = tracks.get(TRACK, {})
    return {power: str(now.get(power, seat)) for power, seat in start.items()}


def unseated(power: str) -> Refused:
    """Return the refusal of a scenario whose rules know a power that no seat has."""
    return Refused(Diagnostic("bad-power", Message("engine.powers.unseated", power=power), path=("powers",)))


def cooperate(scenario: Mapping[str, Any], power: str, other: str) -> bool:
    """Return True if two powers cooperate; every power does with itself."""
    return power == other or any(power in group and other in group for group in scenario.get("cooperate", []))


def answerer(asked: Decision[Any]) -> dict[str, Json]:
    """Return who must have given a recorded answer: the player, or for a power its controller then."""
    return {} if isinstance(getattr(asked, "power", None), str) else {"party": asked.player}


def check(game: Game, asked: Decision[Any]) -> None:
    """Check that a question about a power goes to its controller.

    Anything else is a fault of the rules.
    """
    power = getattr(asked, "power", None)
    if isinstance(power, str):
        seat = game.seat(power)
        assert seat == asked.player, (
            f"{asked.kind} about {power} is asked of {asked.player}, {seat} controls it"
        )
