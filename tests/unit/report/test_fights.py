"""Battle cards: which events belong to one fight, and what the card says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.model.forecasts import Fought
from pbem.report.composing.compose import compose
from pbem.report.fights.cards import expected
from pbem.report.headlines import MOST_JOURNEYS, headlines_by_stage, journeys, moves_made
from pbem.report.news import ENOUGH, MOST, news
from pbem.report.reader import Asked, Meta, View
from pbem.report.structure import Report
from pbem.report.text import fight_words
from pbem.report.whole.ledger import ALL, Sums
from pbem.report.wording import Wording

COMBAT = "Game turn 2, Combat, battle 1, Losses"


@pytest.fixture
def words(view: View) -> View:
    view.wording.sections["events"].update(
        {
            "assaulted": "{attacker} assaults {hex}",
            "duelled": "{attacker} duels in {hex}",
            "rolled": "the table says {result} in {hex}",
            "held": "{hex} is held by {player}",
            "taken": "{hex} goes to {now}",
            "died": "a unit died in {hex}",
        }
    )
    sections = dict(view.wording.sections, quantities={"step": "step", "step-many": "steps"})
    view = replace(view, wording=Wording(sections))
    view.wording.sections["headlines"].update({"held": "{player} held {hex}", "taken": "{now} took {hex}"})
    return view


def told(*events: dict[str, Any]) -> list[Told]:
    return [Told(PUBLIC, {"rule": "4.3", "at": COMBAT, **one}, n) for n, one in enumerate(events)]


def assault(hex: str, **more: Any) -> dict[str, Any]:
    return {"event": "assaulted", "attacker": "south", "defender": "north", "hex": hex, **more}


def report(view: View, meta: Meta, *events: dict[str, Any]) -> Report:
    return compose(None, told(*events), view, meta)


def test_a_card_says_where_who_the_result_who_holds_and_what_follows(words: View, meta: Meta) -> None:
    made = report(
        words,
        meta,
        assault("0102"),
        {"event": "rolled", "hex": "0102", "result": "D2"},
        {"event": "hurt", "owner": "north", "steps": 2, "gone": 0},
        {"event": "held", "hex": "0102", "player": "south"},
        {"event": "taken", "hex": "0102", "now": "south"},
    )
    (card,) = made.fights
    assert card.numbers == (1, 2, 3, 4, 5)
    assert fight_words(card, made) == [
        "0102 Oxbridge: south against north",
        "South assaults 0102 Oxbridge",
        "The table says D2 in 0102 Oxbridge",
        "Lost: north 2 steps",
        "South held 0102 Oxbridge",
        "then: South took 0102 Oxbridge",
    ]


def test_a_card_says_the_hits_beside_what_was_to_be_expected(words: View, meta: Meta) -> None:
    roll = {"label": ["combat", "south", "0101", 1], "dice": "3d6", "result": [1, 2, 5]}
    fought = {"event": "fought", "attacker": "south", "hex": "0101", "roll": roll, "hits": 2, "rating": 2}
    made = report(words, meta, fought)
    assert "Dice: south 2 successes (average 1.0)" in fight_words(made.fights[0], made)


def test_the_next_battle_and_the_next_phase_end_a_card(words: View, meta: Meta) -> None:
    elsewhere = {"event": "taken", "hex": "0202", "now": "south", "at": "Game turn 2, Supply"}
    made = report(words, meta, assault("0101"), assault("0102"), elsewhere)
    assert [(card.place, card.numbers) for card in made.fights] == [("0101", (1,)), ("0102", (2,))]


def test_rounds_at_one_place_are_one_card(words: View, meta: Meta) -> None:
    def duel(hex: str, **more: Any) -> dict[str, Any]:
        return {**assault(hex, **more), "event": "duelled"}

    rounds = [duel("0101"), {"event": "died", "hex": "0101"}, duel("0101"), duel("0202"), assault("0202")]
    made = report(words, meta, *rounds, duel("0202", at="Game turn 3, Combat, battle 1"))
    assert [card.numbers for card in made.fights] == [(1, 2, 3), (4,), (5,), (6,)]


def test_a_march_elsewhere_ends_a_card_and_one_into_the_place_does_not(words: View, meta: Meta) -> None:
    into = {"event": "moved", "owner": "south", "hex": "0102", "path": ["0101", "0102"], "blocks": 1}
    away = {"event": "moved", "owner": "south", "hex": "0301", "path": ["0202", "0301"], "blocks": 1}
    made = report(words, meta, assault("0102"), into, away, {"event": "died", "hex": "0301"})
    assert [card.numbers for card in made.fights] == [(1, 2)]


def test_a_fight_that_began_in_an_earlier_stage_goes_on(words: View, meta: Meta) -> None:
    died, held = {"event": "died", "hex": "0102"}, {"event": "held", "hex": "0102", "player": "south"}
    earlier = {"event": "died", "hex": "0301", "at": "Game turn 2, Supply, Attrition"}
    made = report(words, meta, earlier, died, held)
    (card,) = made.fights
    assert card.began is None and card.numbers == (2, 3)
    assert fight_words(card, made)[0] == "0102 Oxbridge (continues)"


def before(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return [one.event for one in told(*events)]  # type: ignore[misc]


def test_stages_that_no_card_goes_back_to_are_not_put_into_words(
    words: View, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most reports look back for the beginning of a fight, and few find one."""
    said: list[str] = []
    told_of = Wording.event

    def event(self: Wording, named: Mapping[str, Any]) -> str:
        said.append(named["event"])
        return told_of(self, named)

    monkeypatch.setattr(Wording, "event", event)
    died = {"event": "died", "hex": "0301"}
    stages = {1: before(died), 2: before(died), 3: before(died)}
    held = {"event": "held", "hex": "0102", "player": "south"}
    report(words, replace(meta, before=stages.__getitem__), held)
    assert said == ["held"]


