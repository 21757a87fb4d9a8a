"""Answers sent ahead in a game that is changed by agreement: who takes a place over sees what waits there
and may withdraw it; an answer for a power is given by whoever leads it then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.archive.amending import proposing
from pbem.archive.amending.wishes import power_change
from pbem.archive.verifying.verify import verify
from pbem.engine import system as systems
from pbem.engine.system import System
from tests.primer import FOG
from tests.primer import SYSTEM as PRIMER
from tests.unit.archive.table import begun, chooser
from tests.unit.archive.test_ahead import MOVES, send, table_of, waiting
from tests.unit.archive.test_takeovers import newcomer, taken_over
from tests.unit.engine.congress import FOG as CONGRESS_FOG
from tests.unit.engine.congress import SYSTEM as CONGRESS


@pytest.fixture(autouse=True)
def _congress(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known, find = {one.name: one for one in (CONGRESS, CONGRESS_FOG)}, systems.find
    monkeypatch.setattr(systems, "find", lambda name: known.get(name) or find(name))
    yield


@pytest.mark.parametrize("system", [PRIMER, FOG], ids=["open", "fog"])
def test_who_takes_a_place_over_sees_what_waits_there_and_may_withdraw_it(
    tmp_path: Path, system: System
) -> None:
    table = table_of(tmp_path / "table", system)
    north = table.players["north"]
    send(north, answers={"card": "calm"}, ahead=MOVES)
    send(table.players["south"], answers={})
    table.post()
    table.run()
    assert waiting(north) == ["next-move-1", "next-move-1-2"]
    new = newcomer(table, "north")
    taken_over(table, new, [table.gm, table.players["south"]])
    table.run()
    table.players.pop("north")
    table.players["north"] = table.players.pop("new")
    assert waiting(new) == ["next-move-1", "next-move-1-2"], "his predecessor's answers would be his"
    send(new, withdraw="all")
    table.post()
    table.play_stage(chooser(1))
    assert waiting(new) == []
    assert verify(table.gm.root).ok


@pytest.mark.parametrize("system", [CONGRESS, CONGRESS_FOG], ids=["open", "fog"])
def test_an_answer_for_a_power_is_given_by_whoever_leads_it_then(tmp_path: Path, system: System) -> None:
    """The old seat's answer says nothing while the power is another's; nor does one of a stranger."""
    table = begun(tmp_path / "table", system, "europe", ["axis", "allies"], chain_length=256)
    axis, allies = table.players["axis"], table.players["allies"]
    mine = {"decision": "attack", "subject": ["germany"], "once": "mine", "answer": "uk"}
    foreign = {"decision": "attack", "subject": ["italy"], "once": "foreign", "answer": "peace"}
    send(allies, answers={}, ahead=[foreign])
    send(axis, answers={"raise-money/germany": 2})
    send(axis, ahead=[mine])
    proposing.rule(
        table.gm.folder, [power_change(table.gm.folder, "germany", "allies")], "agreed", table.gm.signer
    )
    table.post()
    asked = table.run().asked
    assert asked == {"allies": ["T1/germany/P.1/attack/germany"]}
    assert waiting(axis) == ["mine"] and waiting(allies) == ["foreign"]
    send(allies, answers={"attack/germany": "peace"})
    table.post()
    table.run()
    attacks = [event for event in table.gm.folder.events(2) if event["event"] == "attacked"]
    assert attacks == [] and waiting(axis) == ["mine"], "the answer of axis is not germany's any more"
    assert waiting(allies) == ["foreign"]
    verified = verify(table.gm.root)
    assert verified.ok, verified.of("false")
