"""A scenario as it travels: one object of canonical JSON with all that decides (protocol 17.34).

    {"pbem": 1, "system": "victory", "id": "sarn_strait", "map": {...}, "units": {...}, "charts": {...}, ...}

Members are those of the scenario's YAML. `about` says what it is (`pbem`, `system`, `id`, `source`,
`licence`, `words`, `readme`) and `charts` come beside them. Canonical JSON sorts keys and has ASCII
keys only, so a mapping with other keys, or one whose order counts (`ordered` in the declaration of
the system), stands as a list of pairs; `pairs` lists the paths of these.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.text.canonical import Json, NotCanonical, dumps, loads
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.system import System

VERSION = 1
MOST = 1 << 20
"""Bytes of the object: an invitation without a GM is a player's statement (protocol 5.3)."""
SHAPE = "scenario.yaml"
"""File in the rules of a system that declares the members of its scenarios."""
ORDERED = ("powers", "seats", "map/sheets")
"""Members whose order counts in all systems."""
MOST_PAIRS = 1000
_MOST_OVERLAID = 8
ABOUT = ("source", "licence", "readme", "words")
"""Members that describe a scenario and decide nothing."""
_OWN = ("pbem", "system", "id", "pairs", "charts", *ABOUT)
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:-")

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class WholeScenario:
    """A scenario with all that decides. `data` is what the rules read; `bytes` what travels and is hashed."""

    system: str
    id: str
    data: Mapping[str, Any] = field(repr=False)
    charts: Mapping[str, Any] = field(repr=False)
    about: Mapping[str, Json] = field(repr=False)
    bytes: bytes = field(repr=False)

    @property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Return what the scenario's own names are in other languages: language -> {name: words}."""
        words_by_language: Any = self.about.get("words", {})
        return words_by_language if isinstance(words_by_language, Mapping) else {}

    def digest(self, options: Mapping[str, Json]) -> str:
        """Return `scenario.sha256` of a game with these options in force (protocol 17.34)."""
        return sha256(b"[" + self.bytes + b"," + dumps(dict(options)) + b"]").hexdigest()


def pack(
    system: System,
    id: str,
    data: Mapping[str, Any],
    *,
    charts: Mapping[str, Any] | None = None,
    about: Mapping[str, Json] | None = None,
) -> WholeScenario:
    """Return the scenario of this data; Refused, with the place, for what canonical JSON cannot hold."""
    declared = system.data(SHAPE).get("ordered", ()) if system.files(SHAPE) else ()
    ordered = (*ORDERED, *declared)
    pairs: list[Json] = []
    for key in data:
        if not isinstance(key, str) or not 0 < len(key) <= 100 or not _PLAIN.issuperset(key):
            message, path = Message("engine.whole-scenario.odd-key", key=repr(key)[:60]), (str(key),)
            raise Refused(Diagnostic("bad-key", message, path=path, on_key=True))
    plain = _packed({key: value for key, value in data.items() if key not in _OWN}, (), pairs, ordered)
    object_: dict[str, Json] = {**plain, "pbem": VERSION, "system": system.name, "id": id}
    if charts:
        object_["charts"] = _packed(charts, ("charts",), pairs, ())
    object_ |= {key: value for key, value in (about or {}).items() if value}
    if pairs:
        object_["pairs"] = pairs
    return unpack(_bytes(object_))


def unpack(data: bytes) -> WholeScenario:
    """Return the scenario that these bytes hold; Refused if they hold none (protocol 3, 17.34)."""
    if len(data) > MOST:
        raise Refused(
            Diagnostic("too-long", Message("engine.whole-scenario.too-long", count=len(data), most=MOST))
        )
    try:
        whole = loads(data)
    except NotCanonical as fault:
        raise Refused(Diagnostic(fault.code, str(fault), path=fault.path)) from None
    if not isinstance(whole, dict):
        raise Refused(Diagnostic("wrong-type", Message("engine.whole-scenario.no-object")))
    return _of_object(whole, data)


def of_object(whole: Mapping[str, Json]) -> WholeScenario:
    """Return the scenario that is a member of a statement, which was read as canonical JSON."""
    return unpack(_bytes(dict(whole)))


