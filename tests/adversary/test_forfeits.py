"""Who is late: what a default answers, and who is told (protocol 14, 17.23)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.archive.verifying.verify import verify
from pbem.stages.deadlines import Deadlines
from tests.adversary.conftest import Start
from tests.adversary.test_missing import agreed
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import statements_in


@pytest.mark.parametrize("system", [SYSTEM, FOG])
def test_where_nobody_else_has_to_be_asked_one_forfeit_does_not_play_the_game_to_its_end(
    start: Start, system: Any
) -> None:
    """A default covers what stood open; the run stops at the next question and asks (17.23)."""
    game = start(system, absent="skip")
    game.play(1)
    bids = game.seat("gm").folder.progress.asked
    assert {key for keys in bids.values() for key in keys} == {"T1/initiative/bid"}
    assert game.adjudicate(forfeits=list(bids)).done
    asked = game.seat("gm").folder.progress.asked
    assert {key.split("/")[-1] for keys in asked.values() for key in keys} == {"next-move"}
    game.table.post()
    assert game.verify() == [] == game.verify("south")
    assert game.seat("south").folder.stage == 2


def test_a_run_that_goes_on_after_a_forfeit_is_false(start: Start) -> None:
    """A GM whose tool takes a default for what was never asked is found out by everybody."""
    from pbem.stages import attempt

    game = start(SYSTEM, absent="skip")
    game.play(1)
    with pytest.MonkeyPatch.context() as patch:
        inputs = attempt.Inputs
        patch.setattr(attempt, "Inputs", lambda *given: inputs(*given[:4], None, *given[5:]))
        assert game.adjudicate(forfeits=["north", "south"]).done
    assert any("give a different result" in one for one in game.verify())
    (mail,) = (mail for mail in game.table.gm.mails() if "report" in mail.name)
    refused = [option for option in game.give("north", *statements_in(mail)) if option.outcome == "refused"]
    assert refused and game.seat("north").folder.stage == 1


@pytest.mark.parametrize("system", [SYSTEM, FOG])
def test_every_default_is_named_in_the_report_and_to_whom_it_was_taken_for_first(
    start: Start, system: Any
) -> None:
    from pbem.cli.games.telling import report_of

    game = start(system, absent="skip")
    game.play(1)
    game.answer("north")
    assert game.adjudicate(forfeits=["south"]).done
    game.table.post()
    said = {}
    for name in ("north", "south", "gm"):
        folder = game.seat(name).folder
        said[name] = report_of(folder, name, folder.view()).summary
    question = "How much do you bid to move first?"
    default = f"south (South) didn't answer in time: {question} Default used: 0"
    assert said["south"][0] == default
    assert default in said["gm"][1:]
    assert (default in said["north"]) is (system is SYSTEM)  # what was asked may be secret where units are
    assert any("south (South) missed the deadline" in line for line in said["north"])


def test_a_game_of_the_first_engine_in_which_defaults_ran_on_is_told_as_claimed(tmp_path: Any) -> None:
    """Archives of before verify as they did, and it is said what was done in them."""
    from pbem.engine import system as systems
    from pbem.stages import attempt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "ENGINE_VERSION", "1")
        inputs = attempt.Inputs
        game = agreed(tmp_path, Deadlines(), absent="skip")
        game.play(1)
        patch.setattr(attempt, "Inputs", lambda *given: inputs(*given[:4], None, *given[5:]))
        patch.setattr("pbem.engine.adjudicate._defaults", lambda system, outcome: [])
        assert game.adjudicate(forfeits=["north", "south"]).done
    verified = verify(game.seat("gm").root)
    assert verified.ok, verified.of("false")
    assert [finding.stage for finding in verified.of("claimed") if finding.code == "ran-on"] == [2]
