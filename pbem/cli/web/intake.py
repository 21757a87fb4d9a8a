"""Emails dropped outside a game: invitations, and letters of games here."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import field
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pbem.cli.club.games import Index
from pbem.cli.web.handing_on import BEGINS
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.trust import armour

if TYPE_CHECKING:
    from pbem.archive import Folder, Invitation
    from pbem.cli.web.desk import Desk
    from pbem.mail.read import Reading
    from pbem.trust.armour import Signed


@dataclass(frozen=True)
class Arrived:
    """The content of several emails.

    The archive of a game from another player; invitations, each with its armour; for each game here what is
    for it; and how many statements are for none.
    """

    reading: Reading
    archive: bytes = b""
    invitations: Sequence[tuple[Invitation, bytes]] = ()
    games: Mapping[str, Reading] = field(default_factory=dict)
    foreign: int = 0


def look_at(place: Desk, sent: Sequence[tuple[str, bytes]]) -> Arrived:
    """Return what was sent; nothing is taken in yet."""
    from pbem.cli.web import post

    for _, data in sent:
        if data.startswith(BEGINS) and b"roster.json" in data:
            return Arrived(post.read(()), data)
    reading = post.read(sent)
    games: dict[str, Reading] = {}
    invitations: list[tuple[Invitation, bytes]] = []
    known: set[bytes] = set()
    names = {root: name for name, root in place.games().items()} if sent else {}
    index = Index.of(names)
    folders = {part.data: index.of_statement(part.data) for part in reading.signed}
    for part in reading.signed:  # a GM answers their own invitation for a player whose keys they hold
        if any(here.is_gm for here in folders[part.data]) and _invitation(part) is not None:
            folders[part.data] = []
    for here in index.games:
        name = names[here.root]
        ours = {data for data, folder in folders.items() if here in folder}
        theirs = {data for data in ours if not _is_from(here.me, data)}
        known |= ours
        # with several seats of one game here, those that did not send it, if any
        if ours or reading.returned:
            games[name] = reading.only((theirs or ours).__contains__)
    for part in reading.signed:
        if part.data not in known and (opened := _invitation(part)) is not None:
            invitations.append((opened, armour.armour(part).encode()))
            known.add(part.data)
    return Arrived(reading, b"", invitations, games, sum(part.data not in known for part in reading.signed))


@dataclass(frozen=True)
class Entry:
    """The entry of somebody who wants a seat of a running game, or to be its deputy, as a form carries it."""

    seat: str
    name: str
    carried: str
    deputy: bool


def entries(folder: Folder, sent: Sequence[tuple[str, bytes]]) -> list[Entry]:
    """Return the entries for others to propose; nothing of them is taken in."""
    from pbem.cli.web import post

    listed: list[Entry] = []
    index = Index.of([folder.root])
    for called, data in sent if folder.stage >= 0 else ():
        for part in post.read([(called, data)]).signed:
            ours = index.of_statement(part.data) and not _is_from(folder.me, part.data)
            entry_data = json.loads(part.data) if ours else {}
            party = entry_data.get("body") if entry_data.get("type") == "join" else None
            if isinstance(party, dict) and isinstance(entry_data.get("from"), str):
                carried, deputy = b64encode(data).decode(), "seal" in party and "anchor" not in party
                listed.append(Entry(entry_data["from"], str(party.get("name", "")), carried, deputy))
    return listed


def _is_from(me: str | None, data: bytes) -> bool:
    """Return True if a statement is of the owner of a folder."""
    return me is not None and _json_object(data).get("from") == me


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        data_ = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return data_ if isinstance(data_, dict) else {}


def _invitation(signed: Signed) -> Invitation | None:
    from pbem.archive import read_invitation

    try:
        return read_invitation(signed)
    except Refused:
        return None


def invitation(source: bytes) -> Invitation:
    """Return the invitation in an email or file; Refused if there is none."""
    from pbem.archive import read_invitation
    from pbem.mail.read import read_stream

    for signed in read_stream(BytesIO(source), "invitation").signed:
        try:
            return read_invitation(signed)
        except Refused:
            continue
    return read_invitation(b"")  # says that there is none
