"""Games begun with an earlier engine keep the form of their records; new ones record places as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verifying.verify import verify
from pbem.engine import system as systems
from pbem.model.whereabouts import Whereabouts
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, begun, chooser
from tests.unit.archive.test_amendments import agreed, good, new_rules, revised


def places(table: Table, stage: int) -> list[Any]:
    """The places that the public events of a stage hold."""
    return [event["at"] for event in table.gm.folder.events(stage)]


def place(table: Table) -> Any:
    return next(fact.value for fact in table.gm.folder.facts() if fact.key == "game/place")


def is_sound(table: Table) -> None:
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.of("false")
        assert not [finding for finding in verified.findings if finding.code == "not-readjudicated"]


def test_a_new_game_records_places_as_data_and_shows_them_in_words(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, by=(1, 2, 3))
    assert place(table)["node"] and place(table)["passes"]
    assert all(set(at) == {"node", "passes"} for stage in (1, 2, 3) for at in places(table, stage))
    shown = table.gm.folder.view().place
    assert isinstance(shown, Whereabouts) and shown.turn is not None and shown.startswith("Game turn ")
    is_sound(table)


def test_a_game_of_an_earlier_engine_goes_on_in_words_until_all_agree_to_new_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        then.setattr(systems, "ENGINE_VERSION", "7")
        table = Table(tmp_path, SYSTEM, "ford", ("north", "south"), chain_length=64)
        table.start()
    assert str(table.gm.folder.terms.module.version).endswith("+engine7")
    table.play_on(chooser(1), 3)
    assert all(at.startswith("Game turn ") for stage in (1, 2, 3) for at in places(table, stage))
    assert isinstance(place(table), str) and place(table) == table.gm.folder.view().place
    is_sound(table)
    revised(table, monkeypatch)
    assert "all 4 stages give the same results" in new_rules.differences(table.gm.folder)[0]
    agreed(table, table.gm, *new_rules.module_ops(table.gm.folder))
    for seat in table.asked():
        seat.answer_all(chooser(1))
    good(table.post())
    table.run()
    assert set(place(table)) == {"node", "passes"}
    is_sound(table)
