"""The check of a scenario from outside, before rules set it up.

In this order, and the next only if nothing was found: bounds that hold for any data, the shape that the
system declares (`scenario.yaml` of its rules), its charts, and what map, set-up and sequence of play say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.board.map import GameMap
from pbem.engine.adjudicate import Runaway, adjudicate, start
from pbem.engine.answers import Inputs
from pbem.engine.fitting import fits
from pbem.engine.powers import seats_at_start
from pbem.engine.scenarios.shapes import LAYOUT, MAP, MOST_NUMBER, SHEET, Schema, schema_of
from pbem.engine.scenarios.whole_scenario import SHAPE, WholeScenario
from pbem.engine.system import System
from pbem.model.state import GameState
from pbem.text.canonical import Json
from pbem.text.chars import FORBIDDEN
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.schema import check
from pbem.text.suggest import did_you_mean

MOST_QUIET = 1_000
"""Steps of the sequence of play before anybody is asked: beyond that, nobody ever is."""
MOST_DEEP, MOST_TEXT, MOST_README = 16, 1000, 20_000
MOST_ROWS, MOST_COLUMNS, MOST_SHEETS, MOST_HEXES = 200, 200, 12, 40_000
ABOUT: Mapping[str, Any] = {"title": "name"}
BESIDE: Mapping[str, Any] = {
    "source~": "text",
    "licence~": "text",
    "readme~": "any",
    "words~": {"<key>": {"<name>": "text"}},
}


def schema_for(system: System) -> Schema | None:
    """Return the JSON Schema of the scenarios of a system; None for one that declares no shape."""
    if not system.files(SHAPE):
        return None
    declared = system.data(SHAPE)
    shape = {**ABOUT, "options~": {"<key>": "any"}, "scenario~": "key", **declared["members"]}
    if "places" in declared:
        places = {f"{kind}~": [place] for kind, place in declared["places"].items()}
        sheet = {"=Sheet": {**SHEET, **LAYOUT}}
        shape["map"] = {**MAP, **LAYOUT, "sheets~": {"<key>": sheet}, "places~": places}
        if "boxes" in declared:
            shape["map"]["boxes~"] = {"<place>": declared["boxes"]}
    return schema_of(shape, declared.get("shapes"))


def faults_of(system: System, whole: WholeScenario, *, set_up: bool = True) -> list[Diagnostic]:
    """Return what is wrong with a scenario; [] if games of it can begin.

    Without `set_up` only as far as its shape goes.
    """
    faults = [*_bounds(whole.data, ()), *_about(whole), *_bounds(whole.charts, ("charts",))]
    if faults:
        return faults
    schema = schema_for(system)
    if schema is not None:
        data = dict(whole.data)
        faults = [*([] if fits(data, schema) else check(data, schema)), *_size(whole.data.get("map"))]
    faults += _charts(system, whole)
    if faults:
        return [*faults, *_of_map(system, whole, faults)]
    if not set_up:
        return faults
    try:
        own = system.with_scenario(whole)
        adjudicate(own, start(own, whole.id), Inputs(0), most=MOST_QUIET)  # up to the first questions
    except Refused as refused:
        return list(refused.diagnostics)
    except Runaway:
        message = Message("engine.scenario-check.no-question", most=MOST_QUIET)
        return [Diagnostic("no-question", message, help=(Message("engine.scenario-check.give-them"),))]
    return []


def known_map(system: System) -> GameMap | None:
    """Return a map of the system's package, which says what its rules know."""
    name = system.scenarios()[0]
    return system.map_of(system.world(name, start(system, name).options))


def _of_map(system: System, whole: WholeScenario, faults: list[Diagnostic]) -> list[Diagnostic]:
    """Return what is wrong with the map alone, if faults elsewhere prevent its set-up."""
    data, like = whole.data.get("map"), known_map(system)
    if not isinstance(data, dict) or like is None or any(fault.path[:1] == ("map",) for fault in faults):
        return []
    kinds = ("terrains", "hexsides", "links", "places", "layers")
    words = {kind: getattr(like.known, kind) for kind in kinds}
    try:
        GameMap.from_data(data, legend=like.legend, path=("map",), **words)
    except Refused as refused:
        return list(refused.diagnostics)
    return []


def warnings_of(system: System, whole: WholeScenario) -> list[Diagnostic]:
    """Return what is odd about a sound scenario: seats without counters, lonely terrain, unnamed towns."""
    own = system.with_scenario(whole)
    state = start(own, whole.id)
    chart = own.map_of(own.world(whole.id, state.options))
    return [*_idle(whole, state), *(_lonely(chart) if chart is not None else ()), *_unnamed(whole)]


def _idle(whole: WholeScenario, state: GameState) -> Iterator[Diagnostic]:
    named = {str(value) for counter in state.position.counters.values() for value in counter.values()}
    powers = seats_at_start(whole.data)
    for seat in state.players:
        if seat not in named and not named & {power for power, of in powers.items() if of == seat}:
            message = Message("engine.scenario-check.idle-seat", seat=seat)
            yield _warning("idle-seat", message, ("seats",))


def _lonely(chart: GameMap) -> Iterator[Diagnostic]:
    """Yield terrain that is in one hex alone, of a map large enough for that to be odd."""
    count: dict[str, list[int]] = {}
    for hex in chart.hexes:
        count.setdefault(chart.terrain(hex), []).append(hex)
    for terrain, hexes in sorted(count.items()):
        if len(hexes) == 1 and len(chart.hexes) >= 50:
            number = chart.number(hexes[0])
            message = Message("engine.scenario-check.lonely-terrain", terrain=terrain, hex=number)
            yield _warning("lonely-terrain", message, ("map", "terrain"))


