"""What is asked for as public holds nothing that only the owner of the folder may know."""

from __future__ import annotations

from tests.cli.conftest import After
from tests.cli.play import Table


def test_the_public_map_of_a_players_folder_has_none_of_his_secrets(fog: Table) -> None:
    north = fog.players["north"]
    own = north.pbem("map", "--json").json["position"]
    public = north.pbem("map", "--public", "--json").json["position"]
    assert "n1" in own["counters"] and "n1" not in public["counters"]
    assert public == fog.gm.pbem("map", "--public", "--json").json["position"]


def test_the_public_report_as_data_is_the_same_in_every_folder(fog: Table) -> None:
    reports = [seat.pbem("report", "--public", "--json").out for seat in fog.everybody]
    assert len(set(reports)) == 1


def test_an_earlier_stage_is_told_as_data_too(after: After) -> None:
    fog = after("fog", 1)
    north = fog.players["north"]
    data = north.pbem("report", "0", "--json").json
    assert (data["stage"], data["reader"]) == (0, "north")
    assert "doesn't contain south's view" in north.pbem("report", "0", "--as", "south", code=1).err
    assert "there is no stage 9 yet" in north.pbem("report", "9", code=1).err


def test_a_book_inside_the_game_folder_does_not_disturb_the_game(fog: Table) -> None:
    north = fog.players["north"]
    north.pbem("book", north.root / "book")
    assert "No errors found in" in north.pbem("verify").out
    fog.play_stage()
    north.pbem("book", north.root / "book")