def test_a_fight_that_took_several_stages_is_told_from_its_beginning(words: View, meta: Meta) -> None:
    """As many stages back as it takes, and no further; the numbers are those of this report."""
    hurt = {"event": "hurt", "owner": "north", "steps": 2, "gone": 0}
    stages = {1: before(assault("0301")), 2: before(assault("0102"), hurt), 3: before(hurt)}
    late = replace(meta, before=stages.__getitem__)
    made = report(words, late, hurt, {"event": "held", "hex": "0102", "player": "south"})
    (card,) = made.fights
    assert (card.since, card.numbers) == (2, (1, 2))
    assert fight_words(card, made) == [
        "0102 Oxbridge: south against north (since stage 2)",
        "South assaults 0102 Oxbridge",
        "Lost: north 6 steps",
        "South held 0102 Oxbridge",
    ]
    other = report(words, late, {**hurt, "at": "Game turn 3, Supply, Attrition"})
    assert other.fights == (), "what happens in another phase is no part of it"


def test_a_card_says_what_stood_there_why_it_ended_so_and_who_is_left(words: View, meta: Meta) -> None:
    sections = words.wording.sections
    sections["events"].update(
        settled="{now} has {hex}", planned="{player} plans {hex}", counted="{player} has {strength}"
    )
    sections["events"]["stayed"] = "{who} stays"
    sections["headlines"].update(settled="{now} won {hex}", hurt="{owner} was hurt")
    made = report(
        words,
        meta,
        {"event": "planned", "player": "south", "hex": "0102"},
        assault("0102"),
        {"event": "counted", "player": "south", "hex": "0102", "strength": 5},
        {"event": "counted", "player": "north", "hex": "0102", "strength": 3},
        {"event": "settled", "hex": "0102", "now": "south", "against": "north"},
        {"event": "taken", "hex": "0102", "now": "south"},
        {"event": "stayed", "hex": "0102", "who": "S-1"},
    )
    (card,) = made.fights
    assert card.numbers == (1, 2, 3, 4, 5, 6, 7)
    assert fight_words(card, made) == [
        "0102 Oxbridge: south against north",
        "South plans 0102 Oxbridge; South assaults 0102 Oxbridge",
        "South has 5",
        "North has 3",
        "South won 0102 Oxbridge",
        "then: South took 0102 Oxbridge",
        "S-1 stays",
    ]
    assert made.summary == ("South took 0102 Oxbridge",), "the prize says who won, the attack led up to it"