def _unnamed(whole: WholeScenario) -> Iterator[Diagnostic]:
    places = whole.data.get("map", {}).get("places", {})
    for kind, listed in places.items():
        if any("name" in entry for entry in listed):
            for n, entry in enumerate(listed):
                if not entry.get("name"):
                    message = Message("engine.scenario-check.unnamed", kind=kind, hex=str(entry.get("hex")))
                    yield _warning("unnamed", message, ("map", "places", kind, n))


def _warning(code: str, message: Message, path: DataPath) -> Diagnostic:
    return Diagnostic(code, message, severity="warning", path=path)


def need_sound(system: System, whole: WholeScenario) -> None:
    """Check a scenario that came from somebody else; Refused with all that is wrong with it.

    Scenarios of the package itself are not checked.
    """
    if whole.id in system.scenarios() and system.own is None and system.whole(whole.id).bytes == whole.bytes:
        return
    faults = faults_of(system, whole)
    if faults:
        raise Refused(faults)


def _about(whole: WholeScenario) -> list[Diagnostic]:
    about: dict[str, Json] = {"id": whole.id, **whole.about}
    schema = schema_of({"id": "id", **BESIDE})
    faults = [] if fits(about, schema) else check(about, schema)
    readme = about.get("readme", "")
    if not isinstance(readme, str) or len(readme.encode()) > MOST_README or FORBIDDEN.search(readme):
        message = Message("engine.scenario-check.readme", most=MOST_README)
        faults.append(Diagnostic("bad-readme", message, path=("readme",)))
    return faults


def _bounds(value: Any, path: DataPath) -> Iterator[Diagnostic]:
    """Yield numbers, texts and depths that no scenario needs."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        if abs(value) > MOST_NUMBER:
            message = Message("engine.scenario-check.number", most=MOST_NUMBER)
            yield Diagnostic("out-of-range", message, path=path)
    elif isinstance(value, str):
        yield from _text(value, path)
    elif len(path) >= MOST_DEEP:
        yield Diagnostic("too-deep", Message("engine.scenario-check.too-deep", most=MOST_DEEP), path=path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _text(str(key), (*path, str(key)), on_key=True)
            yield from _bounds(inner, (*path, str(key)))
    else:
        for n, inner in enumerate(value):
            yield from _bounds(inner, (*path, n))


def _text(text: str, path: DataPath, *, on_key: bool = False) -> Iterator[Diagnostic]:
    most = 100 if on_key else MOST_TEXT
    if len(text) > most:
        message = Message("engine.scenario-check.text", count=len(text), most=most)
        yield Diagnostic("too-long", message, path=path, on_key=on_key)
    elif not text.isprintable() and (FORBIDDEN.search(text) or "\n" in text or "\t" in text):
        message = Message("engine.scenario-check.character")
        yield Diagnostic("bad-character", message, path=path, on_key=on_key)


def _size(data: Any) -> Iterator[Diagnostic]:
    """Yield sheets that are larger than any board."""
    if not isinstance(data, Mapping):
        return
    sheets = data.get("sheets")
    listed = sheets if isinstance(sheets, Mapping) else {"": data}
    if len(listed) > MOST_SHEETS:
        message = Message("engine.scenario-check.sheets", most=MOST_SHEETS)
        yield Diagnostic("too-many", message, path=("map", "sheets"))
    hexes = 0
    for name, sheet in listed.items():
        rows = sheet.get("terrain") if isinstance(sheet, Mapping) else None
        if not isinstance(rows, list):
            continue
        wide = max((len(row.split()) for row in rows if isinstance(row, str)), default=0)
        hexes += wide * len(rows)
        if len(rows) > MOST_ROWS or wide > MOST_COLUMNS or hexes > MOST_HEXES:
            message = Message("engine.scenario-check.sheet", rows=MOST_ROWS, columns=MOST_COLUMNS)
            path = ("map", "sheets", name, "terrain") if name else ("map", "terrain")
            yield Diagnostic("too-many", message, path=path)


def _charts(system: System, whole: WholeScenario) -> Iterator[Diagnostic]:
    """Yield charts that the system does not have, and charts of another form than its own."""
    known = sorted(
        name.removeprefix("tables/").removesuffix(".yaml") for name in system.files("tables/*.yaml")
    )
    for name, chart in whole.charts.items():
        path = ("charts", name)
        if name not in known:
            near = did_you_mean(name, known)
            help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            message = Message("engine.scenario-check.unknown-chart", name=name, known=tuple(known))
            yield Diagnostic("unknown-chart", message, path=path, help=help_, on_key=True)
        else:
            yield from _alike(system.data(f"tables/{name}.yaml"), chart, path)


def _alike(ours: Any, theirs: Any, path: DataPath) -> Iterator[Diagnostic]:
    """Yield where a chart has another form than ours: other members, other kinds of values."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in ours:
            if key not in theirs:
                message = Message("engine.scenario-check.chart-lacks", key=key)
                yield Diagnostic("missing-key", message, path=path)
        for key, inner in theirs.items():
            if key not in ours:
                message = Message("engine.scenario-check.chart-has-more", key=key)
                yield Diagnostic("unknown-key", message, path=(*path, key), on_key=True)
            else:
                yield from _alike(ours[key], inner, (*path, key))
    elif isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            message = Message("engine.scenario-check.chart-length", count=len(theirs), wanted=len(ours))
            yield Diagnostic("bad-length", message, path=path)
        for n, (our_part, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from _alike(our_part, other, (*path, n))
    elif type(ours) is not type(theirs):
        message = Message("engine.scenario-check.chart-kind", ours=repr(ours)[:60], theirs=repr(theirs)[:60])
        yield Diagnostic("wrong-type", message, path=path)
