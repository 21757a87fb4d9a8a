"""Files of other programs are read up to a size and refused beyond it, whatever they are made of."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from pbem.text.diagnostics import Refused
from pbem.workshop import foreign, importing, modules, outlines, variants

TABLE = b"hex,terrain\n0101,a\n0102,b\n0103,c\n"
TILES = (
    b'<map orientation="hexagonal" width="3"><tileset firstgid="1"><tile id="0" type="clear"/></tileset>'
    b'<layer width="3"><data encoding="csv">1,1,1,1,1,1</data></layer></map>'
)
DRAWN = b'<svg><path id="a" d="M0 0H400V400H0z"/><polygon id="b" points="0,0 400,0 400,400 0,400"/></svg>'


def zipped(count: int) -> bytes:
    kept = BytesIO()
    with ZipFile(kept, "w") as archive:
        for n in range(count):
            archive.writestr(f"{n}", "x")
    return kept.getvalue()


def none(name: str) -> None:
    return None


@pytest.mark.parametrize(
    ("module", "bound", "fits", "code", "read"),
    [
        (importing, "MOST_CELLS", 4, "too-many", lambda: importing.read("a.csv", TABLE)),
        (importing, "MOST_TILES", 3, "too-many", lambda: importing.read("a.csv", TABLE)),
        (importing, "MOST_TILES", 6, "too-many", lambda: importing.read("a.tmx", TILES)),
        (foreign, "MOST_PARTS", DRAWN.count(b"<") + DRAWN.count(b"="), "too-many",
         lambda: foreign.xml(DRAWN)),
        (foreign, "MOST_PARTS", 3, "too-many", lambda: foreign.from_json(b"[[1,2]]")),
        (foreign, "MOST_MEMBERS", 3, "too-many", lambda: foreign.opened(zipped(3))),
        (outlines, "MOST", len(DRAWN), "too-large", lambda: outlines.read("a.svg", DRAWN)),
        (outlines, "MOST_DRAWN", 8, "too-many", lambda: outlines.read("a.svg", DRAWN)),
        (variants, "MOST", 2, "too-large", lambda: variants.read("a.json", b"{}", none)),
    ],
    ids=["cells", "rows", "tiles", "parts", "values", "members", "bytes", "points", "variant"],
)  # fmt: skip
def test_a_file_is_read_up_to_its_bound_and_refused_beyond(
    module: Any,
    bound: str,
    fits: int,
    code: str,
    read: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = {}
    for most in (fits - 1, fits, fits + 1):
        monkeypatch.setattr(module, bound, most)
        try:
            found[most] = read() is None
        except Refused as refused:
            found[most] = refused.diagnostics[0].code == code
    assert list(found.values()) == [True, False, False]


def test_the_bound_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MOST_PARTS", 1234)
    monkeypatch.setattr(foreign, "MOST_MEMBERS", 1)
    for read in (lambda: foreign.from_json(b"[" * 1235), lambda: foreign.opened(zipped(2))):
        with pytest.raises(Refused) as refused:
            read()
        assert refused.value.diagnostics[0].message.fields["most"] in (1234, 1)
    monkeypatch.setattr(modules, "MOST_MODULE", 3)
    with pytest.raises(Refused) as refused:
        modules.board_picture(b"PK\x03\x04")
    assert refused.value.diagnostics[0].code == "too-large"
