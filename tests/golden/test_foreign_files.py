"""What comes of files of other programs: maps, modules, drawings, variants and tables, in full or refused.

Each file is small and has many cases on few lines. If a difference is meant, run
`pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from pbem.text.diagnostics import Refused
from pbem.text.render import concise
from pbem.workshop import importing, outlines, photographs, variants
from pbem.workshop.cells import Numbering, read_table
from pbem.workshop.foreign import Imported
from pbem.workshop.modules import board_picture, corners_of, laid_board, numbered
from pbem.workshop.shape_of import Column, Table
from tests.unit.workshop.test_modules import USUAL, grid, png

TABLES = {
    "comma": "hex,terrain,name\n0203, forest ,Karsk\n101,,\n0101,clear\n0201,,\n0301\n\n"
    "0302,Sea,A very long name" + "g" * 80,
    "semicolon": "Name;HEX;Terrain;extra\nDron;2.3;fen;x,y\n;10.12;fen;\n;0.4;forest\n;003005;flat",
    "tab": "terrain\thex\nf\t001002\nF\t002001\nfoo\t002002\nFoo\t003003",
    "letters": "hex,terrain\nA1,a\nb-3,b\nZ2,c\nAB2,d",
    "double letters": "hex,terrain,name\nA01,a,Alm\nBB02,b,Bor\nAA10,c,",
    "figures first": "hex,terrain\n1.A,a\n2.C,b\n10.B,c",
    "windows": "hex,terrain,name\n0101,h\xfcgel,K\xf6ln\n",
    "no terrain": "hex,kind\n0101,a\n",
    "no hexes": "hex,terrain\n,a\n",
    "mixed": "hex,terrain\nA1,a\n1B,a\n",
    "no number": "hex,terrain\n0101,a\n12345,a\n",
    "far": "hex,terrain\n1.1,a\n1.202,a\n",
    "empty": "",
}
TMX = """<?xml version="1.0" encoding="UTF-8"?>
<map orientation="{0}" width="3" {1}><tileset firstgid="1"><tile id="0" type="clear"/>
<tile id="1" class="forest"/><tile id="3"/></tileset><tileset firstgid="10" source="{2}"/>
<layer width="3">{3}</layer><layer width="3"><data><tile gid="9"/></data></layer></map>"""
LAYERS = {
    "csv": '<data encoding="csv">\n1,2,0,\n2147483650,4,11\n</data>',
    "tiles": '<data><tile gid="1"/><tile/><tile gid="11"/><tile gid="12"/></data>',
    "chunk": '<data encoding="csv"><chunk>1</chunk></data>',
}
TILESET = '<tileset><tile id="1" type="town"/><tile id="2" class="mill"/></tileset>'
WXX = """<map hexOrientation="{0}"><terrainmap>Blank\t0\tHills\t1\tFlat Forest\t2</terrainmap>
<tiles><tilerow>\n1\t9\t0\n0\t0\n 2 \t1\n</tilerow><tilerow>\n2\t1\n7\t1\n</tilerow>
<tilerow></tilerow></tiles></map>"""
BUILD = """<m><r><entry>Union</entry><entry> </entry><entry>Rebel</entry></r>
<w entryName="Units"><a.PieceSlot entryName="1st"/><x name="The REBEL army"><a.PieceSlot name="2nd"/>
<y name="of the union"><a.PieceSlot entryName="=SUM"/></y><a.PieceSlot/></x></w><a.PieceSlot name="last"/>
<{1} name="Chart" image="chart.png"/>
<{1} name="None" image="gone.png">{0}</{1}>
<{1} name="Front" image="front.png">{0}</{1}>
</m>"""
SVG = """<svg><defs><path id="no" d="M0 0H9V9z"/></defs><g transform="{0}"><path id="a b" d="{1}"/></g>
<polygon id="c" points="0,0 400,0 400,401"/><polygon id="d" points="401,399 401,0 600,0"/>
<polygon id="9" points="0,0 4,0 4,4"/>
<path id="a b" d="m500 0 l 50,0 0 50z m 10 10"/>{2}</svg>"""
PATHS = {
    "lines": ("", "M0 0H400V400.4l-200 0h-100v-200L0 200z"),
    "curves": ("translate(5 6) scale(2)", "M0 0C100 0 200 0 200 100s0 200-100 200Q50 300 20 200t-20-100z"),
    "arc": ("rotate(90)scale(2,1)", "M 0,0 A 20 20 0 0 1 200 200 L 1e2 .5e2 Z"),
    "turned": ("matrix(1 2 3 4 5 6), rotate(90 10 20)", "M0 0 300 0 300 300"),
    "skewed": ("skewX(45) skewY(10) translate(3)", "M0 0 300 0 300 300"),
    "odd": ("perspective(1)", "M0 0 300 0 300 300"),
    "short": ("", "M0 0 300"),
}
PROVINCES = '<g id="provinces"><polyline id="only" points="0 0 10 0 10 10"/></g>'
TOPOLOGY = {
    "type": "Topology",
    "arcs": [[[0, 0], [0, 60]], [[0, 60], [60, 60], [60, 0], [0, 0]], [[0, 0], [-60, 0], [-60, 60], [0, 60]]],
    "objects": {
        "all": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "id": "9", "properties": {"name": "East shore"}, "arcs": [[0, 1]]},
                {"type": "MultiPolygon", "properties": {"id": "west"}, "arcs": [[[-1, 2]], [[0, 1]]]},
                {"type": "Point", "id": "p"},
                {"type": "Polygon", "arcs": [[0, 1]]},
            ],
        }
    },
}
PACKED = {"scale": [0.5, 2], "translate": [10, 1]}
GODIP: dict[str, Any] = {
    "Name": "1st Test\x07 of coasts",
    "Nations": ["Red Kingdom", "2 Blues"],
    "ProvinceLongNames": {"aaa": "Aal", "ccc": ""},
    "Start": {
        "Units": {
            "aaa/nc": {"Type": "Fleet", "Nation": "2 Blues"},
            "b.b": {"Type": "ARMY", "Nation": "Red Kingdom"},
        }
    },
    "Graph": {
        "Nodes": {
            "aaa": {
                "SC": "2 Blues",
                "Subs": {
                    "": {
                        "Name": "",
                        "Flags": {"Land": True},
                        "Edges": {"b.b": {"Flags": {"Land": True}}, "sea": {"Flags": {"Sea": True}}},
                    },
                    "nc": {"Name": "NC", "Edges": {"sea": {"Flags": {"Sea": True}}, "ccc": {"Flags": None}}},
                },
            },
            "b.b": {
                "SC": "Nobody",
                "Subs": {
                    "": {
                        "Flags": {"Land": True},
                        "Edges": {
                            "sea": {"Flags": {"Sea": True}},
                            "ccc/ec": {"Flags": {"Sea": True, "Land": True}},
                        },
                    }
                },
            },
            "ccc": {
                "Subs": {
                    "": {"Flags": {"Land": True}, "Edges": {"b.b": {"Flags": {"Sea": True, "Land": True}}}},
                    "x": {"Name": "ec"},
                }
            },
            "ddd": {
                "SC": "Red Kingdom",
                "Subs": {
                    "": {"Flags": {"Land": True}, "Edges": {"b.b": {"Flags": {"Land": True, "Sea": True}}}}
                },
            },
            "sea": {"Subs": {"": {}}},
        }
    },
}
JDIP = """<!DOCTYPE VARIANTS [ <!ELEMENT A (B)> ]><VARIANTS><VARIANT name="Two"><MAP adjacencyURI="{0}.xml"/>
<STARTINGTIME turn="Fall, 1850"/><POWER name="Red" active="true" altnames="Reds,The Red, "/>
<POWER name="Gone" active="false"/><POWER name="Blue"/><S><WINNING_SUPPLY_CENTERS value="{1}"/></S>
<SUPPLYCENTER province="aa" homepower="the red"/><SUPPLYCENTER province="Bee" homepower="gone"/>
<SUPPLYCENTER province="cc"/><INITIALSTATE province="AA" power="reds" unit="Army"/>
<INITIALSTATE province="cc" power="blue" unit="fleet" unitcoast="SC"/></VARIANT>
<VARIANT name="Other"/></VARIANTS>"""
NEXT = """<PROVINCES><PROVINCE shortname="aa" fullname="Aal"><UNIQUENAME name="Alpha"/><UNIQUENAME name="x"/>
<ADJACENCY type="mv" refs="bb cc"/><ADJACENCY type="xc" refs="cc-sc dd"/></PROVINCE>
<PROVINCE shortname="bb" fullname="Bor"><UNIQUENAME name="bee"/><ADJACENCY refs="alpha"/></PROVINCE>
<PROVINCE shortname="cc" fullname="Cam"><ADJACENCY type="sc" refs="aa dd"/>
<ADJACENCY type="NC" refs="dd"/></PROVINCE>
<PROVINCE shortname="dd" fullname="Deep"><ADJACENCY type="xc" refs="aa cc(nc) cc/sc"/></PROVINCE>
</PROVINCES>"""
COLUMNS = (
    Column("hex", ("hex",), "place"),
    Column("steps", ("steps",), "0..9"),
    Column("cv", ("cv",), "fraction"),
    Column("late", ("late",), "bool"),
    Column("turn", ("turn",), "null or number"),
    Column("named", ("named",), "text"),
    Column("at", ("from", 0), "number"),
    Column("to", ("from", 1), "number"),
    Column("marks", ("marks",), ["name"]),
    Column("parts", ("parts",), [{"type": "name", "count": "number"}]),
)
ROWS = """ID;Owner;hex;steps;cv;late;turn;named;at;to;marks;parts;Note;
a1;red;305;3;1/2;yes;-;1. Mai;1;2;x y;z 2; x
a2;red;0405;x;4;Nein;NULL;5.1.1944;;7;;
a1;red;12;1;;maybe;3;;;;a;b;

