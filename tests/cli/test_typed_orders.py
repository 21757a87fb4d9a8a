"""Orders of a game with a notation of its own, typed at `pbem next` line by line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from pbem.cli.games import next_orders
from tests import luck
from tests.cli.play import pbem


def test_lines_in_the_notation_are_orders_and_faults_say_what_was_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with luck.drawn_for("typed orders"):
        pbem("demo", "diplomacy/three_shores", "--play", "aldar", "--out", tmp_path / "game")
    typed = ["f vey - swa", "A lum to hofmor", "A lum to hofmoor", "concede to corva", "AL2", "d", "l"]

    def prompt(*_: Any, default: str = "", **__: Any) -> str:
        return typed.pop(0) or default

    monkeypatch.setattr(next_orders, "asks", lambda: True)
    monkeypatch.setattr(click, "prompt", prompt)
    said = pbem("-C", tmp_path / "game" / "aldar", "next", code=0)
    assert said.err.index("Karne holds") < said.err.index("vote for a draw"), "units come before votes"
    assert "added: fleet Veyle moves to Swan Sea" in said.err
    assert (
        "not added: there is no province 'hofmor'" in said.err and "did you mean Hofmoor (HOF)?" in said.err
    )
    assert "added: army Lumen moves to Hofmoor" in said.err
    assert "added: concede the game to Corva" in said.err
    assert "without an order, units hold: Karne" in said.out + said.err