def test_why_a_fight_ended_so_is_what_the_system_says_else_what_befell_the_others(
    words: View, meta: Meta
) -> None:
    sections = words.wording.sections
    sections["events"].update(settled="{now} has {hex}")
    sections["headlines"].update(settled="{now} won {hex}", **{"fell-back": "{block} fell back"})
    fled = {"event": "fell-back", "block": "north IN A", "hex": "0102", "destination": "0101"}
    own = {**fled, "block": "south IN A"}
    ended = {"event": "settled", "hex": "0102", "now": "south", "against": "north"}
    made = report(words, meta, assault("0102"), fled, own, ended)
    assert fight_words(made.fights[0], made)[-3:] == [
        "South won 0102 Oxbridge",
        "reason: North IN A fell back",
        "then: South IN A fell back",
    ]
    sections["because"] = {"settled": "the {against} had no supply"}  # type: ignore[index]
    made = report(words, meta, assault("0102"), fled, own, ended)
    assert "reason: The north had no supply" in fight_words(made.fights[0], made)


def test_what_is_the_reason_does_not_follow_again_beside_what_befell_others(words: View, meta: Meta) -> None:
    sections = words.wording.sections
    sections["events"].update(settled="{now} has {hex}")
    sections["headlines"].update(
        settled="{now} won {hex}", **{"fell-back": "{block} {block:falls|fall} back"}
    )
    fled = {"event": "fell-back", "block": "north IN A", "hex": "0102", "destination": "0101"}
    ended = {"event": "settled", "hex": "0102", "now": "south", "against": "north"}
    made = report(words, meta, assault("0102"), fled, {**fled, "block": "south IN A"}, ended)
    assert fight_words(made.fights[0], made)[-2:] == [
        "reason: North IN A falls back",
        "then: South IN A falls back",
    ]


def test_a_card_has_the_words_of_its_own_for_an_event_or_none(words: View, meta: Meta) -> None:
    words.wording.sections["cards"] = {"assaulted": "with bayonets", "rolled": ""}  # type: ignore[index]
    rolled = {"event": "rolled", "hex": "0102", "result": "D2"}
    made = report(words, meta, assault("0102"), rolled)
    assert fight_words(made.fights[0], made)[:2] == ["0102 Oxbridge: south against north", "With bayonets"]
    assert made.fights[0].results == ()


def test_a_battle_that_is_over_is_not_gone_on_with(words: View, meta: Meta) -> None:
    duel = {**assault("0101"), "event": "duelled"}
    over = {"event": "held", "hex": "0101", "player": "south"}
    made = report(words, meta, duel, over, duel)
    assert [card.numbers for card in made.fights] == [(1, 2), (3,)]


def duel(hex: str) -> dict[str, Any]:
    return {"event": "duelled", "attacker": "south", "defender": "north", "hex": hex}


def test_who_came_up_is_on_the_card_of_the_next_battle_there_alone(words: View, meta: Meta) -> None:
    came = {"event": "came-up", "player": "south", "hex": "0102"}
    held = {"event": "held", "hex": "0102", "player": "north"}
    made = report(words, meta, came, duel("0102"), held, duel("0102"))
    assert [card.numbers for card in made.fights] == [(1, 2, 3), (4,)]


def test_losses_told_before_the_first_round_stand_on_its_card_in_their_order(words: View, meta: Meta) -> None:
    died = {"event": "died", "hex": "0102"}
    made = report(words, meta, {**died, "hex": "0101"}, died, died, duel("0102"))
    assert [card.numbers for card in made.fights] == [(2, 3, 4)]


def test_who_holds_the_place_defends_it_where_no_event_says_so(words: View, meta: Meta) -> None:
    (card,) = report(words, meta, {"event": "stormed", "attacker": "south", "hex": "0102"}).fights
    assert (card.attackers, card.defenders) == (("south",), ("north",))


