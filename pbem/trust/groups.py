"""The state of a game split by who may know what: groups, their hashes, and views (protocol 11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.text import canonical, narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadShape, BadView
from pbem.trust.hashing import H, u32
from pbem.trust.shapes import ANY, HEX32, KEY, PARTY, STAGE, array, members, table

Audience = tuple[str, ...]

PUBLIC_SALT = bytes(32)


class Fact(NamedTuple):
    """One fact, and the sorted party ids that may know it now."""

    key: str
    value: Json
    audience: Audience


@dataclass(frozen=True)
class Group:
    """All facts of one audience, with the salt that hides them from the others and the hash they all see."""

    audience: Audience
    facts: Mapping[str, Json]
    salt: bytes
    hash: bytes


def group_salt(secret: bytes, game: bytes, stage: int, audience: Audience) -> bytes:
    """Return the salt of a group that is not public, from the GM's secret."""
    return H("group-salt", secret, game, u32(stage), audience_bytes(audience))


def group_hash(game: bytes, stage: int, audience: Audience, salt: bytes, facts: Mapping[str, Json]) -> bytes:
    """Return the hash of one group."""
    return H("group", game, u32(stage), audience_bytes(audience), salt, canonical.dumps(dict(facts)))


def state_hash(game: bytes, stage: int, listed: Json) -> bytes:
    """Return the hash of the whole state, from the group list as in the record."""
    return H("state", game, u32(stage), canonical.dumps(listed))


def group_list(groups: Iterable[Group]) -> Json:
    """Return the groups as the record lists them.

    Audience and hash, in the order of the audiences' canonical bytes.
    """
    ordered = sorted(groups, key=lambda group: audience_bytes(group.audience))
    return [[[*group.audience], group.hash.hex()] for group in ordered]


def build(
    facts: Iterable[Fact],
    *,
    game: bytes,
    stage: int,
    everybody: Collection[str],
    secret: bytes | None = None,
    always: Iterable[Audience] = (),
) -> tuple[Group, ...]:
    """Return the facts as groups, in the order of the group list, with the public one.

    `everybody` are the parties of the roster but observers; `secret` is the GM's and may be missing only if
    all is public; `always` are audiences to list even without facts. ValueError if a key occurs twice, or
    an audience is empty, unsorted or has a stranger in it.
    """
    public = tuple(sorted(everybody))
    by_audience: dict[Audience, dict[str, Json]] = {public: {}, **{tuple(readers): {} for readers in always}}
    seen: set[str] = set()
    for key, value, audience in facts:
        if key in seen:
            raise ValueError(Message("trust.groups.fact-stands-twice", key=repr(key)))
        seen.add(key)
        by_audience.setdefault(tuple(audience), {})[key] = value
    groups = []
    for audience, members_ in by_audience.items():
        if not audience or list(audience) != sorted(set(audience)) or not set(audience) <= set(public):
            raise ValueError(
                Message(
                    "trust.groups.audience-sorted-ids-out-wanted",
                    audience=repr(audience),
                    public=repr(public),
                )
            )
        if audience != public and secret is None:
            raise ValueError(Message("trust.groups.facts-alone-need-secret-gm", audience=repr(audience)))
        salt = (
            PUBLIC_SALT if audience == public or secret is None else group_salt(secret, game, stage, audience)
        )
        groups.append(Group(audience, members_, salt, group_hash(game, stage, audience, salt, members_)))
    return tuple(sorted(groups, key=lambda group: audience_bytes(group.audience)))


def view(groups: Sequence[Group], party: str, stage: int, apart: Json = None) -> Json:
    """Return every group of `build` whose audience includes a party, with its salt (11.2).

    `apart` are the answers for named readers that name the party (protocol-letters 3).
    """
    shown: list[Json] = [
        {"audience": [*group.audience], "salt": group.salt.hex(), "facts": dict(group.facts)}
        for group in groups
        if party in group.audience
    ]
    readers: dict[str, Json] = {"readers": apart} if apart else {}
    return {"stage": stage, "groups": shown, **readers}


def view_hash(blob: bytes) -> bytes:
    """Return the hash of a sealed view, which the report carries."""
    return H("view", blob)


def check_view(
    view: Json, *, party: str, listed: Json, game: bytes, stage: int, everybody: Collection[str]
) -> tuple[Fact, ...]:
    """Check a view against the group list of the record; BadView if anything in it is not so, or left out.

    Returns the facts the view shows. That they are all this party is entitled to can only be checked after
    `unseal`.
    """
    try:
        _VIEW(view, ())
    except BadShape:  # its text would quote what only the view's reader may know
        raise BadView(Message("trust.groups.seal-opens-but-not-view")) from None
    content = narrow.mapping(view)
    if content["stage"] != stage:
        raise BadView(
            Message("trust.groups.view-stage-one-stage-wanted", content=content["stage"], stage=stage)
        )
    public = tuple(sorted(everybody))
    named = [(tuple(narrow.texts(who)), digest) for who, digest in map(narrow.items, narrow.items(listed))]
    wanted = {audience: digest for audience, digest in named if party in audience}
    facts: list[Fact] = []
    for group in map(narrow.mapping, narrow.items(content["groups"])):
        audience = tuple(narrow.texts(group["audience"]))
        salt, shown = bytes.fromhex(narrow.text(group["salt"])), narrow.mapping(group["facts"])
        if audience == public and salt != PUBLIC_SALT:
            raise BadView(Message("trust.groups.public-group-view-salt-must"))
        if wanted.pop(audience, None) != group_hash(game, stage, audience, salt, shown).hex():
            raise BadView(Message("trust.groups.view-s-group-not-in", audience=tuple(audience), stage=stage))
        facts += [Fact(key, value, audience) for key, value in shown.items()]
    if wanted:
        raise BadView(Message("trust.groups.view-leaves-out-group", next=tuple(next(iter(wanted)))))
    return tuple(facts)


@lru_cache(maxsize=4096)
def audience_bytes(audience: Audience) -> bytes:
    """Return an audience as it is hashed and sorted."""
    return canonical.dumps([*audience])


_VIEW = members(
    {
        "stage": STAGE,
        "groups": array(
            members(
                {
                    "audience": array(PARTY, ascending=True),
                    "salt": HEX32,
                    "facts": table(KEY, ANY, empty=True),
                }
            )
        ),
    },
    {"readers": ANY},
)
