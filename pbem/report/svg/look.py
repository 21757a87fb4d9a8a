"""The look of a system: its `look.yaml` (schema `look`) over the tints, paints and shapes of pbem.

A system without one gets a plain map: terrain in the order of its kinds, every counter with its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from pbem.model.events import Event
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.loading import load_file
from pbem.text.messages import Message
from pbem.text.schema import check, find
from pbem.text.suggest import did_you_mean

Data = Mapping[str, Any]
PLAIN_TINTS = ("clear", "woods", "hills", "desert", "swamp", "mountain", "urban", "farmland", "rough", "ice")


@cache
def palette() -> Data:
    """Return tints, paints and lines: `palette.yaml`."""
    return _own("palette.yaml")


@cache
def shapes() -> Data:
    """Return symbols, marks and sites: `shapes.yaml`."""
    return _own("shapes.yaml")


def _own(name: str) -> Data:
    data: Data = load_file(Path(__file__).parent / name, f"report/svg/{name}").data
    return data


@dataclass(frozen=True)
class Tint:
    """The colours of a terrain on light and dark paper, the mark drawn on it, and whether it is water."""

    light: str
    dark: str
    mark: str = ""
    water: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of counter: symbol, what is written on it, name in words, strengths from the top, code."""

    symbol: str
    label: str
    name: str = ""
    steps: tuple[int, ...] = ()
    code: str = ""


@dataclass(frozen=True)
class Look:
    """The data of one system, and the look of its terrains, owners and counters."""

    data: Data = field(default_factory=dict)

    def part(self, name: str) -> Data:
        """Return a section of the file."""
        section: Data = self.data.get(name, {})
        return section

    def tint(self, terrain: str, terrains: Sequence[str] = ()) -> Tint:
        """Return how a terrain is drawn; an unknown one gets the next of the plain tints."""
        own = self.part("terrain").get(terrain)
        if own is None:
            unknown = [name for name in terrains if name not in self.part("terrain")]
            number = unknown.index(terrain) if terrain in unknown else 0
            wet = terrain in ("sea", "water", "lake", "ocean")
            own = {"tint": "water" if wet else PLAIN_TINTS[number % len(PLAIN_TINTS)]}
        made = {**palette()["tints"].get(own.get("tint", "clear"), {}), **own}
        return Tint(made["light"], made["dark"], made.get("mark", ""), bool(made.get("water")))

    def paint(self, owner: str, owners: Sequence[str]) -> str:
        """Return the name of an owner's paint."""
        named = self.part("owners").get(owner)
        if named in palette()["paints"]:
            return str(named)
        order = palette()["order"]
        if owner in order:
            return owner
        taken = {self.part("owners").get(other, other) for other in owners if other != owner}
        free = [paint for paint in order if paint not in taken] or order
        others = [other for other in owners if other not in self.part("owners") and other not in order]
        return str(free[others.index(owner) % len(free)]) if owner in others else "grey"

    @property
    def kind_field(self) -> str:
        return str(self.part("counters").get("kind", "type"))

    def is_unknown(self, counter: Data) -> bool:
        """Return True if the reader only knows that this counter exists."""
        kind = counter.get(self.kind_field)
        return kind is None or kind == self.part("counters").get("unknown", "?")

    def _own(self, counter: Data) -> tuple[str, Data]:
        """Return the name of a counter's kind, and its entry in the file, with detail or without."""
        known = self.part("counters").get("kinds", {})
        name = str(counter.get(self.kind_field, ""))
        detailed = f"{name}/{counter.get(str(self.part('counters').get('detail', '')), '')}"
        return (detailed, known[detailed]) if detailed in known else (name, known.get(name, {}))

    def kind(self, counter: Data) -> Kind:
        """Return the kind of a counter, given by its fields, and its id as `id` if known."""
        name, own = self._own(counter)
        label = str(own.get("label") or self.part("counters").get("label") or "")
        code = own.get("code", name)
        steps = tuple(own.get("steps", ()))
        most = self.part("counters").get("steps")
        most = counter.get(most) if isinstance(most, str) else most
        if not steps and isinstance(most, int):
            steps = tuple(range(most, 0, -1))
        symbol, words = str(own.get("symbol", "none")), str(own.get("name", name))
        text = code if label == "code" else counter.get(label) or code
        return Kind(symbol, str(text), words, steps, str(code))

    def strength(self, counter: Data) -> int | None:
        """Return the present strength of a counter, or None without one."""
        own = self._own(counter)[1]
        value = counter.get(str(own.get("strength") or self.part("counters").get("strength", "")))
        return value if isinstance(value, int) and not isinstance(value, bool) and value else None

    def figures(self, counter: Data) -> str:
        """Return the printed figures at a counter's foot beside or instead of a strength: `3-2-1`."""
        named = self._own(counter)[1].get("figures", self.part("counters").get("figures", ()))
        values = [counter.get(name) for name in named]
        return "-".join(str(value) for value in values if isinstance(value, int | str))

    def echelon(self, counter: Data) -> str:
        """Return the drawn size of a unit (`II`, `XX`), or "" if the file has none."""
        size = counter.get(str(self.part("counters").get("size", "")))
        return str(self.part("counters").get("sizes", {}).get(size, ""))

    def rank(self, counter: Data) -> int:
        """Return where the kind of a counter is in the system's order of a stack; 0 where it has none."""
        listed = self.part("counters").get("rank", ())
        name = str(counter.get(self.kind_field, ""))
        return listed.index(name) if name in listed else len(listed)

    def formation(self, counter: Data) -> str:
        """Return the name of the formation that a counter belongs to; empty where nothing says."""
        name = counter.get(str(self.part("counters").get("formation", "")))
        return name if isinstance(name, str) else ""

    def marks(self, counter: Data) -> str:
        """Return letters for the states of a counter."""
        known = self.part("counters").get("marks", {})
        return "".join(letters for name, letters in known.items() if counter.get(name))


