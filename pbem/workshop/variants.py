"""Variants of Diplomacy from the files of godip (JSON) and jDip (XML), as scenarios of `diplomacy`.

Only facts are taken: provinces, borders, supply centres, first units, how many centres win. These
files do not have a variant's own rules. Of jDip's two files the second is beside the first.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any
from xml.etree import ElementTree

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.workshop.folders import MAP, SCENARIO
from pbem.workshop.foreign import MOST, Beside, damaged, from_json, xml
from pbem.workshop.writing import as_yaml

MOST_PROVINCES, MOST_UNITS = 500, 500
COASTS = {"nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC"}
_DTD = re.compile(rb"<!DOCTYPE\s+[A-Z]+\s*\[((?:[^\]\"']|\"[^\"]*\"|'[^']*')*)\]\s*>")
"""The list of elements that jDip's own files begin with; entities in it are refused."""
Node = tuple[str, str]  # a province and its coast


@dataclass
class Variant:
    """The facts of a variant. Pairs of nodes are borders, each in both directions at once."""

    title: str
    year: int = 1901
    to_win: int = 0
    seats: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    land: set[str] = field(default_factory=set)
    army: set[frozenset[str]] = field(default_factory=set)
    fleet: set[frozenset[Node]] = field(default_factory=set)
    homes: dict[str, str | None] = field(default_factory=dict)
    units: list[tuple[str, str, str, str]] = field(default_factory=list)


def is_variant(name: str) -> bool:
    """Return True if a file may be a variant by the ending of its name."""
    return name.lower().endswith((".json", ".xml"))


def read(name: str, data: bytes, beside: Beside) -> Variant:
    """Return the variant of a file; Refused if damaged. `beside` gives another file of its folder."""
    if len(data) > MOST:
        raise Refused(Diagnostic("too-large", Message("workshop.importing.too-large", most=MOST >> 20)))
    try:
        godip = _godip(data) if name.lower().endswith(".json") else _jdip(data, beside)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise damaged() from None
    if (
        not godip.names
        or not godip.seats
        or len(godip.names) > MOST_PROVINCES
        or len(godip.units) > MOST_UNITS
    ):
        raise damaged()
    if not godip.units:  # its players begin by building, which these rules do not know
        raise Refused(Diagnostic("no-units", Message("workshop.variants.no-units", title=godip.title)))
    return godip


# ---- godip -----------------------------------------------------------------------------------------


def _godip(data: bytes) -> Variant:
    """Read godip's JSON: nodes with their coasts as `Subs`, edges flagged `Land` or `Sea`."""
    data_read = from_json(data)
    start, nodes = data_read["Start"], data_read["Graph"]["Nodes"]
    variant = Variant(_text(data_read["Name"]), int(start.get("Year", 1901)))
    seats = {str(nation): _slug(nation) for nation in data_read["Nations"]}
    variant.seats = list(seats.values())
    long_names = data_read.get("ProvinceLongNames") or {}
    for key, node in nodes.items():
        id = _id(key)
        variant.names[id] = _text(long_names.get(key) or key.upper())
        for sub in node["Subs"].values():
            coast = COASTS.get(str(sub.get("Name", "")).lower(), "")
            if (sub.get("Flags") or {}).get("Land"):
                variant.land.add(id)
            for target, edge in (sub.get("Edges") or {}).items():
                place, _, other = str(target).partition("/")
                flags = edge.get("Flags") or {}
                if flags.get("Land"):
                    variant.army.add(frozenset((id, _id(place))))
                if flags.get("Sea"):
                    variant.fleet.add(frozenset(((id, coast), (_id(place), COASTS.get(other.lower(), "")))))
        if node.get("SC") is not None:
            variant.homes[id] = seats.get(str(node["SC"]))
    for where, unit in (start.get("Units") or {}).items():
        place, _, coast = str(where).partition("/")
        kind = {"army": "army", "fleet": "fleet"}[str(unit["Type"]).lower()]
        variant.units.append((seats[str(unit["Nation"])], kind, _id(place), COASTS.get(coast.lower(), "")))
    variant.to_win = int(data_read.get("SoloSCCount") or 0)
    return variant


# ---- jDip ------------------------------------------------------------------------------------------


def _jdip(data: bytes, beside: Beside) -> Variant:
    """Read jDip's `variants.xml`, and the file of provinces that it names."""
    chosen = next(_root(data).iter("VARIANT"))
    adjacency = _element(chosen, "MAP").attrib["adjacencyURI"]
    year = re.search(r"[0-9]{1,4}", _element(chosen, "STARTINGTIME").attrib["turn"])
    variant = Variant(_text(chosen.attrib["name"]), int(year[0]) if year else 1901)
    seats: dict[str, str] = {}
    for power in chosen.iter("POWER"):
        if power.get("active") != "false":
            seat = _slug(power.attrib["name"])
            variant.seats.append(seat)
            others = power.get("altnames", "").split(",")
            seats |= {seat: seat, **{_slug(other): seat for other in others if other.strip()}}
    wins = chosen.find(".//WINNING_SUPPLY_CENTERS")
    variant.to_win = int(wins.attrib["value"]) if wins is not None else 0
    provinces = beside(adjacency) if re.fullmatch(r"[A-Za-z0-9_-]{1,80}\.xml", adjacency) else None
    if provinces is None:
        raise Refused(
            Diagnostic("no-provinces", Message("workshop.variants.no-provinces", file=adjacency[:80]))
        )
    called = _provinces(variant, _root(provinces))
    for centre in chosen.iter("SUPPLYCENTER"):
        home = seats.get(_slug(centre.get("homepower", "none")))
        variant.homes[called[centre.attrib["province"].lower()]] = home
    for unit in chosen.iter("INITIALSTATE"):
        place, kind = called[unit.attrib["province"].lower()], unit.attrib["unit"].lower()
        if kind not in ("army", "fleet"):
            raise damaged()
        coast = COASTS.get(unit.get("unitcoast", "").lower(), "")
        variant.units.append((seats[_slug(unit.attrib["power"])], kind, place, coast))
    variant.land |= {*variant.homes}
    return variant


