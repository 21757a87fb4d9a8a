"""A map says what seas are called, not by which key the rules know them."""

from __future__ import annotations

import re

from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import draw
from tests.unit.wif.test_figures import board, seen


def test_seas_have_their_names() -> None:
    svg = draw(seen(board(), "allied"), (), Style()).svg
    names = re.findall(r'<g transform="[^"]*" class="m-region-name">(.*?)</g>', svg)
    lengths = [name.count("<use") for name in names]
    assert len("WesternOcean") in lengths and len("NarrowSea") in lengths and 2 not in lengths