def test_who_holds_a_place_is_said_unless_its_capture_is(words: View, meta: Meta) -> None:
    """Where a system has no event that ends a fight."""
    no_ends = {kind: each for kind, each in words.events.items() if "outcome" not in each.tells}
    view = replace(words, events=no_ends, holders_from=lambda: {"0102": "north"})
    taken = {"event": "taken", "hex": "0102", "now": "north"}
    for more, holder in (([], "north"), ([taken], "")):
        (card,) = report(view, meta, assault("0102"), *more).fights
        assert card.holder == holder


def test_two_fights_of_an_earlier_stage_share_nothing(words: View, meta: Meta) -> None:
    first = [{"event": "died", "hex": "0101"}, {"event": "held", "hex": "0101", "player": "south"}]
    second = [{"event": "died", "hex": "0102"}, {"event": "held", "hex": "0102", "player": "north"}]
    made = report(words, meta, *first, *second)
    assert [(card.place, card.numbers) for card in made.fights] == [("0101", (1, 2)), ("0102", (3, 4))]


def test_where_nobody_fights_there_is_no_card(words: View, meta: Meta) -> None:
    assert report(words, meta, {"event": "died", "hex": "0102"}).fights == ()


def test_a_plan_for_another_place_is_not_the_beginning_of_a_fight(words: View, meta: Meta) -> None:
    words.wording.sections["events"]["planned"] = "{player} plans for {hex}"
    began = {
        hex: report(words, meta, {"event": "planned", "player": "south", "hex": hex}, assault("0102")).fights
        for hex in ("0101", "0102")
    }
    assert [cards[0].began for cards in began.values()] == [
        "South assaults 0102 Oxbridge",
        "South plans for 0102 Oxbridge; South assaults 0102 Oxbridge",
    ]


def test_that_a_turn_began_is_news_of_a_stage_in_which_nothing_stirred(words: View, meta: Meta) -> None:
    for section in ("events", "headlines"):
        words.wording.sections[section]["begun"] = "{player} began a turn"
    begun, taken = ({"event": "begun", "player": "south"}, {"event": "taken", "hex": "0102", "now": "south"})
    assert report(words, meta, begun).summary == ("South began a turn",)
    assert report(words, meta, begun, taken).summary == ("South took 0102 Oxbridge",)


def test_what_was_taken_twice_by_the_same_side_was_not_undone(words: View) -> None:
    events: Any = [{"event": "taken", "hex": "0102", "now": who, "at": COMBAT} for who in ("south", "south")]
    lines = headlines_by_stage([*zip((8, 9), events, strict=True)], words)
    assert [line.stages for line in lines] == [(8, 9)]


@pytest.mark.parametrize(
    ("place", "back", "news"),
    [("0202", False, []), ("0202", True, ["North took 0202"]), ("0102", False, ["North took 0102 Oxbridge"])],
    ids=["nameless", "marched into afterwards", "a town"],
)
def test_a_nameless_place_that_a_retreat_took_is_no_news(
    words: View, place: str, back: bool, news: list[str]
) -> None:
    fell = {"event": "fell-back", "block": "north IN A", "hex": "0101", "destination": place}
    walked = {"event": "walked", "player": "north", "units": ["n1"], "way": ["0201", place]}
    taken = {"event": "taken", "hex": place, "now": "north"}
    events: list[Any] = [fell, *([walked] if back else []), taken]
    assert [line.text for line in headlines_by_stage([(1, event) for event in events], words)] == news


def test_moves_are_counted_by_name_whoever_moved_first(words: View) -> None:
    walked = [
        {"event": "walked", "player": who, "units": ["n1"], "way": ["0101", "0102"]}
        for who in ("south", "north", "south")
    ]
    assert moves_made(walked, words) == "Moves: north 1 and south 2"


def test_the_luck_of_a_card_is_that_of_each_player_or_else_of_all() -> None:
    bare = Sums(1, 2, 7, Fraction(7))
    judged = replace(bare, hits=1, expected_hits=Fraction(2))
    for dice, shown in (
        ({"north": judged, ALL: judged}, ["north"]),
        ({"north": bare, ALL: judged}, [ALL]),
        ({ALL: bare}, []),
    ):
        card: Any = SimpleNamespace(dice=tuple(dice.items()))
        assert [who for who, _ in expected(card)] == shown


