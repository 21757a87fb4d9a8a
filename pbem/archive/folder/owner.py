"""The owner of a game folder, from its private side."""

from __future__ import annotations

from pbem.archive.folder import private_side
from pbem.archive.folder.gm_side import GmSide
from pbem.archive.folder.private_side import Private
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


class Owner:
    """The owner of a folder, by its private side; a copy without one has none."""

    def __init__(self, private: Private) -> None:
        self.private = private

    @property
    def me(self) -> str | None:
        """Return the party whose folder this is, or None in a copy without a private side."""
        return self.private.me.party if self.private.me else None

    @property
    def role(self) -> str | None:
        """Return gm, player, observer or deputy, or None in a copy without a private side."""
        return self.private.me.role if self.private.me else None

    @property
    def host(self) -> str | None:
        """Return who began the game and makes the roster: the GM, or in a game without one a player."""
        data = self.private.json(private_side.INVITATION)
        return str(data["from"]) if data else None

    @property
    def initiates(self) -> bool:
        """Return True if this is the folder of the party that began the game."""
        return self.me is not None and self.me == self.host

    @property
    def is_gm(self) -> bool:
        """Return True if this is the GM's folder."""
        return self.role == "gm"

    @property
    def knows_all(self) -> bool:
        """Return True if this folder holds what the GM knows: the GM's, or a deputy's after the handover."""
        return self.private.has_gm_side

    @property
    def gm_side(self) -> GmSide:
        """Return the GM's secrets; Refused in a folder that has none."""
        side = self.private.gm_side
        if side is None:
            self.need_me("gm")
            raise AssertionError("a GM has a GM's side")
        return side

    def need_me(self, *roles: str) -> str:
        """Return my party id; Refused in a folder of another role, or without a private side."""
        me = self.private.me
        if me is None:
            message = Message("archive.folder.no-secret")
            raise Refused(
                Diagnostic(
                    "no-secret", message, help=(Message("archive.folder.use-folder-in-which-you-joined"),)
                )
            )
        if roles and me.role not in roles:
            message = Message(
                "archive.folder.wrong-role",
                role=me.role,
                party=me.party,
                gm="gm" in roles,
                player="player" in roles,
                deputy="deputy" in roles,
            )
            help_ = (Message("archive.folder.that-wants-folder-of-its-own"),)
            raise Refused(Diagnostic("wrong-role", message, help=help_))
        return me.party
