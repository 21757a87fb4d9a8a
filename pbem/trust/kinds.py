"""Kinds of statements: one row each (protocol 5.1, 5.3, 5.4, 17).

A new kind is a row here, a shape in `bodies.BODIES`, and a reader in `said`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pbem.text.dataclass import dataclass

_ALL = ("swift", "locked", "pair")
_PLAYER, _BOTH = ("player",), ("gm", "player")
_GM, _ACTING = ("gm",), ("gm", "deputy")


@dataclass(frozen=True)
class Kind:
    """Treatment of statements of one kind.

    `words`: the message that names the kind for people. `senders`: the roles that may sign it. `modes`:
    the dice modes in which it occurs. `group`: "setup" is said before the game and has no stage,
    "orders" is what a player plays, "results" is what the GM publishes. `from_start`: stage 0 has it
    too. `revisable`: a higher revision replaces it. `chained`: it must follow the newest record.
    `twice`: two of one party and revision prove that the party contradicted itself, or that the
    history forks. `rendered`: the archive keeps a text for people beside it; a report has its own
    text, and a view is sealed.
    """

    words: str
    senders: tuple[str, ...]
    modes: tuple[str, ...] = _ALL
    group: Literal["", "setup", "orders", "results"] = ""
    from_start: bool = False
    revisable: bool = True
    chained: bool = True
    twice: Literal["", "contradiction", "fork"] = ""
    rendered: bool = True


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "invitation": Kind("stages.types.invitation", _GM, group="setup", rendered=False),
        "join": Kind("stages.types.join", _PLAYER, group="setup", rendered=False),
        "roster": Kind("stages.types.roster", _GM, group="setup", rendered=False),
        "order": Kind("stages.types.order", _PLAYER, group="orders", twice="contradiction"),
        "standing": Kind("stages.types.standing", _PLAYER, group="orders", twice="contradiction"),
        "ack": Kind("stages.types.ack", _ACTING, ("swift", "locked"), twice="contradiction"),
        "lock": Kind("stages.types.lock", _ACTING, ("locked",), revisable=False, twice="fork"),
        "link": Kind("stages.types.link", _PLAYER, ("locked", "pair")),
        "report": Kind(
            "stages.types.report",
            _ACTING,
            ("swift", "locked"),
            group="results",
            from_start=True,
            twice="fork",
            rendered=False,
        ),
        "view": Kind(
            "stages.types.view",
            _ACTING,
            ("swift", "locked"),
            group="results",
            from_start=True,
            rendered=False,
        ),
        "handover": Kind("stages.types.handover", _GM, ("swift", "locked"), rendered=False),
        "charge": Kind("stages.types.charge", _ACTING, ("swift", "locked"), revisable=False),
        "amend": Kind("stages.types.amend", _BOTH, revisable=False),
        "unseal": Kind("stages.types.unseal", (*_BOTH, "deputy"), revisable=False),
        "letter": Kind(
            "stages.types.letter",
            (*_BOTH, "deputy"),
            from_start=True,
            revisable=False,
            chained=False,
            rendered=False,
        ),
        "protest": Kind(
            "stages.types.protest", (*_BOTH, "deputy", "observer"), revisable=False, chained=False
        ),
    }
)
SETUP = tuple(name for name, kind in KINDS.items() if kind.group == "setup")
