"""`pbem odds`: what to expect of a battle, from what one may see and by the tables of the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from pbem.archive import History
from pbem.cli.games.history import read
from pbem.cli.games.telling import chapter_report, report_view, words_of
from pbem.report.data import as_json
from pbem.report.forecasts import forecast_words
from pbem.report.html import render as page
from pbem.report.structure import Report
from pbem.report.text import render
from pbem.report.whole.ending import how_it_ended
from pbem.stages.views import PlayerView
from pbem.systems.ocs.rules.fighting.strength import fight, hedgehog
from pbem.systems.ocs.rules.pieces import units, world_of
from pbem.text.schema import check, find
from tests.cli.play import Table

ROOT = Path(__file__).parents[2] / "sample_games"


@pytest.fixture(scope="module")
def marl() -> History:
    return read(ROOT / "wbts-marl-crossings", None)


@pytest.fixture(scope="module")
def announced(marl: History) -> Report:
    """A stage at whose end a battle waits: both strengths are known, it is not yet fought."""
    words = words_of(marl.system)
    reports = (chapter_report(marl, chapter, "north", words=words) for chapter in marl.chapters)
    return next(report for report in reports if report.view.forecasts)


def test_ground_that_counts_nothing_decided_no_game_of_points(marl: History) -> None:
    """The sample game was "decided in stage 17" by a village that counts nothing."""
    last = chapter_report(marl, marl.chapters[-1], "north", words=words_of(marl.system))
    assert last.finished and "Decided in stage" not in " ".join(how_it_ended(last))


def test_a_battle_that_is_announced_stands_in_the_report_with_its_chances(announced: Report) -> None:
    text = render(announced)
    sides = r"(?i)  [0-9]{4}.*: (north|south) [0-9½]+ against (north|south) [0-9½]+ \([0-9]+ ?%\)"
    assert re.search(sides, text)
    assert re.search(r"chances: [0-9]+/[0-9]+[AD]? [0-9]+%", text)
    assert text.index("Battles to come") < text.index("What happened")
    assert "Battles to come" in page(announced)
    data = as_json(announced)
    assert check(data, find("report")) == []
    for one in data["forecasts"]:
        assert sum(Fraction(each["chance"]) for each in one["chances"]) == 1


def test_where_no_battle_is_announced_there_is_no_such_part(marl: History) -> None:
    report = chapter_report(marl, marl.chapters[0], "north")
    assert report.view.forecasts == () and "Battles to come" not in render(report)


def test_any_battle_can_be_reckoned_by_naming_who_attacks(marl: History) -> None:
    seen = marl.view(marl.chapters[0], "north")
    counters = seen.position.counters
    place = next(one["hex"] for one in counters.values() if one["side"] == "south" and one.get("sp", 0) > 0)
    coming = [id for id, one in counters.items() if one["side"] == "north" and one["type"] == "infantry"][:3]
    found = seen.system.forecasts(seen.game, str(place), coming)
    (one,) = found
    assert [re.findall(r"table \d", case)[0] for case in (one.case, *(o.case for o in one.others[:3]))] == [
        "table 4", "table 1", "table 2", "table 3",
    ]  # fmt: skip
    assert one.place == place and one.sides[0][0] == "north" and one.faults() == []
    more = seen.system.forecasts(seen.game, str(place), coming[:1])
    assert Fraction(more[0].sides[0][1]) < Fraction(found[0].sides[0][1]), "fewer are weaker"
    assert seen.system.forecasts(seen.game, str(place), []) == [], "nobody attacks"


def test_an_attack_of_totaler_krieg_has_its_column_and_the_results_of_the_die() -> None:
    history = read(ROOT / "totaler-krieg-lodestar", None)
    seen = history.view(history.chapters[2], history.reader(None))
    counters = seen.position.counters
    places = sorted({str(one["hex"]) for one in counters.values() if one["owner"] == "soviet" and one["hex"]})
    every = [one for place in places for one in seen.system.forecasts(seen.game, place)]
    found = [one for one in every if one.ends]
    assert found and all(sum(chance for _, chance in one.chances) == 1 for one in found)
    assert all(one.sides[0][0] == "axis" and one.odds for one in found)
    assert all(one.case for one in every if not one.ends), "where nobody may attack it says why"
    assert seen.system.forecasts(seen.game) == [], "an attack is resolved where it is ordered"


def attackable(sample: str) -> Iterator[tuple[PlayerView, str]]:
    """Positions of a game with the places in them that somebody stands beside who could attack them."""
    history = read(ROOT / sample, None)
    for chapter in history.chapters[1:7:2]:
        seen = history.view(chapter, history.reader(None))
        held = {str(one["hex"]) for one in seen.position.counters.values() if one.get("hex")}
        yield from ((seen, place) for place in sorted(held) if seen.system.forecasts(seen.game, place))


def test_an_attack_of_ocs_has_every_throw_of_surprise_shift_and_combat() -> None:
    """4.9.4 to 4.9.7: beside a plain count of all 2d6 x 1d6 x 2d6 by the printed table."""
    seen, place = next(attackable("ocs-crossing-the-tol"))
    world, found = world_of(seen.game), seen.system.forecasts(seen.game, place)
    assert found[0].case == "if the defender pays combat supply", "the defender chooses"
    crt, limits = world.combat["crt"], world.combat["surprise"]["regular"]
    there = units(seen.game, at=place)
    mine = units(seen.game, world.enemy(there[0].owner))
    coming = [u for u in mine if u.attack_capable and world.adjacent(u.hex or "", place)]
    level = hedgehog(seen.game, place, there[0].owner)
    edge = max(u.ar for u in coming) - max(u.ar for u in there)
    at = fight(seen.game, place, coming, there, {}).column
    faces, counted = range(1, 7), Counter[str]()
    for a, b, shift, c, d in product(faces, repeat=5):
        first = a + b + edge - (1 if level else 0)
        by = 1 if first >= limits["attacker_at_least"] else -1 if first <= limits["defender_at_most"] else 0
        row = crt["rows"][str(max(1, min(15, c + d + edge - level)))]
        letter = row[max(0, min(12, at + by * shift))]
        counted[crt["results"][crt["letters"].index(letter)]] += 1
    assert dict(found[0].chances) == {code: Fraction(n, 6**5) for code, n in counted.items()}
    told = "\n".join(forecast_words(found, report_view(seen))[0])
    assert "if the defender pays combat supply" in told


def test_an_attack_of_wif_has_the_ten_faces_of_the_die() -> None:
    listed = list(attackable("wif-narrow-sea-1943"))
    found = [one for seen, place in listed for one in seen.system.forecasts(seen.game, place)]
    assert found and all(one.case or sum(chance for _, chance in one.chances) == 1 for one in found)
    assert all(10 * chance % 1 == 0 for one in found for _, chance in one.chances)


def test_what_cannot_be_judged_is_said() -> None:
    """Blocks that are only counted are taken for something, and that is said; the game master knows them."""
    for reader, unknown in (("red", True), (None, False)):
        history = read(ROOT / "victory-sarn-strait", None)
        seen = history.view(history.chapters[7], history.reader(reader))
        counters = seen.position.counters
        reds = [id for id, one in counters.items() if one.get("owner") == "red" and one["type"] != "RS"][:3]
        (where, *_) = sorted(str(one["hex"]) for one in counters.values() if one.get("owner") == "green")
        (found,) = seen.system.forecasts(seen.game, where, reds)
        assert {who for who, _ in found.sides} == {"red", "green"}
        told = "\n".join(forecast_words([found], report_view(seen))[0])
        assert ("unseen block" in told) is unknown, "what it takes them for is said"
        assert found.faults() == [] and (found.losses[0] or 0) > 0


def test_the_command_says_what_is_missing(table: Table) -> None:
    north = table.players["north"]
    assert "has no forecasts for battles" in north.pbem("odds").out
    assert north.pbem("odds", "--json").json == {"forecasts": []}
    assert "there is no place" in north.pbem("odds", "9999", code=1).err
    assert "you see no unit U-NONE" in north.pbem("odds", "--with", "U-NONE", code=1).err


@pytest.mark.parametrize(("lang", "words"), [("en", r"armour \(CV \d\)"), ("de", r"Panzer \(KW \d\)")])
def test_victory_names_the_attacker_first_and_his_blocks_in_words(lang: str, words: str) -> None:
    """Also where a later seat attacks an earlier one."""
    history = read(ROOT / "victory-sarn-strait", None)
    seen = history.view(history.chapters[7], history.reader(None))
    counters = seen.position.counters
    (tanks, *_) = sorted(
        id for id, one in counters.items() if one.get("owner") == "red" and one["type"] == "AR"
    )
    where = next(str(one["hex"]) for one in counters.values() if one.get("owner") == "green" and one["hex"])
    found = seen.system.forecasts(seen.game, where, (tanks,))
    assert next(who for who, _ in found[0].sides) == "red", "by name the last of the three"
    title = forecast_words(found, report_view(seen, lang))[0][0]
    assert re.search(words, title) and "'s " not in title and not re.search(r"\bAR \d", title)
