"""Votes of diplomacy: opened with their stage, or by a ballot that only the GM sees until the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.archive.adjudicating import unsealing
from pbem.archive.ordering import order_file
from pbem.archive.verifying.verify import verify
from pbem.systems.diplomacy import SYSTEM
from tests.unit.archive.table import Seat, Table, begun

SEATS = ("aldar", "brenn", "corva")


def votes(table: Table, cast: dict[str, Any]) -> None:
    for seat in table.asked():
        answers: dict[str, Any] = {}
        for one in order_file.questions(seat.folder):
            answers[one.key] = cast[seat.name] if one.kind == "ballot" else {"orders": []}
        seat.order(answers)
    wrong = [one for one in table.post() if not one.good]
    assert not wrong, wrong
    table.run()


def told(seat: Seat) -> list[str]:
    return [str(one.event["event"]) for one in seat.folder.view().told]


def kinds(seat: Seat) -> dict[str, str]:
    found = verify(seat.root, own=seat.folder.private)
    assert not [one for one in found.findings if one.kind == "false"], found.findings
    return {one.code: one.kind for one in found.findings}


def test_a_secret_ballot_is_seen_by_the_gm_alone_and_proved_at_the_end(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, "three_shores", SEATS, options={"ballot": "secret"})
    draw, none = {"vote": "draw"}, {"vote": "none"}
    votes(table, {"aldar": draw, "brenn": draw, "corva": none})
    for seat in table.players.values():
        assert "voted" not in told(seat)
        assert kinds(seat)["hidden"] == "consistent"
    assert "voted" in told(table.gm)
    record = table.gm.folder.record(1)
    assert all(set(opened) == {"Y1/S.1/moves"} for opened in record.openings.values())
    assert set(record.kept) == set(SEATS)
    votes(table, dict.fromkeys(SEATS, draw))
    assert table.gm.folder.progress.over
    assert "drawn" in told(table.players["corva"]) and "voted" not in told(table.players["corva"])
    unsealing.unseal(table.gm.folder, table.gm.signer)
    table.post()
    for seat in table.players.values():
        assert kinds(seat)["results"] == "proved" and "hidden" not in kinds(seat)


def test_a_ballot_is_of_one_size_whatever_it_says(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, "three_shores", SEATS, options={"ballot": "secret"})
    sizes = set()
    for name, vote in {"aldar": "draw", "brenn": "none", "corva": "aldar"}.items():
        seat = table.players[name]
        keys = {one.kind: one.key for one in order_file.questions(seat.folder)}
        seat.order({keys["moves"]: {"orders": []}, keys["ballot"]: {"vote": vote}})
        sizes |= {len(blob) for one in seat.folder.of(1, "order") for blob in one.said.sealed.values()}
    assert len(sizes) == 1


def test_games_without_the_new_options_are_pinned_as_before(tmp_path: Path) -> None:
    usual = SYSTEM.options(SYSTEM.scenario("three_shores"), {})
    assert set(usual) == {"last_year", "civil_disorder", "draws"}
    assert SYSTEM.options({}, {"ballot": "open"}) == SYSTEM.options({}, {})
    assert SYSTEM.options({}, {"ballot": "secret"})["ballot"] == "secret"
    assert not begun(tmp_path, SYSTEM, "three_shores", SEATS).gm.folder.system.hidden
