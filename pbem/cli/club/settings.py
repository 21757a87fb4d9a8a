"""`postmaster.yaml`: what a postmaster leaves to the game master, and how often it looks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

FORFEIT, RULING = "forfeit", "ruling"
ASK = (FORFEIT, RULING)
"""Decisions that a GM may reserve: to go on without a late player, and a stage in which somebody protests."""
SEND_ON = ("06:00", "18:00")
"""Fixed hours in UTC."""
_HOUR = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_LIMIT = 64 << 10
_MOST_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class PostmasterSettings:
    """The settings.

    `ask` is left to the game master, `every` are seconds between two looks (0: as usual), and at the hours
    of `send_on` players' statements are sent on in games with pseudonyms.
    """

    ask: tuple[str, ...] = ASK
    every: int = 0
    send_on: tuple[str, ...] = SEND_ON


def file() -> Path:
    """Return where the settings are."""
    from platformdirs import user_config_path

    return user_config_path("pbem", appauthor=False) / "postmaster.yaml"


def read(path: Path) -> PostmasterSettings:
    """Return the settings in a file, the usual ones without it; Refused with all faults."""
    from pbem.text.yaml import load

    if not path.is_file():
        return PostmasterSettings()
    with path.open("rb") as source:
        data: Any = load(source.read(_LIMIT), str(path)).data
    faults: list[Diagnostic] = []
    given = data if isinstance(data, dict) else {}
    if not isinstance(data, dict | None):
        faults.append(Diagnostic("bad-settings", Message("cli.club.settings-are-no-mapping", path=path)))
    for name in sorted(set(given) - {"ask", "every", "send_on"}):
        message = Message("cli.club.unknown-setting", path=path, name=str(name))
        faults.append(Diagnostic("bad-settings", message))
    ask, every = given.get("ask", list(ASK)), given.get("every", 0)
    if not isinstance(ask, list) or any(name not in ASK for name in ask):
        message = Message("cli.club.ask-is-a-list-of", path=path, words=ASK)
        faults.append(Diagnostic("bad-settings", message))
    if not isinstance(every, int) or isinstance(every, bool) or not 0 <= every <= _MOST_SECONDS:
        faults.append(
            Diagnostic("bad-settings", Message("cli.club.every-is-seconds", path=path, most=_MOST_SECONDS))
        )
    hours = given.get("send_on", list(SEND_ON))
    if not isinstance(hours, list) or any(not _HOUR.fullmatch(str(hour)) for hour in hours):
        faults.append(Diagnostic("bad-settings", Message("cli.club.send-on-is-hours", path=path)))
    if faults:
        raise Refused(faults)
    return PostmasterSettings(tuple(ask), every, tuple(hours))