a3;;5.1.44;12;;1;x;=A1;;;;
;blue;03.10;;;x;None;;;;;
a1;blue;12345;-2;2.5;WAHR;;@x;4;;p  q;"infantry 2; heavy guns 10;odd"
b1;blue;3.05;;;Falsch;none;;;9;;light guns 10;;
b2;blue;3.5
b3;blue;03,10;7;x;X;-;5.1.1944
b4;red;0410;;;;0
a1;blue;4

b4;red;0411
"""


def module(build: str, name: str = "buildFile") -> bytes:
    kept = BytesIO()
    with ZipFile(kept, "w") as archive:
        for member, data in (
            (name, build.encode()),
            ("images/chart.png", png(400, 400)),
            ("images/front.png", png(300, 250)),
        ):
            archive.writestr(member, data)
    return kept.getvalue()


def told(name: str, make: Callable[[], Any]) -> Iterator[str]:
    """Yield what a file comes to, part by part; or why it is refused."""
    yield f"== {name}"
    try:
        made = make()
    except Refused as refused:
        yield concise(refused.diagnostics)
        return
    if isinstance(made, Imported):
        made = {**made.map, "counters": made.counters, "notes": made.notes}
    if isinstance(made, Mapping):
        for key, value in made.items():
            yield from [f"{key}:", value] if isinstance(value, str) and "\n" in value else [f"{key}: {value}"]
    else:
        yield str(made)


def tables() -> Iterator[str]:
    for name, text in TABLES.items():
        data = text.encode("cp1252" if name == "windows" else "utf-8-sig")
        yield from told(name, lambda data=data: importing.read("a.csv", data))
        yield from told(
            f"{name}, rows first", lambda data=data: importing.read("a.CSV", data, rows_first=True)
        )


def tiles() -> Iterator[str]:
    beside: Callable[[str], bytes | None] = {
        "own.tsx": TILESET.encode(),
        "own.tsj": b'{"tiles": [{"id": 1, "type": "town"}]}',
    }.get
    for name, layer in LAYERS.items():
        for source, turn in (
            ("own.tsx", 'staggeraxis="x" staggerindex="even"'),
            ("../own.tsx", ""),
            ("own.TSJ", 'staggeraxis="y"'),
        ):
            data = TMX.format("hexagonal", turn, source, layer).encode()
            yield from told(
                f"{name} {source}", lambda data=data: importing.read("a.tmx", data, beside=beside)
            )
    yield from told(
        "squares", lambda: importing.read("a.tmx", TMX.format("orthogonal", "", "", LAYERS["csv"]).encode())
    )
    raw = struct.pack("<6I", 1, 2, 0, 0xA0000002, 3, 11)
    packs = {"zlib": zlib.compress(raw), "gzip": gzip.compress(raw), "": raw, "zstd": raw, "none": b"x"}
    for how, each in packs.items():
        layers = [
            {"type": "objectgroup"},
            {
                "type": "tilelayer",
                "width": 2,
                "data": b64encode(each).decode(),
                "compression": how if how != "none" else None,
            },
        ]
        sets = [{"firstgid": 1, "tiles": [{"id": 1, "class": "fen"}]}, {"firstgid": 10, "source": "own.tsj"}]
        tiled = json.dumps(
            {"orientation": "hexagonal", "staggerindex": "even", "tilesets": sets, "layers": layers}
        ).encode()
        yield from told(f"packed {how}", lambda tiled=tiled: importing.read("a.tmj", tiled, beside=beside))
    for tops in ("COLUMNS", "ROWS", "SQUARE"):
        for encoding in ("utf-16", "utf-16-be", "utf-8-sig"):
            data = gzip.compress(WXX.format(tops).encode(encoding))
            yield from told(f"{tops} {encoding}", lambda data=data: importing.read("a.wxx", data))
    yield from told("unknown", lambda: importing.read("a.pdf", b""))


def modules() -> Iterator[str]:
    made = module(BUILD.format(grid(), "VASSAL.build.module.map.boardPicker.Board"))
    yield from told("pieces", lambda: importing.read("a.vmod", made))
    yield from told("no board", lambda: board_picture(module("<m/>")))
    yield from told("picture", lambda: photographs.size_of(board_picture(made)))
    for corners in (["0101", "0302"], ["0101", "9901"], []):
        yield from told(f"laid {corners}", lambda corners=corners: (laid_board(made, corners) or [None])[0])
    changes = [
        ("", ""),
        ('first="H"', 'first="V"'),
        ('stagger="false"', 'stagger="true"'),
        ('vType="N"', 'vType="A"'),
        ('hOff="1"', 'hOff="-2"'),
        ('hLeading="1"', 'hLeading="2"'),
        ('sep=""', 'sep="."'),
        ('vDescend="false"', 'vDescend="true"'),
        ('hDescend="false"', 'hDescend="true"'),
    ]
    for sideways in ("false", "true"):
        for change in changes:
            text = grid(USUAL.replace(*change), f'sideways="{sideways}"')
            spots = numbered(ElementTree.fromstring(text), (420, 310))
            near = corners_of(spots, lambda hex: [hex, "beside"])
            listed = " ".join(f"{hex}={x},{y}" for hex, (x, y) in spots.items())
            yield f"sideways {sideways} {change[1]}: {near} {listed}"


def drawings() -> Iterator[str]:
    for name, (transform, path) in PATHS.items():
        for inside in ("", PROVINCES) if name == "lines" else ("",):
            data = SVG.format(transform, path, inside).encode()
            yield from told(
                f"{name} {inside[:20]}",
                lambda data=data: {
                    "read": (rings := outlines.read("a.svg", data)),
                    "shapes": outlines.shapes_of(rings),
                },
            )
    for title, more in (
        ("degrees", {}),
        ("packed", {"transform": PACKED}),
        ("pixels", {"transform": {"scale": [10, 10], "translate": [0, 0]}}),
    ):
        data = json.dumps({**TOPOLOGY, **more}).encode()
        yield from told(
            title,
            lambda data=data: {
                "drawing": outlines.is_drawing("a.json", data),
                "shapes": outlines.shapes_of(outlines.read("a.json", data)),
            },
        )


def games() -> Iterator[str]:
    def of(name: str, data: bytes) -> Any:
        variant = variants.read(name, data, lambda file: NEXT.encode() if file == "next.xml" else None)
        return {**variants.files_of(variant), **variants.facts(variant)}

    for win in (None, 3):
        yield from told(
            f"godip {win}", lambda win=win: of("a.json", json.dumps({**GODIP, "SoloSCCount": win}).encode())
        )
        yield from told(f"jdip {win}", lambda win=win: of("a.xml", JDIP.format("next", win or 2).encode()))
    yield from told("elsewhere", lambda: of("a.xml", JDIP.format("../next", 2).encode()))
    yield from told("not there", lambda: of("a.xml", JDIP.format("other", 2).encode()))
    yield from told("no units", lambda: of("a.json", json.dumps({**GODIP, "Start": {"Year": 1700}}).encode()))
    yield from told("no seats", lambda: of("a.json", json.dumps({**GODIP, "Nations": []}).encode()))


def counters() -> Iterator[str]:
    for listed in (False, True):
        for numbering in (Numbering(), Numbering((2, 2), "."), Numbering(None)):
            table = Table("counters", ("units", "<owner>"), listed, COLUMNS)
            cells = read_table(table, "counters.csv", ROWS.encode("cp1252"), numbering)
            yield f"== listed {listed}, {numbering}"
            yield from (
                f"{path}: {entry} {cells.span((*path, 'hex')).column}" for path, entry in cells.entries
            )
            yield from cells.mended
            yield concise(cells.faults)
    for text in ("", "owner,hex\n", "id,Owner,owner\n", "id,ownr,kind\n", "id\na\nb\n\na\n"):
        cells = read_table(Table("counters", (), False, COLUMNS), "counters.csv", text.encode(), Numbering())
        yield from (f"== {text!r}", str(cells.entries), concise(cells.faults))


@pytest.mark.parametrize(
    "kind", [tables, tiles, modules, drawings, games, counters], ids=lambda kind: str(kind.__name__)
)
def test_files_of_other_programs_come_to_what_they_did(
    kind: Callable[[], Iterator[str]], golden: Callable[[str, str], None]
) -> None:
    golden(f"foreign-{kind.__name__}.txt", "".join(f"{line}\n" for line in kind()))
