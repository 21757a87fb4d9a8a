"""Maps of the sample games of all systems: bytes of a file and of a picture in an email, and the key."""

from __future__ import annotations

import re

import pytest

from pbem.report.mail_page import MOST_PICTURE, picture
from pbem.report.svg.draw import draw, sheet
from pbem.report.svg.picture import svg
from tests.golden.test_samples import PLAYERS, composed, shown

WITH_A_FRONT = ("ocs", "totaler-krieg", "wif")
"""Systems whose rules know who controls a hex; the others know it of places and rails."""


@pytest.mark.parametrize("system", PLAYERS)
def test_a_map_with_control_front_art_and_fans_has_140_kB_at_most(system: str) -> None:
    report = composed(system, shown(system, None), PLAYERS[system], "en")
    drawn = svg(report)
    assert len(drawn.encode()) <= 140_000
    layers = set(draw(report.view, [item.event for item in report.items]).layers)
    assert "control" in layers
    assert ("front" in layers) == (system in WITH_A_FRONT)
    assert 'class="m-fan"' in drawn


@pytest.mark.parametrize("system", PLAYERS)
def test_the_key_is_at_most_a_quarter_as_high_as_the_hexes(system: str) -> None:
    report = composed(system, shown(system, None), PLAYERS[system], "en")
    drawn = svg(report)
    sign = r'<g transform="translate\(\d+ (\d+)\)"><g transform="scale\(\.68\)">'
    rows = {int(y) for y in re.findall(sign, drawn)}
    chart = report.view.chart
    assert chart is not None and rows
    assert 22 * len(rows) <= sheet(report.view, chart).high_hexes / 4


@pytest.mark.parametrize("system", PLAYERS)
def test_the_picture_in_an_email_has_120_kB_at_most(system: str) -> None:
    pytest.importorskip("resvg_py")
    made = picture(composed(system, shown(system, None), None, "en"))
    assert 20_000 < len(made) <= MOST_PICTURE == 120_000
    assert int.from_bytes(made[16:20], "big") == 1200