# ---- what is wrong with a look -------------------------------------------------------------------


def faults(data: Data, events: Mapping[str, type[Event]] | None) -> list[Diagnostic]:
    """Return what does not fit the schema, and unknown names of shapes, colours and events.

    `events` are those of the system by kind; None: they are not known here.
    """
    faults_ = check(data, find("look"))
    if faults_:
        return faults_
    look = Look(data)
    return [*_shape_faults(look), *(_event_faults(look, events) if events is not None else [])]


def _shape_faults(look: Look) -> list[Diagnostic]:
    colours, forms = palette(), shapes()
    named: list[tuple[tuple[str, ...], str, Iterable[str]]] = []
    for terrain, own in look.part("terrain").items():
        named += [(("terrain", terrain, "tint"), own["tint"], colours["tints"])] if "tint" in own else []
        named += [(("terrain", terrain, "mark"), own["mark"], forms["marks"])] if "mark" in own else []
    for section in ("hexsides", "links", "layers"):
        named += [((section, kind), line, colours["lines"]) for kind, line in look.part(section).items()]
    named += [(("owners", power), paint, colours["paints"]) for power, paint in look.part("owners").items()]
    for kind, own in look.part("places").items():
        sites = {**own.get("sites", {}), **own.get("also", {})}
        sites |= {"site": own["site"]} if "site" in own else {}
        named += [(("places", kind, name), site, forms["sites"]) for name, site in sites.items()]
    kinds = look.part("counters").get("kinds", {})
    for kind, own in kinds.items():
        named.append((("counters", "kinds", kind, "symbol"), own["symbol"], forms["symbols"]))
    plain = {kind.partition("/")[0] for kind in kinds}
    named += [(("counters", "rank"), kind, plain) for kind in look.part("counters").get("rank", ())]
    return [_unknown(path, name, known) for path, name, known in named if name not in known]


def _event_faults(look: Look, events: Mapping[str, type[Event]]) -> list[Diagnostic]:
    faults: list[Diagnostic] = []
    faults += [_unknown(("orders", kind), kind, events) for kind in look.part("orders") if kind not in events]
    for kind in look.part("moves"):
        if kind not in events:
            faults.append(_unknown(("moves", kind), kind, events))
        elif "move" not in events[kind].tells:
            message = Message("report.svg.tells-no-move", kind=kind)
            faults.append(Diagnostic("tells-no-move", message, path=("moves", kind)))
    return faults


def _unknown(path: tuple[str, ...], name: str, known: Iterable[str]) -> Diagnostic:
    near = did_you_mean(name, sorted(known))
    help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
    return Diagnostic(
        "unknown-name",
        Message("report.svg.unknown-name", path=".".join(path), name=name),
        path=path,
        help=help_,
    )
