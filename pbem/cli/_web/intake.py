"""What a mail is that was dropped where no game is open: an invitation, or a letter of a game here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError, Refused

if TYPE_CHECKING:
    from pbem.archive import Folder, Invitation
    from pbem.cli._web.desk import Desk
    from pbem.trust.armour import Signed


@dataclass(frozen=True)
class Arrived:
    """The invitation in a mail, with the mail itself; or the short name of the game that a mail is for."""

    invitation: Invitation | None = None
    source: bytes = b""
    game: str | None = None


def look_at(place: Desk, sent: Sequence[tuple[str, bytes]]) -> Arrived:
    """What was sent; nothing is taken in yet."""
    from pbem.mail.read import read_stream

    signed: list[Signed] = []
    for called, data in sent:
        try:
            return Arrived(invitation(data), data)
        except Refused:
            signed += read_stream(BytesIO(data), called).signed
    for name in place.games() if signed else ():
        try:
            folder = place.open(name)
        except PbemError:
            continue
        if any(_is_for(folder, one.data) for one in signed):
            return Arrived(game=name)
    return Arrived()


def _is_for(folder: Folder, data: bytes) -> bool:
    """Is a statement of this folder's game, and from somebody else?"""
    try:
        found = json.loads(data)
        game, salt, sender = found.get("game"), found.get("salt"), found.get("from")
    except (ValueError, RecursionError, AttributeError):
        return False
    known = folder.roster.game if folder.roster is not None else None
    mine = sender is not None and sender == folder.me
    return not mine and (salt == folder.terms.salt.hex() or (game is not None and game == known))


def invitation(source: bytes) -> Invitation:
    """The invitation in a mail or file; Refused if there is none."""
    from pbem.archive import read_invitation
    from pbem.mail.read import read_stream

    for signed in read_stream(BytesIO(source), "invitation").signed:
        try:
            return read_invitation(signed)
        except Refused:
            continue
    return read_invitation(b"")  # says that there is none
