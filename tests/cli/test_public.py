"""What is asked for as public holds nothing that only the owner of the folder may know."""

from __future__ import annotations

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
