"""Whose a game folder is: what the private side says of its owner."""

from __future__ import annotations

from pbem.archive.folder import private_side
from pbem.archive.folder.private_side import Private
from pbem.text.diagnostics import Diagnostic, Refused

_ROLES = {"gm": "the GM", "player": "a player", "observer": "an observer"}


class Owner:
    """The owner of a folder, by its private side; a copy without one has none."""

    def __init__(self, private: Private) -> None:
        self.private = private

    @property
    def me(self) -> str | None:
        """The party whose folder this is; None in a copy without a private side."""
        return self.private.me.party if self.private.me else None

    @property
    def role(self) -> str | None:
        """gm, player or observer; None in a copy without a private side."""
        return self.private.me.role if self.private.me else None

    @property
    def host(self) -> str | None:
        """Who began the game and makes the roster: the GM, in a game without one a player."""
        data = self.private.json(private_side.INVITATION)
        return str(data["from"]) if data else None

    @property
    def initiates(self) -> bool:
        """Whether this is the folder of who began the game."""
        return self.me is not None and self.me == self.host

    @property
    def is_gm(self) -> bool:
        """Whether this is the GM's folder."""
        return self.role == "gm"

    def need_me(self, *roles: str) -> str:
        """My party id; Refused in a folder of another role, or without a private side."""
        me = self.private.me
        if me is None:
            message = "this copy of the game has no private side, so nobody can act from it"
            raise Refused(Diagnostic("no-secret", message, help=("use the folder in which you joined",)))
        if roles and me.role not in roles:
            whose = _ROLES["gm"] if me.role == "gm" else f"{me.party}, {_ROLES[me.role]}"
            can = " or ".join(_ROLES[role] for role in roles)
            message = f"this is the folder of {whose}; only {can} can do this"
            help_ = ("that wants a folder of its own; `pbem next` does what is to be done in this one",)
            raise Refused(Diagnostic("wrong-role", message, help=help_))
        return me.party
