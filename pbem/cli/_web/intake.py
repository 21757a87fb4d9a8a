"""What a mail is that was dropped where no game is open: an invitation, or a letter of a game here."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from pbem.cli._web.handing_on import BEGINS
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError, Refused

if TYPE_CHECKING:
    from pbem.archive import Folder, Invitation
    from pbem.cli._web.desk import Desk
    from pbem.trust.armour import Signed


@dataclass(frozen=True)
class Arrived:
    """The invitation in a mail, with the mail itself; the archive of a game that somebody handed on; or the
    short name of the game that a mail is for."""

    invitation: Invitation | None = None
    source: bytes = b""
    game: str | None = None
    archive: bytes = b""


def look_at(place: Desk, sent: Sequence[tuple[str, bytes]]) -> Arrived:
    """What was sent; nothing is taken in yet."""
    from pbem.mail.read import read_stream

    signed: list[Signed] = []
    for called, data in sent:
        if data.startswith(BEGINS):
            return Arrived(archive=data)
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


@dataclass(frozen=True)
class Entry:
    """The entry of somebody who wants to take over a seat of a game that goes on, as a form carries it."""

    seat: str
    name: str
    carried: str


def entries(folder: Folder, sent: Sequence[tuple[str, bytes]]) -> list[Entry]:
    """What came for the others to propose; nothing of it is taken in."""
    from pbem.mail.read import read_stream

    found: list[Entry] = []
    for called, data in sent if folder.stage >= 0 else ():
        for one in read_stream(BytesIO(data), called).signed:
            said = json.loads(one.data) if _is_for(folder, one.data) else {}
            party = said.get("body") if said.get("type") == "join" else None
            if isinstance(party, dict) and isinstance(said.get("from"), str):
                found.append(Entry(said["from"], str(party.get("name", "")), b64encode(data).decode()))
    return found


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