def test_of_many_journeys_the_first_are_told_and_the_others_counted(words: View) -> None:
    hexes = ("0101", "0201", "0102", "0202")
    ways = [(start, end) for start in hexes for end in hexes if start != end][: MOST_JOURNEYS + 2]

    def moved(unit: int, *way: str) -> Any:
        return {"event": "walked", "player": "north", "units": [f"u{unit}"], "way": list(way)}

    told = [(1, moved(n, start, "0301")) for n, (start, _) in enumerate(ways)]
    told += [(2, moved(n, "0301", end)) for n, (_, end) in enumerate(ways)]
    assert len(journeys(told[: MOST_JOURNEYS + 2] + told[MOST_JOURNEYS + 2 : -2], words)) == MOST_JOURNEYS
    lines = journeys(told, words)
    assert len(lines) == MOST_JOURNEYS + 1 and "2" in lines[-1] and "u6" not in "".join(lines)


def test_what_matters_most_comes_first_in_short(words: View, meta: Meta) -> None:
    words.wording.sections["headlines"]["assaulted"] = "{attacker} assaulted {hex}"
    made = report(
        words,
        meta,
        assault("0102"),
        {"event": "held", "hex": "0102", "player": "south"},
        {"event": "taken", "hex": "0102", "now": "south"},
        {"event": "won", "result": "South wins"},
    )
    assert [text.split()[1] for text in made.summary] == ["wins", "took", "held"], (
        "an attack whose end is told needs no telling"
    )


def test_what_befell_several_is_told_in_one_sentence(words: View, meta: Meta) -> None:
    """Where the sentence says how many there may be; what differs elsewhere is told by itself."""
    words.wording.sections["events"]["lost"] = "{unit} {unit:is|are} lost in {hex}"
    words.wording.sections["headlines"]["lost"] = "{unit} {unit:was|were} lost in {hex}"
    gone = [{"event": "lost", "unit": unit, "hex": hex} for unit, hex in (("A", "1"), ("B", "2"), ("C", "1"))]
    assert report(words, meta, *gone).summary == ("A, C were lost in 1", "B was lost in 2")


def test_fights_ahead_are_news_until_all_of_them_were_fought(words: View, meta: Meta) -> None:
    for section in ("events", "headlines"):
        words.wording.sections[section]["massed"] = "{player} masses at {hexes}"
    massed = {"event": "massed", "player": "south", "hexes": ["0101", "0102"]}
    held = [{"event": "held", "hex": hex, "player": "south"} for hex in ("0101", "0102")]
    one = report(words, meta, massed, assault("0101"), held[0]).summary
    assert [line for line in one if "masses" in line]
    both = report(words, meta, massed, assault("0101"), held[0], assault("0102"), held[1]).summary
    assert not [line for line in both if "masses" in line]


def test_a_headline_names_five_and_counts_the_others(words: View, meta: Meta) -> None:
    words.wording.sections["events"]["lost"] = "{unit} {unit:is|are} lost in {hex}"
    words.wording.sections["headlines"]["lost"] = "{unit} {unit:was|were} lost in {hex}"
    gone = [{"event": "lost", "unit": unit, "hex": "1"} for unit in "ABCDEF"]
    assert report(words, meta, *gone[:5]).summary == ("A, B, C, D, E were lost in 1",)
    assert report(words, meta, *gone).summary == ("A, B, C, D, and 2 more were lost in 1",)


def test_a_quiet_stage_tells_what_little_there_was(words: View, meta: Meta) -> None:
    assert report(words, meta, {"event": "died", "hex": "0102"}).summary == ("A unit died in 0102 Oxbridge",)


def test_whose_move_it_is_is_never_cut_from_long_news(words: View, meta: Meta) -> None:
    waiting = replace(meta, waiting=["north"])
    long = [{"event": "won", "result": f"South wins {'by far and away, ' * 9}"}]
    found = news(report(words, waiting, *long))
    assert len(found) <= MOST and found.startswith("South wins") and found.endswith("…; north to move")
    mine = replace(meta, asked=[Asked("north", "turn")], waiting=["north"])
    own = compose("north", [Told(PUBLIC, long[0], 0)], words, mine)
    assert news(own).endswith("; your move")


