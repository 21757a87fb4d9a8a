"""Variants of Diplomacy from the files of other programs, as scenarios that can be played."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem.bot.games import stages
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.rules.atlas import Atlas
from pbem.systems.diplomacy.rules.world import World
from pbem.text.diagnostics import Refused
from pbem.workshop import variants
from pbem.workshop.folders import read_folder
from pbem.workshop.variants import files_of, read
from tests.cli.play import pbem

DTD = "<?xml version='1.0'?>\n<!DOCTYPE {0} [\n <!ELEMENT {0} (A+)>\n <!ATTLIST A x (mv|xc) \"mv\">\n]>\n"


def standard() -> tuple[Mapping[str, Any], Atlas]:
    scenario = SYSTEM.scenario("standard")
    world = SYSTEM.build_world(scenario, SYSTEM.options(scenario, {}))
    assert isinstance(world, World)
    return scenario, world.atlas


def godip() -> bytes:
    """The standard map in the form of godip."""
    scenario, atlas = standard()
    nodes: dict[str, Any] = {}
    for id, one in atlas.provinces.items():
        subs: dict[str, Any] = {"": {"Name": "", "Edges": {}, "Flags": {} if one.sea else {"Land": True}}}
        edges = subs[""]["Edges"]
        for other in atlas.army[id]:
            edges.setdefault(other.lower(), {"Flags": {}})["Flags"]["Land"] = True
        for node in atlas.nodes(id):
            coast = node.partition(".")[2].lower()
            sub = subs.setdefault(coast, {"Name": coast, "Edges": {}, "Flags": {}})
            for other in atlas.fleet.get(node, ()):
                name = other.lower().replace(".", "/")
                sub["Edges"].setdefault(name, {"Flags": {}})["Flags"]["Sea"] = True
            sub["Flags"] |= {"Sea": True} if atlas.fleet.get(node) else {}
        centre = None if not one.centre else (one.home or "neutral").title()
        nodes[id.lower()] = {"Name": id.lower(), "Subs": subs, "SC": centre}
    units = {
        (unit["hex"] + ("/" + unit["coast"] if unit.get("coast") else "")).lower(): {
            "Type": unit["type"].title(),
            "Nation": unit["owner"].title(),
        }
        for unit in scenario["counters"].values()
    }
    return json.dumps(
        {
            "Name": "Classical again",
            "Nations": [seat.title() for seat in scenario["seats"]],
            "Graph": {"Nodes": nodes},
            "ProvinceLongNames": {id.lower(): one.name for id, one in atlas.provinces.items()},
            "Start": {"Year": 1901, "Units": units},
            "SoloSCCount": 18,
        }
    ).encode()


def jdip() -> dict[str, bytes]:
    """The standard map in the two files of jDip, with the list of elements that its files begin with."""
    scenario, atlas = standard()
    provinces = DTD.format("PROVINCES") + "<PROVINCES>"
    for id, one in atlas.provinces.items():
        provinces += (
            f'<PROVINCE shortname="{id.lower()}" fullname="{one.name}"><UNIQUENAME name="x{id.lower()}"/>'
        )
        if atlas.army[id]:
            refs = " ".join(f"x{other.lower()}" for other in atlas.army[id])
            provinces += f'<ADJACENCY type="mv" refs="{refs}"/>'
        for node in atlas.nodes(id):
            if refs := " ".join(other.lower().replace(".", "-") for other in atlas.fleet.get(node, ())):
                kind = node.partition(".")[2].lower() or "xc"
                provinces += f'<ADJACENCY type="{kind}" refs="{refs}"/>'
        provinces += "</PROVINCE>"
    text = DTD.format("VARIANTS") + '<VARIANTS><VARIANT name="Classical again" version="1.0">'
    text += '<MAP adjacencyURI="std_adjacency.xml"/><STARTINGTIME turn="Spring, 1901, Movement"/>'
    text += "".join(f'<POWER name="{seat.title()}" active="true"/>' for seat in scenario["seats"])
    text += '<VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="18"/></VICTORYCONDITIONS>'
    for id in atlas.centres:
        home = atlas.provinces[id].home
        text += f'<SUPPLYCENTER province="{id.lower()}"' + (f' homepower="{home}"/>' if home else "/>")
    for unit in scenario["counters"].values():
        coast = f' unitcoast="{unit["coast"].lower()}"' if unit.get("coast") else ""
        where = f'province="{unit["hex"].lower()}" power="{unit["owner"]}"'
        text += f'<INITIALSTATE {where} unit="{unit["type"]}"{coast}/>'
    return {
        "variants.xml": (text + "</VARIANT></VARIANTS>").encode(),
        "std_adjacency.xml": (provinces + "</PROVINCES>").encode(),
    }


@pytest.mark.parametrize("form", ["godip", "jdip"])
def test_a_variant_becomes_a_scenario_with_the_same_map(form: str, tmp_path: Path) -> None:
    files = {"classical.json": godip()} if form == "godip" else jdip()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    said = pbem("scenario", "import", str(tmp_path / next(iter(files))), str(tmp_path / "mine"))
    assert "Provinces: 75, supply centres: 34, powers: 7." in said.err
    pbem("scenario", "check", str(tmp_path / "mine"))
    found = read_folder(tmp_path / "mine")
    assert not found.errors and found.system is not None and found.whole is not None
    scenario, atlas = standard()
    made = found.system.with_scenario(found.whole)
    world = made.build_world(found.whole.data, made.options(found.whole.data, {}))
    assert (world.atlas.army, world.atlas.fleet) == (atlas.army, atlas.fleet)
    assert world.atlas.provinces == atlas.provinces and world.to_win == 18
    counters = [
        sorted((one["owner"], one["type"], one["hex"], one.get("coast", "")) for one in units.values())
        for units in (found.whole.data["counters"], scenario["counters"])
    ]
    assert counters[0] == counters[1]
    again = pbem("scenario", "import", str(tmp_path / next(iter(files))), str(tmp_path / "mine"), code=1)
    assert "there already" in again.err


def test_fleets_do_not_pass_by_a_border_that_names_none_of_a_province_s_coasts() -> None:
    said = json.loads(godip())
    subs = next(node["Subs"] for node in said["Graph"]["Nodes"].values() if len(node["Subs"]) > 1)
    goal, edge = next(iter(next(sub for name, sub in subs.items() if name)["Edges"].items()))
    subs[""]["Edges"][goal] = edge
    made = [
        files_of(read("map.json", json.dumps(each).encode(), {}.get)) for each in (said, json.loads(godip()))
    ]
    assert made[0] == made[1]


def crowd(year: int, most: int) -> bytes:
    """The standard map where each of the first centres is a power of its own, with one army."""
    data, (_, atlas) = json.loads(godip()), standard()
    powers = {id: atlas.provinces[id].name.replace(" ", "") for id in atlas.centres[:most]}
    for id in atlas.centres:
        data["Graph"]["Nodes"][id.lower()]["SC"] = powers.get(id, "Neutral")
    units = {id.lower(): {"Type": "Army", "Nation": name} for id, name in powers.items()}
    said = {
        "Name": f"Crowd of {most}",
        "Nations": [*powers.values()],
        "Start": {"Year": year, "Units": units},
    }
    return json.dumps(data | said).encode()


def test_a_variant_of_twelve_powers_is_played_from_its_own_year(tmp_path: Path) -> None:
    (tmp_path / "crowd.json").write_bytes(crowd(1861, 12))
    pbem("scenario", "import", str(tmp_path / "crowd.json"), str(tmp_path / "mine"))
    found = read_folder(tmp_path / "mine")
    assert not found.errors and found.system is not None and found.whole is not None
    made = found.system.with_scenario(found.whole)
    year = [one.outcome for one in islice(stages(made, found.whole.id, seed="a year"), 5)]
    assert len(year[0].state.players) == 12 and year[0].place == "Spring 1861, Moves"
    assert year[1].place == "Fall 1861, Moves" and "Spring 1862, Moves" in [one.place for one in year]


def test_what_files_of_jdip_really_have_is_understood() -> None:
    """Coasts behind a slash, other names of a power, powers whose name begins with a digit."""
    files = jdip()
    text = files["variants.xml"].decode().replace('<POWER name="Germany"', '<POWER name="3-Reich"')
    text = text.replace('"germany"', '"3-Reich"')
    text = text.replace('<POWER name="England"', '<POWER name="England" altnames="Britain, Albion"')
    text = text.replace('power="england"', 'power="britain"').replace(
        'homepower="england"', 'homepower="albion"'
    )
    beside = (
        files["std_adjacency.xml"].decode().replace("-nc", "/nc").replace("-sc", "/sc").replace("-ec", "/ec")
    )
    found = variants.read("variants.xml", text.encode(), lambda _: beside.encode())
    plain = variants.read("variants.xml", files["variants.xml"], lambda _: files["std_adjacency.xml"])
    assert found.fleet == plain.fleet and found.army == plain.army
    assert found.seats == [seat.replace("germany", "p3-reich") for seat in plain.seats]
    renamed = [(owner.replace("germany", "p3-reich"), *rest) for owner, *rest in plain.units]
    assert sorted(found.units) == sorted(renamed)
    assert found.homes == {
        id: home and home.replace("germany", "p3-reich") for id, home in plain.homes.items()
    }


ATTACKS = {
    "not.json": b"{",
    "list.json": b"[]",
    "deep.json": b"[" * 200_000,
    "empty.json": b'{"Name": "x", "Nations": [], "Graph": {"Nodes": {}}, "Start": {}}',
    "path.json": godip().replace(b'"par"', b'"../../etc"'),
    "entity.xml": b'<!DOCTYPE VARIANTS [<!ENTITY a "b">]><VARIANTS/>',
    "outside.xml": b'<!DOCTYPE VARIANTS SYSTEM "http://x/y.dtd"><VARIANTS/>',
    "away.xml": jdip()["variants.xml"].replace(b"std_adjacency.xml", b"../std_adjacency.xml"),
    "alone.xml": jdip()["variants.xml"],
    "other.xml": b"<VARIANTS><VARIANT/></VARIANTS>",
    "latin.xml": b"\xff\xfe\x00<",
}


def test_a_variant_that_begins_without_units_is_refused() -> None:
    """It would never ask anybody anything."""
    bare = json.dumps(json.loads(godip()) | {"Start": {"Year": 1901, "Units": {}}}).encode()
    with pytest.raises(Refused) as refused:
        variants.read("chaos.json", bare, lambda _: None)
    assert [one.code for one in refused.value.diagnostics] == ["no-units"]


@pytest.mark.parametrize("name", ATTACKS)
def test_hostile_and_damaged_files_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        variants.files_of(variants.read(name, ATTACKS[name], lambda _: None))
    codes = {one.code for one in refused.value.diagnostics}
    assert codes <= {"damaged-file", "doctype", "no-provinces"}


@pytest.mark.parametrize("written", [r"\1/\2", r"\1(\2)"])
def test_coasts_are_read_as_files_write_them(written: str) -> None:
    """Of 19 variants of jDip four have `stp/nc` or `stp(nc)` beside `stp-nc`."""
    files = jdip()
    text = re.sub(r"\b([a-z0-9]+)-([nsew]c)\b", written, files["std_adjacency.xml"].decode())
    assert text != files["std_adjacency.xml"].decode()
    usual = variants.read("variants.xml", files["variants.xml"], files.get)
    found = variants.read("variants.xml", files["variants.xml"], {"std_adjacency.xml": text.encode()}.get)
    assert found.fleet == usual.fleet and found.army == usual.army


def test_names_that_begin_with_a_figure_make_an_id_and_seats() -> None:
    files = jdip()
    text = files["variants.xml"].decode().replace('VARIANT name="', 'VARIANT name="1900 ')
    made = variants.files_of(variants.read("variants.xml", text.encode(), files.get))
    assert re.search(r"^id: p1900", made["scenario.yaml"], flags=re.MULTILINE)
