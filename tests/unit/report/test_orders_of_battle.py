"""Orders of battle that a reader can plan from, in every system: type, figures and state of each unit, and
who holds each place; in text, page, mail and JSON; never more than the reader's own view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.engine.system import find
from pbem.model.facts import may_know
from pbem.report import html, mail_page
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.muster import Group, forces, held
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.text import render
from pbem.stages.views import PlayerView
from pbem.systems.wbts.rules.pieces import Leader
from pbem.text.schema import check
from pbem.text.schema import find as find_schema

SCENARIOS = {
    "ocs": "crossing_the_tol",
    "totaler-krieg": "lodestar",
    "victory": "sarn_strait",
    "wbts": "marl_crossings",
    "wif": "narrow_sea_1943",
}
EACH = pytest.mark.parametrize("name", SCENARIOS)


def board(name: str, **options: str | bool) -> Game:
    return game_of(find(name), start(find(name), SCENARIOS[name], options or None))


def seen(game: Game, reader: str | None, lang: str = "en") -> View:
    known = {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, reader)}
    said = "".join(
        f" {key}={str(value).lower()}"
        for key, value in game.options.items()
        if key in ("limited_intelligence",)
    )
    scenario = SCENARIOS[game.system.name] + said
    return report_view(PlayerView(game.system, scenario, reader, 1, known, ()), lang)


def report(view: View, reader: str | None) -> Report:
    return compose(reader, [], view, Meta("A game", "0" * 64, "a system", 1, "somewhere"))


def groups(view: View, reader: str | None) -> Iterator[Group]:
    return (one for force in forces(view, reader) for stack in force.stacks for one in stack.groups)


def told(view: View, id: str, reader: str | None = None) -> str:
    return next(one for one in groups(view, reader) if id in one.ids).named


@EACH
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_unit_that_its_reader_knows_is_told_by_its_type_in_words(name: str, lang: str) -> None:
    game = board(name)
    for reader in game.players:
        known = [one for one in groups(seen(game, reader, lang), reader) if not one.ids[0].startswith("?")]
        assert known
        for one in known:
            assert one.kind, f"{one.ids} has no type in words"
            assert "_" not in one.kind and (one.kind == "HQ" or not one.kind.isupper()), one.kind


@EACH
def test_figures_are_told_of_all_that_fights_and_explained(name: str) -> None:
    game = board(name)
    reader = game.players[0]
    view = seen(game, reader)
    own = [one for one in groups(view, reader) if view.seat(view.owner(one.ids[0])) == reader]
    without = {one.kind for one in own if not one.figures}
    markers = {
        "totaler-krieg": {"air force", "convoy", "carrier fleet", "surface fleet", "Blitz marker",
                          "logistics marker", "partisan base"},
        "wbts": {"corps HQ", "cavalry corps HQ", "siege train", "entrenchment"},
    }  # fmt: skip
    assert without <= markers.get(name, set())
    if name != "victory":  # "CV 3" explains itself
        assert report(view, reader).figures_mean


@EACH
def test_every_settlement_says_who_holds_it_or_that_nobody_does(name: str) -> None:
    places = held(seen(board(name), None))
    assert places
    assert [one.text for one in places if "held by" not in one.text and one.kind != "limited"] == []


@pytest.mark.parametrize(
    ("name", "id", "text"),
    [
        ("victory", "R-AR1", "R-AR1 armour (CV 3)"),
        ("wbts", "C-3D", "C-3D infantry (10), under C-AHQ"),
        ("wbts", "C-BECK", "C-BECK leader Beck (3-2-2, 2 stars), commands C-A"),
        ("totaler-krieg", "N-AR1", "N-AR1 infantry (6-6-3)"),
        ("ocs", "A-22", "A-22 infantry (12-3-3 leg; turned 6-3-5 leg)"),
        ("wif", "GE-I1", "GE-I1 infantry (5-3, cost 3)"),
    ],
)
def test_units_are_told_in_one_format(name: str, id: str, text: str) -> None:
    game = board(name)
    owner = game.position.counters[id].get("owner", game.position.counters[id].get("side"))
    assert told(seen(game, game.seat(str(owner))), id, game.seat(str(owner))) == text


@pytest.mark.parametrize(
    ("name", "id", "far", "state"),
    [
        ("victory", "R-IN1", "1205", "out of supply"),  # behind the enemy's lines, where no base is near
        ("wbts", "C-C1", "0501", "off the supply chain"),
        ("totaler-krieg", "N-IN1", "1206", "out of supply"),
        ("wif", "GE-I1", "0303", "out of supply"),
        ("ocs", "A-25", "15.05", "no supply path now"),
    ],
)
def test_a_unit_cut_off_from_supply_says_so(name: str, id: str, far: str, state: str) -> None:
    game = board(name)
    owner = game.position.counters[id].get("owner", game.position.counters[id].get("side"))
    reader = game.seat(str(owner))
    assert state not in told(seen(game, reader), id, reader)
    game.position.set(id, hex=far)
    assert state in told(seen(game, reader), id, reader)


@pytest.mark.parametrize(
    ("name", "id", "fields", "state"),
    [
        ("victory", "R-AR1", {"moved": True}, "moved"),
        ("victory", "R-AR1", {"activated": True, "revealed": True}, "face up, activated"),
        ("wbts", "C-1D", {"moved": True}, "moved"),
        ("wbts", "C-1D", {"entrained": True}, "on the railway"),
        ("totaler-krieg", "N-AR1", {"moved_op": True}, "moved"),
        ("wif", "GE-I1", {"face": "down"}, "face-down"),
        ("ocs", "A-22", {"marker": "dg"}, "DG"),
        ("ocs", "A-22", {"fuelled": True}, "fuelled"),
    ],
)
def test_what_holds_of_a_unit_is_told(name: str, id: str, fields: dict[str, bool | str], state: str) -> None:
    game = board(name)
    owner = game.position.counters[id].get("owner", game.position.counters[id].get("side"))
    reader = game.seat(str(owner))
    assert state not in told(seen(game, reader), id, reader)
    game.position.set(id, **fields)
    assert told(seen(game, reader), id, reader).endswith(state)


def test_a_leader_who_is_away_says_why() -> None:
    game = board("wbts")
    for status, text in (("captured", "captured"), ("wounded", "wounded, back in cycle 2")):
        who = Leader(game, "C-IVES")
        who.status, who.return_cycle, who.hex = status, 2 if status == "wounded" else None, ""
        assert told(seen(game, "south"), "C-IVES", "south").endswith(text)


@EACH
def test_text_page_mail_and_json_tell_the_same(name: str) -> None:
    game = board(name)
    reader = game.players[0]
    found = report(seen(game, reader), reader)
    own = [stack for force in found.forces if force.own for stack in force.stacks]
    plain = " ".join(render(found, whole=True).split())
    page, mail = html.render(found), mail_page.page(found, with_picture=False)
    data = as_json(found)
    assert not list(check(find_schema("report"), data))
    counters = {
        id: one
        for force in data["forces"]
        for stack in force["stacks"]
        for one in stack["counters"]
        for id in one["ids"]
    }
    for stack in own:
        assert stack.told(own=True) in plain
        for one in stack.groups:
            assert one.named in page.replace("&#39;", "'") and one.named in mail.replace("&#39;", "'")
            for id in one.ids:
                in_json = counters[id]
                assert in_json["type"] == one.kind and in_json.get("figures", "") == one.figures
                assert in_json.get("state", []) == list(one.state) and in_json["text"] == one.one
    for line in found.figures_mean:
        assert line in plain and line in page and line in mail and line in data["figures_mean"]


@pytest.mark.parametrize(
    ("name", "options", "reader", "id", "hidden"),
    [
        ("victory", {}, "green", "R-AR1", {"cv": 1}),
        ("victory", {}, "green", "R-AR1", {"type": "IN", "moved": True, "activated": True}),
        ("wbts", {"limited_intelligence": True}, "north", "C-3D", {"sp": 1, "moved": True, "hq": None}),
    ],
)
def test_what_a_reader_may_not_know_changes_nothing_in_his_order_of_battle(
    name: str, options: dict[str, bool], reader: str, id: str, hidden: dict[str, object]
) -> None:
    game = board(name, **options)
    before = list(groups(seen(game, reader), reader))
    game.position.set(id, **hidden)
    assert list(groups(seen(game, reader), reader)) == before
    assert id not in {each for one in before for each in one.ids}