def overlaid(system: System, whole: WholeScenario) -> System:
    """Return the system for a game that brought its scenario along; Refused for another system's.

    What is read of it and the worlds that are made are kept with the system.
    """
    kept: dict[bytes, dict[str, Any]] = system.__dict__.setdefault("_brought", {})
    if whole.bytes not in kept:
        if whole.system != system.name:
            message = Message("engine.whole-scenario.other-system", name=system.name, other=whole.system)
            raise Refused(Diagnostic("other-system", message, path=("system",)))
        if len(kept) >= _MOST_OVERLAID:
            kept.clear()
        charts = {f"tables/{name}.yaml": chart for name, chart in whole.charts.items()}
        own = {**charts, f"scenarios/{whole.id}.yaml": whole.data}
        kept[whole.bytes] = {
            "own": whole,
            "_data": {**system._data, **own},
            "_worlds": {},
            "_brought": {},
            "_translations": {},
            "_wordings": {},
        }
    made = copy(system)
    made.__dict__.update(kept[whole.bytes])
    return made


def _of_object(whole: dict[str, Json], data: bytes) -> WholeScenario:
    if whole.get("pbem") != VERSION:
        raise Refused(
            Diagnostic("other-version", Message("engine.whole-scenario.other-version"), path=("pbem",))
        )
    system, id = whole.get("system"), whole.get("id")
    for key, value in (("system", system), ("id", id)):
        if not isinstance(value, str) or not _ID.fullmatch(value):
            raise Refused(Diagnostic("bad-id", Message("engine.whole-scenario.bad-id", key=key), path=(key,)))
    opened = _opened(whole, whole.get("pairs", []))
    charts = opened.get("charts", {})
    if not isinstance(charts, dict):
        raise Refused(Diagnostic("wrong-type", Message("engine.whole-scenario.no-charts"), path=("charts",)))
    own = {key: value for key, value in opened.items() if key not in _OWN}
    about = {key: value for key, value in opened.items() if key in ABOUT}
    return WholeScenario(str(system), str(id), own, charts, about, data)


def _bytes(whole: dict[str, Json]) -> bytes:
    try:
        return dumps(whole)
    except NotCanonical as fault:
        raise Refused(Diagnostic(fault.code, str(fault), path=fault.path)) from None


def _packed(value: Any, path: Path, pairs: list[Json], ordered: Collection[str]) -> Any:
    """Return a value with pairs in place of mappings that canonical JSON cannot hold; note their paths."""
    if isinstance(value, list | tuple):
        return [_packed(part, (*path, n), pairs, ordered) for n, part in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    in_order = len(path) < 3 and any(_leads(path, way.split("/")) for way in ordered)
    if not in_order and all(isinstance(key, str) and 0 < len(key) <= 100 for key in value):
        if all(map(_PLAIN.issuperset, value)):
            return {key: _packed(part, (*path, key), pairs, ordered) for key, part in value.items()}
    for key in value:
        if not isinstance(key, str):
            raise Refused(
                Diagnostic("bad-key", Message("engine.whole-scenario.bad-key", key=repr(key)), path=path)
            )
    pairs.append(list(path))
    return [
        [key, _packed(part, (*path, n, 1), pairs, ordered)] for n, (key, part) in enumerate(value.items())
    ]


def _leads(path: Path, way: list[str]) -> bool:
    """Return True if a path is this way, in which `*` stands for any step."""
    return len(path) == len(way) and all(step in ("*", here) for step, here in zip(way, path, strict=True))


def _opened(whole: dict[str, Json], pairs: Json) -> dict[str, Any]:
    """Make mappings again where `pairs` says so: inner ones first, as they come last. Return the object."""
    if not isinstance(pairs, list) or len(pairs) > MOST_PAIRS:
        raise Refused(Diagnostic("bad-pairs", Message("engine.whole-scenario.bad-pairs"), path=("pairs",)))
    opened: dict[str, Any] = whole
    for n, path in reversed(list(enumerate(pairs))):
        if not isinstance(path, list) or not path:
            raise Refused(
                Diagnostic("bad-pairs", Message("engine.whole-scenario.bad-pairs"), path=("pairs", n))
            )
        try:
            inside: Any = opened
            for step in path[:-1]:
                inside = inside[step]
            inside[path[-1]] = _mapping(inside[path[-1]])
        except (LookupError, TypeError, ValueError):
            raise Refused(
                Diagnostic("bad-pairs", Message("engine.whole-scenario.bad-pairs"), path=("pairs", n))
            ) from None
    return opened


def _mapping(listed: Any) -> dict[str, Any]:
    if not isinstance(listed, list):
        raise TypeError
    made: dict[str, Any] = {}
    for key, value in listed:
        if not isinstance(key, str) or key in made:
            raise ValueError
        made[key] = value
    return made