def _provinces(variant: Variant, root: ElementTree.Element) -> dict[str, str]:
    """Read the provinces with their borders; the province of each short name and other name."""
    listed = list(root.iter("PROVINCE"))
    called: dict[str, str] = {}
    for province in listed:
        id = _id(province.attrib["shortname"])
        variant.names[id] = _text(province.attrib["fullname"])
        others = [_text(other.attrib["name"]).lower() for other in province.iter("UNIQUENAME")]
        variant.aliases[id] = [other for other in others if re.fullmatch(r"[a-z][a-z .-]{1,38}", other)]
        called |= {province.attrib["shortname"].lower(): id, **dict.fromkeys(others, id)}
    for province in listed:
        id = _id(province.attrib["shortname"])
        for border in province.iter("ADJACENCY"):
            kind = border.get("type", "mv").lower()
            for ref in border.attrib["refs"].lower().split():
                place, coast = _coasted(ref)
                if kind == "mv":
                    variant.land.add(id)
                    variant.army.add(frozenset((id, called[place])))
                else:
                    ends = (id, COASTS.get(kind, "")), (called[place], COASTS.get(coast, ""))
                    variant.fleet.add(frozenset(ends))
    return called


def _root(data: bytes) -> ElementTree.Element:
    """Return the root of a file, without the list of elements before it; entities are refused."""
    dtd = _DTD.search(data[:100_000])
    if dtd is not None and b"<!ENTITY" not in dtd[1] and b"%" not in dtd[1]:
        data = data[: dtd.start()] + data[dtd.end() :]
    return xml(data)


def _element(element: ElementTree.Element, name: str) -> ElementTree.Element:
    child = element.find(name)
    if child is None:
        raise damaged()
    return child


# ---- the scenario ----------------------------------------------------------------------------------


def files_of(variant: Variant) -> dict[str, str]:
    """Return the files of a scenario of `diplomacy` with these facts, by name."""
    split = {node[0] for pair in variant.fleet for node in pair if node[1]}
    fleet = {pair for pair in variant.fleet if all(node[1] or node[0] not in split for node in pair)}
    wet = {node[0] for pair in variant.fleet for node in pair}
    provinces = {
        id: {"name": name, "terrain": "sea" if id not in variant.land else "coast" if id in wet else "inland"}
        for id, name in sorted(variant.names.items())
    }
    centres = [{"hex": id, "home": home} for id, home in sorted(variant.homes.items())]
    plain = {frozenset(node[0] for node in pair) for pair in fleet if not any(node[1] for node in pair)}
    both = variant.army & plain
    at_sea = {pair for pair in fleet if frozenset(node[0] for node in pair) not in both}
    borders = {
        "both": _once(tuple(pair) for pair in both),
        "army": _once(tuple(pair) for pair in variant.army - both),
        "fleet": _once(tuple(".".join(filter(None, node)) for node in pair) for pair in at_sea),
    }
    scenario: dict[str, Any] = {
        "pbem": 1,
        "system": "diplomacy",
        "id": _slug(variant.title).replace("-", "_") or "variant",
        "title": variant.title,
        "seats": variant.seats,
        "first_year": variant.year,
        "to_win": variant.to_win or len(centres) // 2 + 1,
        "borders": borders,
        "tracks": {},
    }
    if aliases := {id: names for id, names in sorted(variant.aliases.items()) if names}:
        scenario["aliases"] = aliases
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("id", "owner", "type", "hex", "coast"))
    counts: dict[str, int] = {}
    for owner, kind, place, coast in sorted(variant.units):
        short = owner.replace("-", "")[:2].upper()
        counts[short] = counts.get(short, 0) + 1
        writer.writerow((f"{short}{counts[short]}", owner, kind, place, coast))
    sheet = {"areas": {"province": provinces}, "places": {"centre": centres}}
    return {SCENARIO: as_yaml(scenario), MAP: as_yaml(sheet), "counters.csv": out.getvalue()}


def _once(pairs: Iterator[tuple[str, ...]]) -> dict[str, list[str]]:
    """Return each border under the first of its two sides."""
    names: dict[str, list[str]] = {}
    for first, other in sorted(tuple(sorted(pair)) for pair in pairs if len(pair) == 2):
        names.setdefault(first, []).append(other)
    return names


def _id(name: object) -> str:
    made = re.sub(r"[^A-Za-z0-9_]", "", str(name)).upper()
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,39}", made):
        raise damaged()
    return made


def _slug(name: object) -> str:
    made = re.sub(r"[^a-z0-9]+", "-", str(name).lower()).strip("-")[:30]
    return f"p{made}" if made[:1].isdigit() else made


def _coasted(ref: str) -> tuple[str, str]:
    """Return the province and the coast of a reference: files have stp-nc, stp/nc and stp(nc)."""
    place, *coast = re.split(r"[-/(]", ref.rstrip(")"), maxsplit=1)
    return place, coast[0] if coast else ""


def _text(value: object) -> str:
    return "".join(letter for letter in str(value) if letter.isprintable())[:60].strip() or "?"


def facts(variant: Variant) -> Mapping[str, Any]:
    """Return what a person should know of an import."""
    return {"provinces": len(variant.names), "centres": len(variant.homes), "powers": len(variant.seats)}
