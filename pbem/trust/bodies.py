"""The form of each type of statement.

The members of its body and how they depend on each other (protocol 5.1, 17).
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust import records
from pbem.trust.chain import MAX_LENGTH
from pbem.trust.errors import BadShape, Path
from pbem.trust.shapes import (
    ANY,
    BLOB,
    HEX32,
    KEY,
    LATER_STAGE,
    LINE,
    MAIL,
    MODULE,
    OPENINGS,
    PARTY,
    SCENARIO,
    SIGN,
    STAGE,
    TEXT,
    Check,
    array,
    members,
    nullable,
    number,
    one_of,
    shown,
    table,
)

STANDING = "standing"
STANDING_LATER = "standing/later"
DEPUTY = ("name", "mail", "sign", "seal")
"""Members of an op that names a deputy, beside the party id."""
READY = "ready"

_SEALED = table(PARTY, BLOB)
_COMMITS = table(KEY, HEX32)
_ENTRY: Mapping[str, Check] = {"name": LINE, "mail": MAIL, "sign": SIGN}
_KEYS: Mapping[str, Check] = {"seal": HEX32, "anchor": HEX32}

# --- before the game ------------------------------------------------------------------------------------

JOIN = members({"id": PARTY, **_ENTRY}, {**_KEYS, "proxy": PARTY, "secret": HEX32})

_TERMS: Mapping[str, Check] = {
    "salt": HEX32,
    "title": LINE,
    "module": MODULE,
    "scenario": SCENARIO,
    "arbiter": nullable(PARTY),
    "dice": one_of("swift", "locked", "pair"),
    "absent": one_of("stop", "skip"),
    "chain_length": number(1, MAX_LENGTH),
}
INVITATION = members({"from": PARTY, "sign": SIGN, **_TERMS}, {"mail": MAIL, "whole": ANY})
"""`whole` is the scenario that the terms pin (17.34)."""
ROSTER = members(
    {
        **_TERMS,
        "parties": array(
            members(
                {"id": PARTY, "role": one_of("gm", "player", "observer", "deputy"), **_ENTRY},
                {**_KEYS, "proxy": PARTY},
            )
        ),
    },
    {"secret": HEX32},
)

# --- amendments -----------------------------------------------------------------------------------------

CLOSING = frozenset(("chain", "party", "drop", "rewind"))
_OPS: Mapping[str, Check] = {
    "key": members(
        {"op": ANY, "party": PARTY},
        {"sign": SIGN, "seal": HEX32, "name": LINE, "mail": MAIL, "proxy": nullable(PARTY)},
    ),
    "option": members({"op": ANY, "name": KEY, "value": ANY}),
    "module": members({"op": ANY, "module": MODULE}),
    "ruling": members({"op": ANY, "reason": TEXT}, {"changes": ANY, "commit": HEX32}),
    "chain": members({"op": ANY, "party": PARTY, "anchor": HEX32}),
    "party": members({"op": ANY, "party": PARTY, **_ENTRY, **_KEYS}, {"secret": HEX32}),
    "drop": members({"op": ANY, "party": PARTY}),
    "deputy": members({"op": ANY, "party": PARTY}, {**_ENTRY, "seal": HEX32}),
    "rewind": members({"op": ANY, "to": STAGE}),
}


def _op(value: object, path: Path) -> None:
    if not isinstance(value, dict):
        raise BadShape(Message("trust.bodies.object-wanted", shown=shown(value)), path)
    one_of(*_OPS)(value.get("op"), (*path, "op"))
    _OPS[value["op"]](value, path)
    if value["op"] == "key" and len(value) < 3:
        raise BadShape(Message("trust.bodies.change-key-changes-nothing"), path)
    if value["op"] == "deputy" and len(value) not in (2, 2 + len(DEPUTY)):
        raise BadShape(Message("trust.bodies.deputy-is-named-with-all-or-ended", members=DEPUTY), path)
    if value["op"] == "ruling" and ("changes" in value) == ("commit" in value):
        raise BadShape(Message("trust.bodies.ruling-must-either-changes-commitment"), path)


def _ops(value: object, path: Path) -> None:
    array(_op)(value, path)
    names = {narrow.text(narrow.mapping(op)["op"]) for op in narrow.items(value)}
    if names & CLOSING and "ruling" in names:
        raise BadShape(Message("trust.bodies.ruling-cannot-stand-beside-closes"), path)


# --- in the game ----------------------------------------------------------------------------------------

_SIDS = array(HEX32, unique=True)

BODIES: Mapping[str, Check] = {
    "order": members(
        {"orders": array(ANY, empty=True)},
        {
            "commits": _COMMITS,
            "sealed": _SEALED,
            "openings": OPENINGS,
            "standing": array(ANY),
            "link": HEX32,
            "answers": HEX32,
            "plain": HEX32,
        },
    ),
    "standing": members(
        {},
        {
            "standing": array(ANY, empty=True),
            "commits": members({STANDING_LATER: HEX32}),
            "sealed": _SEALED,
            "plain": HEX32,
        },
    ),
    "ack": members({}, {"have": _SIDS, "unreadable": _SIDS}),
    "handover": members({"sealed": _SEALED}),
    "charge": members({"to": PARTY}),
    "lock": members(
        {
            "accepted": table(PARTY, nullable(HEX32), empty=True),
            "forfeits": array(PARTY, empty=True, ascending=True),
        }
    ),
    "link": members(
        {"answers": HEX32, "link": HEX32}, {"openings": OPENINGS, "sealed": _SEALED, "head": HEX32}
    ),
    "report": members(
        {"record": ANY},
        {"events": array(ANY, empty=True), "views": table(PARTY, HEX32), "next": members({"by": LINE})},
    ),
    "view": members({"head": HEX32, "view": BLOB}),
    "amend": members({"ops": _ops}),
    "protest": members({"text": TEXT}, {"about": _SIDS}),
    "letter": members(
        {"n": LATER_STAGE},
        {
            "text": TEXT,
            "re": HEX32,
            "to": array(PARTY, ascending=True),
            "commit": HEX32,
            "sealed": _SEALED,
            "after": HEX32,
            "grey": HEX32,
        },
    ),
    "unseal": members(
        {},
        {
            "secret": HEX32,
            "openings": table(HEX32, table(KEY, members({"nonce": HEX32, "value": ANY}))),
        },
    ),
}


def check_whole(type: str, statement: Mapping[str, Json]) -> None:
    """Check how members of one statement fit together; BadShape if they do not."""
    body = narrow.mapping(statement["body"])
    if type == "report":
        _check_report(statement, body)
    elif type == "view" and statement["stage"] == 0:
        _starts_with_game(statement)
    elif type == "lock":
        _check_lock(body)
    elif type == "standing":
        _check_standing(body)
    elif type == "letter":
        _check_letter(statement, body)
    elif type == "handover" and len(narrow.mapping(body["sealed"])) != 1:
        raise BadShape(Message("trust.bodies.handover-to-one-deputy"), ("body", "sealed"))
    elif type == "unseal" and not body:
        raise BadShape(Message("trust.bodies.unseal-opens-nothing"), ("body",))


def _check_report(statement: Mapping[str, Json], body: Mapping[str, Json]) -> None:
    record = records.check(body["record"], ("body", "record"))
    for name in ("stage", "prev"):
        if record.data[name] != statement[name]:
            raise BadShape(
                Message("trust.bodies.record-another-stage-history-than"), ("body", "record", name)
            )
    kind = record.kind
    if kind == "zero":
        _starts_with_game(statement)
        if "events" in body:
            raise BadShape(Message("trust.bodies.report-stage-0-no-events"), ("body", "events"))
        return
    if "events" not in body:
        raise BadShape(Message("trust.bodies.member-events-missing"), ("body",))
    events = narrow.items(body["events"])
    if kind == "closed" and events:
        raise BadShape(Message("trust.bodies.nothing-happens-in-stage-amendment"), ("body", "events"))
    if kind == "played" and records.events_hash(events).hex() != record.data["events"]:
        raise BadShape(Message("trust.bodies.these-not-events-record-names"), ("body", "events"))


def _starts_with_game(statement: Mapping[str, Json]) -> None:
    if statement["prev"] != statement["game"]:
        raise BadShape(Message("trust.bodies.before-stage-0-only-game"), ("prev",))


def _check_lock(body: Mapping[str, Json]) -> None:
    accepted, forfeits = narrow.mapping(body["accepted"]), narrow.texts(body["forfeits"])
    for party in forfeits:
        if party not in accepted:
            raise BadShape(
                Message("trust.bodies.not-asked-cannot-forfeit", party=party), ("body", "forfeits")
            )
    for party, sid in accepted.items():
        if sid is None and party not in forfeits:
            raise BadShape(
                Message("trust.bodies.nothing-accepted-must-in-forfeits", party=party),
                ("body", "accepted", party),
            )


def _check_standing(body: Mapping[str, Json]) -> None:
    if ("standing" in body) == ("commits" in body) or ("commits" in body) != ("sealed" in body):
        raise BadShape(Message("trust.bodies.either-standing-commits-sealed"), ("body",))


def _check_letter(statement: Mapping[str, Json], body: Mapping[str, Json]) -> None:
    """Check a letter: in clear to all, or sealed to each reader; and its place after the one before."""
    private = {"to", "commit", "sealed"} & set(body)
    if ("text" in body) == bool(private) or len(private) not in (0, 3) or (private and "re" in body):
        raise BadShape(Message("trust.bodies.letter-either-text-or-sealed"), ("body",))
    if private:
        readers = narrow.texts(body["to"])
        if sorted(narrow.mapping(body["sealed"])) != readers:
            raise BadShape(Message("trust.bodies.letter-seals-not-for-its-readers"), ("body", "sealed"))
        if statement["from"] in readers:
            raise BadShape(Message("trust.bodies.letter-to-its-sender"), ("body", "to"))
    if ("after" in body) != (narrow.number(body["n"]) > 1):
        raise BadShape(Message("trust.bodies.letter-after-from-number-2-on"), ("body", "after"))
    if statement["stage"] == 0:
        _starts_with_game(statement)
