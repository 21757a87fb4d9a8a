"""Powers in a game by mail: what a player of several powers reads, and how one is handed over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.amending import proposing
from pbem.archive.amending.wishes import power_change
from pbem.archive.ordering.order_form import template
from pbem.archive.verifying.verify import verify
from pbem.cli.games.standing import stand
from pbem.cli.games.telling import report_of
from pbem.engine import system as systems
from pbem.report.text import render
from pbem.stages.amendment_words import change_words
from pbem.text.diagnostics import Refused
from tests.unit.archive.table import Seat, Table, begun, chooser
from tests.unit.engine.congress import FOG, SYSTEM


@pytest.fixture(autouse=True)
def _congress(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known, usual = {one.name: one for one in (SYSTEM, FOG)}, systems.find
    monkeypatch.setattr(systems, "find", lambda name: known[name] if name in known else usual(name))
    yield


def europe(root: Path, system: Any = SYSTEM, **terms: Any) -> Table:
    return begun(root, system, "europe", ["axis", "allies"], chain_length=256, **terms)


def text_for(seat: Seat) -> str:
    folder = seat.folder
    return " ".join(render(report_of(folder, folder.need_me(), folder.view())).split())


def test_a_player_reads_for_which_power_he_is_asked_and_who_leads_what(tmp_path: Path) -> None:
    table = europe(tmp_path)
    axis = table.players["axis"]
    found = stand(axis.folder)
    assert found.mine == ["germany: How much do you raise? [2.1]"]
    assert found.powers == {"allies": ["france", "uk", "ussr"], "axis": ["germany", "italy"]}
    assert [party.words for party in found.parties if party.id == "axis"] == [
        "germany: How much do you raise?"
    ]
    assert "Germany: How much do you raise?" in text_for(axis)
    assert "axis leads germany and italy" in text_for(axis)
    assert "# germany: How much do you raise?" in template(axis.folder)


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_the_gm_hands_a_power_over_in_the_middle_of_its_turn(tmp_path: Path, system: Any) -> None:
    table = europe(tmp_path, system)
    axis, allies = table.players["axis"], table.players["allies"]
    axis.order({"raise-money/germany": 2})
    allies.order({})
    change = power_change(table.gm.folder, "germany", "allies")
    proposing.rule(table.gm.folder, [change], "agreed by mail", table.gm.signer)
    table.post()
    asked = table.run().asked
    assert asked == {"allies": ["T1/germany/P.1/attack/germany"]}, "what is open is asked of the new seat"
    assert stand(allies.folder).powers["allies"] == ["france", "germany", "uk", "ussr"]
    assert "Allies leads france, germany, uk and ussr" in text_for(axis)
    table.play_on(chooser(1), 3)
    assert verify(table.gm.root).ok


def test_between_two_a_power_is_handed_over_by_both(tmp_path: Path) -> None:
    table = europe(tmp_path, dice="pair")
    axis = table.players["axis"]
    assert axis.folder.stage == 0
    made = proposing.rule(axis.folder, [power_change(axis.folder, "italy", "allies")], "agreed", axis.signer)
    assert not made.proposal.complete and list(made.proposal.missing) == ["allies"]


def test_what_cannot_be_handed_over_is_said(tmp_path: Path) -> None:
    folder = europe(tmp_path).gm.folder
    for power, seat, code, words in (
        (
            "spain",
            "axis",
            "unknown-power",
            "there is no power 'spain'. Use one of: germany, italy, uk, france, ussr",
        ),
        ("italy", "neutral", "unknown-seat", "there is no seat 'neutral'. Use one of: axis, allies"),
        ("italy", "axis", "same-seat", "axis already leads italy"),
    ):
        with pytest.raises(Refused) as caught:
            power_change(folder, power, seat)
        (fault,) = caught.value.diagnostics
        assert (fault.code, fault.message) == (code, words)


def test_a_hand_over_reads_as_one() -> None:
    assert change_words({"track": "seats/italy", "value": "allies"}) == "allies takes over italy"
