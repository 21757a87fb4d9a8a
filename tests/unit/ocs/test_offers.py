"""Everything that can be ordered is offered, and what is offered is legal (4.0.9)."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pbem.engine.game import Game
from pbem.systems.ocs.rules.actions import KINDS
from pbem.systems.ocs.rules.consolidation import Consolidation, pairs
from pbem.systems.ocs.rules.decisions.loop import Acting, Actions
from pbem.systems.ocs.rules.pieces import planes
from tests.unit.ocs.test_any_order import board


def offered(game: Game, segment: str, side: str = "aster") -> list[Any]:
    draft = Actions(side, segment, 1).draft(game)
    return [one.element for one in islice(draft.next(None), 3000)]


def kinds(elements: list[Any]) -> set[str]:
    return {kind for element in elements for kind in element.value.kinds}


def boards() -> list[tuple[str, str, Game]]:
    """Positions in which, together, every kind of action can be done."""
    coast = board("reed_coast", "C", "aster")
    coast.position.set(
        "A-LC1", hex="05.02", cargo={"X-M": {"owner": "aster", "kind": "infantry_type", "type": "A-1M"}}
    )
    coast.position.move("A-RR", "04.05")
    beach = board("reed_coast", "F", "aster")
    beach.position.set(
        "A-LC1", hex="06.02", cargo={"X-M": {"owner": "aster", "kind": "infantry_type", "type": "A-1M"}}
    )
    tol = board("crossing_the_tol", "C", "aster")
    tol.position.set("A-21", hex="06.05", facing="move")
    tol.position.set("A-F1", lost=1)
    tol.position.set("A-F2", lost=1, type="A-F1")
    guns = board("crossing_the_tol", "F", "aster")
    guns.position.move("A5-M", "07.07")
    reaction = board("crossing_the_tol", "E", "bren")
    return [
        ("movement", "aster", coast), ("combat", "aster", beach), ("movement", "aster", tol),
        ("artillery", "aster", guns), ("combat", "aster", guns), ("reaction", "bren", reaction),
    ]  # fmt: skip


def test_every_kind_of_action_is_offered_somewhere() -> None:
    found: set[str] = set()
    for segment, side, game in boards():
        found |= kinds(offered(game, segment, side))
    assert found == set(KINDS)


def test_what_is_offered_is_legal() -> None:
    for segment, side, game in boards():
        draft = Acting(game.copy(), side, segment)
        listed = offered(game, segment, side)
        assert listed
        for element in listed[:: max(1, len(listed) // 60)]:
            assert not draft.faults(element), element.value


def test_loads_go_where_they_can_be_put_down() -> None:
    """4.4.8 Trucks at a dump are offered to bring supply to an HQ, and a train to bring it along the line."""
    game = board("crossing_the_tol", "C", "aster")
    hauls = [option.value.haul for option in offered(game, "movement") if option.value.haul is not None]
    assert any(
        haul.points == ("A-TR1",)
        and haul.steps
        and haul.steps[0].load == 8
        and haul.steps[-1].to[-1] == "06.05"
        for haul in hauls
        if haul.steps and haul.steps[-1].to
    )


def test_an_overrun_is_offered_with_the_way_to_it() -> None:
    game = board("crossing_the_tol", "C", "aster")
    game.position.set("B-71AT", hex="08.04", facing="move")
    moves = [option.value.move for option in offered(game, "movement") if option.value.move is not None]
    assert any(
        step.overrun is not None and step.overrun.hex == "08.04" for move in moves for step in move.steps
    )


def test_reduced_aircraft_are_offered_in_pairs_of_a_type_and_once() -> None:
    game = board("crossing_the_tol", "C", "aster")
    wings = [wing.id for wing in planes(game, "aster")]
    for wing in wings:
        game.position.set(wing, lost=1)
    game.position.set("A-F2", type="A-F1")
    assert list(pairs(game, "aster")) == [Consolidation("A-F1", removed="A-F2")]
    assert len(wings) > 2
