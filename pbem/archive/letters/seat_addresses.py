"""Real addresses of players in a game with pseudonyms, as their joins brought them (letters 4)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.archive.folder import layout
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.seat_letters import addresses, addresses_file, newcomer
from pbem.stages import gunboat
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.errors import BadShape
from pbem.trust.shapes import MAIL


def note_joins(folder: Folder, senders: Mapping[bytes, str]) -> None:
    """Keep the addresses from which this folder's entries came; the first one of a seat stays."""
    if not folder.initiates or not gunboat.of(folder.terms):
        return
    known = addresses(folder.private)
    merged = dict(known)
    for entry in layout.entries(folder.root / layout.JOINS):
        seat, _, ending = entry.name.rpartition(".")
        data = layout.read(folder.root, f"{layout.JOINS}/{entry.name}", layout.PLAYER_LIMIT) or b""
        if ending == "json" and data in senders and seat != folder.me:
            merged.setdefault(seat, senders[data])
    if merged != known:
        folder.commit(addresses_file(merged))


def set_address(folder: Folder, seat: str, address: str) -> None:
    """Set the real address of a seat by hand; Refused if it is not an address."""
    if not gunboat.of(folder.terms):
        raise Refused(Diagnostic("no-pseudonyms", Message("archive.letters.no-pseudonyms")))
    add_addresses(folder, {seat: _checked(address)})


def add_addresses(folder: Folder, more: Mapping[str, str]) -> None:
    """Keep these addresses beside those that are known."""
    if more:
        folder.commit(addresses_file({**addresses(folder.private), **more}))


def of_newcomer(folder: Readable, op: Mapping[str, Json], address: str | None) -> dict[str, str]:
    """Return the address to keep for who is to take a seat over by this op; {} if none is needed.

    Until then its owner keeps getting their emails. Refused without an address, and for anybody but the GM.
    """
    seat = str(op["party"])
    if not gunboat.of(folder.terms) or seat == folder.terms.arbiter:
        return {}
    if not folder.is_gm:
        raise Refused(Diagnostic("role", Message("archive.letters.gm-proposes-the-newcomer")))
    name = newcomer(seat, str(op["sign"]))
    if address is not None:
        return {name: _checked(address)}
    if name not in addresses(folder.private):
        message = Message("archive.letters.no-newcomers-address", seat=seat)
        help_ = (Message("archive.letters.say-newcomers-address"),)
        raise Refused(Diagnostic("bad-address", message, help=help_))
    return {}


def _checked(address: str) -> str:
    try:
        MAIL(address, ())
    except BadShape:
        message = Message("archive.letters.no-address", address=address)
        raise Refused(Diagnostic("bad-address", message)) from None
    return address


def without_address(folder: Readable) -> list[str]:
    """Return the players whose real address the GM of this folder does not know."""
    if not folder.is_gm or folder.roster is None or not gunboat.of(folder.terms):
        return []
    known = addresses(folder.private)
    return [player for player in folder.need_roster().players if player not in known]
