"""Real addresses of players in a game with pseudonyms, as their joins brought them (letters 4)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.archive.folder import layout
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.seat_letters import addresses, addresses_file
from pbem.stages import gunboat
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.errors import BadShape
from pbem.trust.shapes import MAIL


def note_joins(folder: Folder, senders: Mapping[bytes, str]) -> None:
    """Keep the addresses from which the entries came that this folder has; the first of a seat stays."""
    if not folder.initiates or not gunboat.of(folder.terms):
        return
    known = addresses(folder.private)
    found = dict(known)
    for entry in layout.entries(folder.root / layout.JOINS):
        seat, _, ending = entry.name.rpartition(".")
        data = layout.read(folder.root, f"{layout.JOINS}/{entry.name}", layout.PLAYER_LIMIT) or b""
        if ending == "json" and data in senders and seat != folder.me:
            found.setdefault(seat, senders[data])
    if found != known:
        folder.commit(addresses_file(found))


def set_address(folder: Folder, seat: str, address: str) -> None:
    """Set the real address of a seat by hand; Refused for what is none."""
    if not gunboat.of(folder.terms):
        raise Refused(Diagnostic("no-pseudonyms", Message("archive.letters.no-pseudonyms")))
    try:
        MAIL(address, ())
    except BadShape:
        message = Message("archive.letters.no-address", address=address)
        raise Refused(Diagnostic("bad-address", message)) from None
    folder.commit(addresses_file({**addresses(folder.private), seat: address}))


def without_address(folder: Readable) -> list[str]:
    """Return the players whose real address the GM of this folder does not know."""
    if not folder.is_gm or folder.roster is None or not gunboat.of(folder.terms):
        return []
    known = addresses(folder.private)
    return [one for one in folder.need_roster().players if one not in known]
