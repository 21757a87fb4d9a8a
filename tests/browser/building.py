"""A scenario of one's own built by the pages of the editor alone, from a plain description of it.

size, fill: the map; terrain, sides, links, areas: {what: [hexes, or [corner, corner]]}
places: {kind: {hex: fields}}; boxes: {group: {id: line}}; counters: [{file, id, cells}]
members: {file: {member: value}}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.text.flow import flow
from tests.browser.benches import click, drag, edge, on_area, on_map, option, tool
from tests.browser.tables import Step

FRAMES: Step = {"value": "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"}
SIZED: Step = {"wait": "document.body.dataset.sizing !== '1'"}
Schema = Mapping[str, Any]


def done(what: str) -> Step:
    """What a script does; nothing is said of it."""
    return {"value": f"(() => {{ {what}; }})()"}


def checked(at: str, wanted: bool) -> Step:
    box = f"document.getElementById({at!r})"
    return done(f"if ({box}.checked !== {json.dumps(wanted)}) {{ {box}.click() }}")


def unfolded(at: str) -> Step:
    """Open the part of the panel in which something is."""
    return done(f"document.getElementById({at!r}).closest('details').open = true")


def typed(at: str, text: str) -> list[Step]:
    """Fill in a field and leave it; the panel is drawn anew before the next one."""
    return [{"fill": [f'[id="{at}"]', text]}, {"press": ["Tab"]}, FRAMES]


def picked(at: str, value: str) -> list[Step]:
    return [{"pick": [f'[id="{at}"]', value]}, FRAMES]


def pressed(at: str) -> list[Step]:
    return [{"click": at}, FRAMES]


# ---- forms -----------------------------------------------------------------------------------------------


class Form:
    """Steps that fill in a form of the page, as its schema has it."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def _resolved(self, said: Schema) -> Schema:
        while "$ref" in said:
            said = self.schema["$defs"][said["$ref"].rpartition("/")[2]]
        return said

    def _kind(self, said: Schema) -> str:
        types = [said["type"]] if isinstance(said.get("type"), str) else said.get("type", [])
        if "enum" in said:
            return "choice"
        if (not types and "properties" not in said) or ("object" in types and len(types) > 1):
            return "line"
        if len(types) > 1:
            return "mixed"
        kind = types[0] if types else "object"
        return ("tuple" if "prefixItems" in said else "list") if kind == "array" else kind

    def _plain(self, said: Schema) -> bool:
        return self._kind(self._resolved(said)) not in ("object", "list", "tuple", "line")

    def _usual(self, said: Schema) -> Any:
        one = self._resolved(said)
        kind = self._kind(one)
        if kind == "object":
            return {name: self._usual(one["properties"][name]) for name in one.get("required", ())}
        if kind == "tuple":
            return [self._usual(each) for each in one["prefixItems"]]
        return [] if kind == "list" else ""

    def steps(self, now: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[Step]:
        """From what the files say to what is wanted of these members; others stay."""
        kept = {name: value for name, value in now.items() if name in wanted}
        return self._object(self.schema, kept, wanted, ())

    def _set(self, said: Schema, now: Any, wanted: Any, path: tuple[Any, ...]) -> list[Step]:
        one, at = self._resolved(said), "m-" + "-".join(map(str, path))
        kind = self._kind(one)
        if kind == "tuple" and all(map(self._plain, one["prefixItems"])):
            return [
                step
                for n, (each, value) in enumerate(zip(one["prefixItems"], wanted, strict=True))
                for step in self._set(each, "", value, (*path, n))
            ]
        if kind == "list" and self._plain(one["items"]):
            return typed(at, "; ".join(map(str, wanted)))
        if kind == "line":
            answered = {"wait": f"document.getElementById({at!r}).value === {json.dumps(flow(wanted))}"}
            return [*typed(at, flow(wanted)), answered]
        if kind == "choice":
            return picked(at, json.dumps(wanted).strip('"'))
        if kind == "boolean":
            return [checked(at, wanted)]
        if kind not in ("object", "list", "tuple"):
            return typed(at, "" if wanted is None else str(wanted))
        box = f'[data-at="{at}"]'
        found = f"document.querySelector({box!r})"
        opened = [{"wait": found}, done(f"{found}.open = true"), FRAMES, FRAMES]
        if kind == "object":
            return [*opened, *self._object(one, now, wanted, path)]
        if kind == "tuple":
            return [
                *opened,
                *(
                    s
                    for n, each in enumerate(wanted)
                    for s in self._set(one["prefixItems"][n], now[n], each, (*path, n))
                ),
            ]
        steps = [*opened]
        for n in reversed(range(len(now))):
            steps += self.removed((*path, n))
        for n, each in enumerate(wanted):
            steps += [
                *pressed(f'[id="{at}-add"]'),
                *self._set(one["items"], self._usual(one["items"]), each, (*path, n)),
            ]
        return steps

    def removed(self, path: tuple[Any, ...]) -> list[Step]:
        at = "m-" + "-".join(map(str, path))
        away = f'[data-at="{at}"] > .away, [data-at="{at}"] > .values > .away'
        found = f"document.querySelector('{away}')"
        return [{"wait": found}, done(f"{found}.click()"), FRAMES]

    def _object(
        self, one: Schema, now: Mapping[str, Any], wanted: Mapping[str, Any], path: tuple[Any, ...]
    ) -> list[Step]:
        own, at = one.get("properties", {}), "m-" + "-".join(map(str, path))
        keyed = next(iter(one.get("patternProperties", {}).values()), one.get("additionalProperties"))
        steps: list[Step] = []
        for name in now:
            if name not in wanted:
                steps += self.removed((*path, name))
        for name, value in wanted.items():
            said, before = own.get(name, keyed), now.get(name)
            if name not in now:
                if name in own:
                    steps += [*picked(f"{at}-member", name), *pressed(f'[id="{at}-add"]')]
                else:
                    steps += [*typed(f"{at}-key", name), *pressed(f'[id="{at}-key-add"]')]
                before = self._usual(said)
            steps += self._set(said, before, value, (*path, name))
        return steps


# ---- the map ---------------------------------------------------------------------------------------------


def built(wanted: Mapping[str, Any], forms: Mapping[str, Schema], values: Mapping[str, Any]) -> list[Step]:
    """From a folder that `scenario new` wrote to a scenario that has nothing of it but its seats."""
    return [
        *_emptied(wanted, values),
        *_located(wanted.get("boxes", {})),
        *_outlined(wanted.get("outlines", {})),
        *_painted(wanted),
        *_members(wanted.get("members", {}), forms, values),
        *_placed(wanted.get("places", {})),
        *_counters(wanted.get("counters", [])),
    ]


def _emptied(wanted: Mapping[str, Any], values: Mapping[str, Any]) -> list[Step]:
    steps = [
        *tool("counters"),
        unfolded("remove-all"),
    ]
    steps += [*pressed("#remove-all"), *tool("boxes")]
    if any(key.startswith("x/") for key in values):
        steps += [unfolded("remove-boxes"), *pressed("#remove-boxes"), SIZED]
    if "size" in wanted:
        wide, high = wanted["size"]
        steps += [
            *tool("size"),
            {"fill": ["#columns", str(wide)]},
            {"fill": ["#rows", str(high)]},
            {"pick": ["#fill", wanted["fill"]]},
            {"click": "#empty"},
            {"click": "#resize"},
            {"wait": f"document.body.dataset.hexes === '{wide * high}'"},
        ]
    return steps


def _located(groups: Mapping[str, Mapping[str, str]]) -> list[Step]:
    steps = tool("boxes")
    for group, listed in groups.items():
        for id, line in listed.items():
            steps += [
                unfolded("new-box"),
                done(
                    f"const one = document.getElementById('new-box-group');"
                    f" if (one) {{ one.value = {group!r}; one.dispatchEvent(new Event('change')); }}"
                ),
                {"fill": ["#new-box", id]},
                {"click": "#add-box"},
                {"wait": f"document.querySelector('#form legend')?.innerText === {id!r}"},
                *typed("box-line", line),
            ]
    return steps


def _outlined(areas: Mapping[str, list[list[int]]]) -> list[Step]:
    """Outlines by clicks on the points of the drawing; the last is on the first one."""
    steps = [*tool("boxes"), SIZED] if areas else []
    for n, (id, points) in enumerate(areas.items(), 1):
        steps += [
            *pressed(f"[data-box='{id}']"),
            *pressed("#draw-outline"),
            *({"at": on_map(*at)} for at in (*points, points[0])),
            {"wait": f"document.body.dataset.outlines === '{n}'"},
            SIZED,
        ]
    return steps


def _stroke(one: Any) -> Step:
    """A click on a hex, or a drag from corner to corner."""
    return click(one) if isinstance(one, str) else drag(*one)


def _painted(wanted: Mapping[str, Any]) -> list[Step]:
    steps = tool("terrain")
    for letter, listed in wanted.get("terrain", {}).items():
        for one in listed:
            name = "Brush" if isinstance(one, str) else "Rectangle"
            steps += [*pressed(f"#form button:has-text('{name}')"), *option(letter), _stroke(one)]
    steps += tool("sides")
    for kind, pairs in wanted.get("sides", {}).items():
        steps += [*option(kind), *({"at": edge(*pair)} for pair in pairs)]
    steps += tool("links")
    for kind, chains in wanted.get("links", {}).items():
        for chain in chains:
            steps += [*option(kind), *map(click, chain), click(chain[-1])]
    for layer, areas in wanted.get("areas", {}).items():
        for name, listed in areas.items():
            steps += [*tool("areas"), *option(layer), *typed("area-name", name), *map(_stroke, listed)]
    return steps


def _placed(kinds: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[Step]:
    steps = tool("places")
    for kind, listed in kinds.items():
        for hex, fields in listed.items():
            steps += [
                click(hex) if hex[0].isdigit() else {"at": on_area(hex)},
                {"wait": f"document.querySelector('#form h2')?.innerText.includes({hex!r})"},
                *pressed(f"#place-{kind}"),
            ]
            for name, value in fields.items():
                at = f"place-{kind}-{name}"
                if isinstance(value, bool):
                    steps += [checked(at, value)]
                else:
                    text = " ".join(value) if isinstance(value, list) else str(value)
                    fill = f"const one = document.getElementById({at!r}); one.value = {json.dumps(text)}"
                    steps += [done(f"{fill}; one.dispatchEvent(new Event('change'))")]
    return steps


def _members(wanted: Mapping[str, Any], forms: Mapping[str, Schema], values: Mapping[str, Any]) -> list[Step]:
    steps = tool("setup")
    for file, members in wanted.items():
        start = f"m/{file}/"
        now = {key[len(start) :]: value for key, value in values.items() if key.startswith(start)}
        if len(forms) > 1:
            steps += picked("form-of", f"m/{file}")
        dropped = [name for name in now if members.get(name, 0) is None]
        steps += [step for name in dropped for step in Form({}).removed((name,))]
        said = {name: value for name, value in members.items() if value is not None}
        steps += Form(forms[f"m/{file}"]).steps(now, said)
    return steps


def _counters(listed: Iterable[Mapping[str, Any]]) -> list[Step]:
    steps = tool("counters")
    for one in listed:
        cells = {name: str(value) for name, value in one.items() if name not in ("id", "file")}
        steps += [
            unfolded("new-id"),
            {"fill": ["#new-id", one["id"]]},
        ]
        if "file" in one:
            steps += [{"pick": ["#new-file", one["file"]]}]
        steps += [
            *pressed("#form details button:has-text('Add')"),
            {"wait": f"document.querySelector('#form legend')?.innerText === {one['id']!r}"},
            *(step for name, cell in cells.items() for step in typed(f"cell-{name}", cell)),
        ]
    return steps
