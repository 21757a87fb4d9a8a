"""Emails of a game with pseudonyms: players write to the GM alone, the GM to each player alone.

Real addresses are in `private/` of the GM, and of each player their own (protocol-letters 4). Headers are
changed as bytes; the body, which carries what was signed, stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.private_side import Private
from pbem.trust.roster import Party

ADDRESSES = f"{layout.PRIVATE}/addresses.json"
"""Real addresses by seat: all in the GM's folder, one's own in that of a player."""
_FIELD = re.compile(rb"(?im)^(from|to|cc):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n")
_RECIPIENT = re.compile(rb"(?:^|[\s,])\"?([a-z][a-z0-9-]{0,15})\"?\s*<")
_IN_STAGE = re.compile(r"(stage-[0-9]{4,10}-)(.+)")


def addresses(side: Private) -> dict[str, str]:
    """Return the real addresses that this folder knows, by seat."""
    stored = side.json(ADDRESSES) or {}
    return {str(seat): str(address) for seat, address in stored.items()}


def addresses_file(known: Mapping[str, str]) -> Changes:
    """Return the file with real addresses."""
    changes = Changes()
    changes.write(ADDRESSES, json.dumps(dict(known), indent=1, sort_keys=True) + "\n")
    return changes


def newcomer(seat: str, sign: str) -> str:
    """Return the name under which a new player's address is kept until the seat has this key."""
    return f"{seat}.{sha256(sign.encode()).hexdigest()[:16]}"


def of_seats(known: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses of those who have the seats now."""
    return {seat: address for seat, address in known.items() if "." not in seat}


def settled_file(known: Mapping[str, str], in_force: bytes) -> Changes:
    """Return the addresses once this roster is in force, if a newcomer has a seat in it."""
    parties = json.loads(in_force)["roster"]["parties"]
    names = {party["id"]: newcomer(party["id"], party["sign"]) for party in parties}
    come = {seat: known[name] for seat, name in names.items() if name in known}
    kept = {name: address for name, address in known.items() if name.partition(".")[0] not in come}
    return addresses_file(kept | come) if come else Changes()


def as_sent(changes: Changes, parties: Iterable[Party], me: str, known: Mapping[str, str]) -> Changes:
    """Return changes with emails as `me` sends them, and with the addresses that hold from then on."""
    listed = list(parties)
    players = [party.id for party in listed if party.role == "player"]
    host = ", ".join(party.mail for party in listed if party.role in ("gm", "deputy") and party.id != me)
    gm = any(party.id == me and party.role == "gm" for party in listed)
    if not known and not gm:  # a deputy before the handover knows nobody's address: the GM sends it on
        players.append(me)
    made = by_seat(changes, players, me, host, known)
    for name, data in changes.files.items():
        if name.endswith(layout.IN_FORCE) and me not in players:
            made.update(settled_file(known, data))
    return made


def by_seat(
    changes: Changes, players: Collection[str], me: str, gm: str, known: Mapping[str, str]
) -> Changes:
    """Return changes whose emails name no two players' addresses together.

    `players` are the seats whose emails go to `gm` alone if one of them is `me`: the addresses of the GM and
    of the deputy, if there is one. The GM's emails are split, one for each player, in `private/letters/`. One
    that names a seat twice is also for those who are to take it over.
    """
    made = Changes(dict(changes.files), set(changes.removed))
    for name, data in changes.files.items():
        if not name.endswith(".eml") or not name.startswith((f"{layout.OUTBOX}/", f"{layout.OWN_LETTERS}/")):
            continue
        if me in players:
            made.write(name, _redirected(data, gm, known.get(me)))
            continue
        seats, others = _recipients(data, players)
        if seats:
            made.files.pop(name)
            if name not in changes.removed and name.startswith(layout.OUTBOX):
                made.removed.add(name)
        for seat in dict.fromkeys(seats):
            made.write(_name_for(name, seat), _redirected(data, known.get(seat, "")))
            coming = [
                address for address in known if address.startswith(f"{seat}.") and seats.count(seat) > 1
            ]
            for address in coming:
                made.write(_name_for(name, address), _redirected(data, known[address]))
        if seats and others:
            made.write(name, _redirected(data, ", ".join(others)))
    return made


def _name_for(name: str, seat: str) -> str:
    """Return the file name of a seat's copy. The seat comes first, so that the revision stays last."""
    stem = name.rpartition("/")[2].removesuffix(".eml")
    match = _IN_STAGE.fullmatch(stem)
    named = f"{match[1]}to-{seat}-{match[2]}" if match else f"{stem}-to-{seat}"
    return f"{layout.OWN_LETTERS}/{named}.eml"


def _recipients(data: bytes, players: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the players among the recipients, in order, and the other recipients as they are written."""
    seats, others = [], []
    for match in _FIELD.finditer(_head(data)):
        if match[1].lower() == b"from":
            continue
        text = re.sub(rb"\s+", b" ", match[0].partition(b":")[2]).strip()
        for recipient in text.split(b","):
            matched = _RECIPIENT.match(b" " + recipient.strip())
            seat = matched[1].decode() if matched else ""
            if seat in players:
                seats.append(seat)
            else:
                others.append(recipient.strip().decode("ascii", "replace"))
    return seats, others


def _redirected(data: bytes, to: str, sender: str | None = None) -> bytes:
    """Return an email to these recipients alone; without any if there is no address.

    `sender` is the address it comes from; None leaves it as it is.
    """
    head = _head(data)
    kept = _FIELD.sub(lambda m: m[0] if m[1].lower() == b"from" and sender is None else b"", head)
    new = b"".join(
        f"{field}: {value}\r\n".encode() for field, value in (("From", sender), ("To", to)) if value
    )
    return new + kept + data[len(head) :]


def _head(data: bytes) -> bytes:
    end = re.search(rb"\r?\n\r?\n", data)
    return data if end is None else data[: end.start() + len(end[0]) // 2]