def test_a_pass_is_told_with_its_game_turn_and_a_battle_with_the_next_news(words: View, meta: Meta) -> None:
    """Of passes there are many, and two subjects of a game that are the same tell nothing."""
    waiting = replace(meta, waiting=["north"])
    held = {"event": "held", "hex": "0102", "player": "south"}
    other = {"event": "held", "hex": "0103", "player": "north"}
    assert news(report(words, waiting, held, other)) == "South held Oxbridge; North held 0103; north to move"
    passes = {"event": "passed", "player": "south"}
    assert news(report(words, waiting, passes)).startswith("Game turn 2: ")


def test_a_second_headline_stands_in_the_news_if_both_are_short(words: View, meta: Meta) -> None:
    """ENOUGH letters of both are enough, one more is too much."""
    waiting = replace(meta, waiting=["north"])
    held = {"event": "held", "hex": "0102", "player": "south"}
    short = {"event": "won", "result": "W" * (ENOUGH - len("; South held Oxbridge"))}
    assert news(report(words, waiting, short, held)).endswith("WW; South held Oxbridge; north to move")
    long = {"event": "won", "result": short["result"] + "W"}
    assert news(report(words, waiting, long, held)) == f"{long['result']}; north to move"


def test_moves_of_ones_own_are_no_news(words: View, meta: Meta) -> None:
    waiting = replace(meta, waiting=["north"])
    walked = {"event": "walked", "player": "south", "units": ["S1"], "way": ["0101", "0102"]}
    by = {reader: news(compose(reader, told(*[walked] * 4), words, waiting)) for reader in (None, "south")}
    assert by[None] == "Game turn 2: Moves: south 4; north to move"
    assert "Moves" not in by["south"]


def test_the_news_are_the_first_line_in_short_and_whose_turn_it_is(words: View, meta: Meta) -> None:
    held = {"event": "held", "hex": "0102", "player": "south"}
    waiting = replace(meta, waiting=["north"])
    assert news(report(words, waiting, assault("0102"), held)) == "South held Oxbridge; north to move"
    assert news(report(words, waiting)) == "Game turn 2, Movement; north to move"
    won = {"event": "won", "result": "South wins"}
    assert news(report(words, replace(meta, finished=True), won)) == "South wins"


def test_the_capture_of_a_fight_is_told_with_what_it_cost(words: View, meta: Meta) -> None:
    """ "South took 0102 Oxbridge" did not say that it cost South two steps."""
    ended = Fought("0102", ("south",), ("north",), "taken", (2, 1))
    view = replace(words, fought_from=lambda events: ended if len(events) > 1 else None)
    taken = {"event": "taken", "hex": "0102", "now": "south"}
    fought = report(view, meta, assault("0102"), {"event": "held", "hex": "0102", "player": "south"}, taken)
    assert fought.headlines[0] == "South took 0102 Oxbridge. South lost 2 steps, north lost 1 step"
    assert report(view, meta, taken).headlines == ("South took 0102 Oxbridge",), "by a march"


def test_a_unit_alone_of_its_kind_needs_no_letter(words: View, meta: Meta) -> None:
    """ "Red's marine a was eliminated", though Red had no other marine there."""
    named = {"{who} MA {which}": "{who}'s marine {which}", "{who} IN {which}": "{who}'s infantry {which}"}
    sections = dict(words.wording.sections, map={"lettered": "{who} {type} {which}"}, values=named)
    view = replace(words, wording=Wording(sections))
    view.wording.sections["headlines"].update(died="{unit} {unit:was|were} eliminated")
    assaulted = assault("0102", units=["red MA a CV 2", "red IN a CV 3", "red IN b CV 1"])
    gone = [{"event": "died", "hex": "0102", "unit": f"red {unit}"} for unit in ("MA a", "IN b")]
    made = report(view, meta, assaulted, *gone)
    assert made.headlines == ("Red's marine, red's infantry b were eliminated",)
