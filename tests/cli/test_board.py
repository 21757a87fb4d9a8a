"""The board's addresses: where the game stands, questions in a row, signing, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Folder
from pbem.cli.shell.language import speaking, spoken
from pbem.cli.web import asked, commands
from pbem.cli.web.data.now import now
from pbem.cli.web.data.rule import chart_of
from pbem.cli.web.desk import Desk
from pbem.cli.web.pages import STATIC
from pbem.engine.system import find
from pbem.text.messages import Message
from pbem.text.yaml import load
from tests.cli.test_table import OWN, Visitor
from tests.practising import practising


class Sitting:
    """Somebody at the board of one game."""

    def __init__(self, root: Path, system: str, seat: str) -> None:
        self.place = Desk(root)
        self.name = practising(self.place, system, seat)
        self.visitor = Visitor(self.place)
        self.signings = 0

    @property
    def folder(self) -> Folder:
        return self.place.open(self.name)

    def get(self, path: str, **changes: str | None) -> Any:
        return json.loads(self.visitor.ask("GET", f"/g/{self.name}/{path}", **changes).body)

    def post(self, path: str, **data: Any) -> Any:
        return self.visitor.json(f"/g/{self.name}/{path}", **data)

    def next(self, **data: Any) -> Any:
        return self.post("next", **data)

    def choose(self, key: str, text: str, at: str | None = None) -> Any:
        found = self.post("options", key=key, at=at)["options"]
        one = next(each for each in found if each["text"].startswith(text))
        return self.post("choose", key=key, at=at, number=one["number"], text=one["text"])

    def sign(self, **data: Any) -> Any:
        self.signings += 1
        return self.post("sign", **data)


@pytest.fixture
def victory(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path, "victory", "red")


def test_now_says_where_the_game_stands_and_is_sent_again_only_if_it_changed(victory: Sitting) -> None:
    said = victory.visitor.ask("GET", f"/g/{victory.name}/now")
    now = json.loads(said.body)
    assert now["stage"] == 1 and now["practice"] and not now["ready"] and now["me"]["id"] == "red"
    assert [one["kind"] for one in now["questions"]] == ["bid"] and now["questions"][0]["secret"]
    assert not now["sign"]["may"] and "bid" in now["sign"]["why"]
    assert [one["id"] for one in now["seats"] if one["awaited"]] == ["red", "blue", "green"]
    assert [one["seat"] for one in now["seats"]] == ["Red", "Blue", "Green"]
    mark = said.headers["Etag"]
    assert victory.visitor.ask("GET", f"/g/{victory.name}/now", HTTP_IF_NONE_MATCH=mark).status == 304
    victory.choose("GT1/1.1/bid", "no bid")
    again = victory.visitor.ask("GET", f"/g/{victory.name}/now", HTTP_IF_NONE_MATCH=mark)
    assert again.status == 200 and json.loads(again.body)["sign"]["may"]


def test_the_page_of_a_game_master_says_what_is_owed_in_the_words_of_the_question(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "totaler-krieg", "axis")
    gm = Folder.open(one.folder.root.parent / "gm")
    for tongue, words in (("en", "Which cards do you commit"), ("de", "Welche Karten legst du verdeckt")):
        for folder in (gm, one.folder):
            with speaking(tongue):
                seats = {seat["id"]: seat["words"] for seat in now(folder)["seats"] if seat["awaited"]}
            assert words in seats["axis"] and words in seats["western"] and "next-card" not in str(seats)


def test_a_page_names_its_box_and_no_option_of_the_command_line(
    victory: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = spoken(Message("cli.clock.wait-or-say-if-clock-is-wrong"))
    monkeypatch.setattr(commands, "run", lambda *words, **more: commands.Said(1, (), (refused,)))
    form = "application/x-www-form-urlencoded"
    page = victory.visitor.ask("POST", f"/g/{victory.name}/do", b"what=look", CONTENT_TYPE=form).text
    assert "The deadline has passed, even if this computer" in page and "--deadline" not in page


def test_another_stage_or_another_draft_is_an_answer_and_nothing_is_done(victory: Sitting) -> None:
    tag = victory.get("now")["tag"]
    victory.choose("GT1/1.1/bid", "bid 1")
    text = victory.get("state")["text"]
    for data in ({"stage": 9}, {"tag": tag}, {"stage": 1, "tag": tag}):
        for path in ("next", "clear", "sign", "options"):
            found = victory.post(path, key="GT1/1.1/bid", **data)
            assert found["changed"]["stage"] == 1 and found["changed"]["said"], path
    assert victory.get("state")["text"] == text and victory.folder.stage == 0


def test_a_row_ends_at_sealed_answers_of_others_and_one_click_signs(victory: Sitting) -> None:
    victory.choose("GT1/1.1/bid", "no bid")
    row = victory.next()
    assert row["question"] is None and row["ends"]["why"] == "sealed"
    assert row["ends"]["who"] == ["blue", "green"] and [one["said"] for one in row["steps"]] == [["no bid"]]
    done = victory.sign(stage=1, tag=row["tag"])
    assert done["ok"] and done["signed"] == ["no bid (sealed)"] and done["stages"] >= 1
    assert done["since"] == 0 and done["now"]["stage"] == 1 + done["stages"]


def test_what_lacks_an_answer_is_not_signed(victory: Sitting) -> None:
    done = victory.sign()
    assert not done["ok"] and done["faults"][0]["code"] == "no-answer" and victory.folder.stage == 0


@pytest.mark.parametrize("path", ["next", "stand", "sign"])
def test_another_page_asks_the_board_nothing(victory: Sitting, path: str) -> None:
    for changes in ({"HTTP_ORIGIN": "http://evil.example"}, {"HTTP_COOKIE": None}, {"HTTP_HOST": "evil:1"}):
        said = victory.visitor.ask("POST", f"/g/{victory.name}/{path}", b"{}", **changes)
        assert said.status == 403 and OWN not in said.text
    assert victory.folder.stage == 0


# ---- options -------------------------------------------------------------------------------------------


def test_options_of_all_units_are_given_at_once_and_say_what_they_are(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "totaler-krieg", "axis")
    one.choose("D-00/next-card/axis", "no card")
    now = one.sign()["now"]
    for _ in range(4):
        question = next(each for each in now["questions"] if not each["answered"])
        found = one.post("options", key=question["key"], units="all")
        moves = [each for listed in found["of"].values() for each in listed if each["kind"] == "move"]
        if moves:
            break
        options = one.next()["options"]
        whole = next(each for each in options if not each["more"])
        one.post("choose", key=question["key"], at=None, number=whole["number"], text=whole["text"])
        now = one.sign()["now"]
    assert found["left"] == 0 and all(found["of"].values()), "units without an option are left out"
    assert all(each["units"] and each["end"] for each in moves)
    assert any(each["price"].endswith(" MP") and each["cost"]["MP"] for each in moves)
    some = list(found["of"])[:2]
    few = one.post("options", key=question["key"], units=[*some, "nobody"])
    assert few["of"] == {id: found["of"].get(id, []) for id in (*some, "nobody")}


def played_to(one: Sitting, kind: str, most: int = 6) -> Any:
    """Give the first whole answer to everything until this kind of question is asked; its data."""
    for _ in range(most):
        now = one.get("now")
        found = [each for each in now["questions"] if each["kind"] == kind]
        if found:
            return found[0]
        row = one.next()
        while row["question"] is not None:
            whole = next(each for each in row["options"] if not each["more"])
            one.post(
                "choose", key=row["question"]["key"], at=None, number=whole["number"], text=whole["text"]
            )
            row = one.next()
        assert one.sign()["ok"]
    raise AssertionError(f"{kind} was not asked")


# ---- odds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "seat", "kind"), [("wbts", "north", "battles"), ("wif", "allied", "impulse-letter")]
)
def test_the_odds_are_those_of_the_fight_aimed_at(tmp_path: Path, system: str, seat: str, kind: str) -> None:
    one = Sitting(tmp_path, system, seat)
    key = played_to(one, kind)["key"]
    listed = one.post("options", key=key, units="all")["of"].values()
    aimed = next(each for options in listed for each in options if each["kind"] == "attack")
    found = one.post("odds", key=key, target=aimed["end"], units=aimed["units"])
    view = one.folder.view()
    told = view.system.forecasts(view.game, aimed["end"], aimed["units"])
    assert found["place"] == aimed["end"] and found["sentence"] and not found["none"]
    assert len(found["others"]) == len(told[0].others) and len(found["table"]) == len(told[0].chances)
    assert found["sides"][0]["strength"] == told[0].sides[0][1]
    assert sum(1 for _ in found["ends"]) == len(told[0].ends)


def test_odds_name_no_place_or_unit_that_the_reader_does_not_see(victory: Sitting) -> None:
    for data in ({"target": "9999", "units": []}, {"target": "0505", "units": ["B-nobody"]}, {}):
        assert victory.post("odds", **data)["faults"][0]["code"] in ("unknown-location", "unknown-unit")
    nothing = victory.post("odds", target="0101", units=[])
    assert nothing["sentence"] == "" and nothing["none"]


# ---- why not -------------------------------------------------------------------------------------------


def test_why_not_says_first_what_is_nearest_to_what_was_meant(victory: Sitting) -> None:
    key = played_to(victory, "turn-order")["key"]
    one = next(each for each in victory.next()["options"] if each["text"].startswith("take"))
    victory.post("choose", key=key, at=None, number=one["number"], text=one["text"])
    far = victory.post("why", key=key, at="R-AR1", to="0606")
    assert not far["legal"] and far["reasons"] == far["faults"]
    assert far["reasons"][0]["message"] == "R-AR1 needs 4 movement points to reach 0606, it has 3"
    assert "aircraft can" in " ".join(each["message"] for each in far["reasons"][1:])
    assert far["nearest"]["units"] == ["R-AR1"] and far["nearest"]["shown"] in far["near"]
    added = victory.post(
        "choose", key=key, at="R-AR1", number=far["nearest"]["number"], text=far["nearest"]["text"]
    )
    assert added["ok"] and "R-AR1" in added["moved"], "the nearest legal act can be taken as it is"


def test_why_not_says_first_that_nobody_is_asked_for_such_an_order_now(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "wbts", "north")
    key = played_to(one, "command")["key"]
    told = one.post("why", key=key, at="U-1D", to="0606")["reasons"]
    assert told[0]["code"] == "not-now", "an infantry division gives no order in the command segment"
    assert "which units do you activate" in told[0]["message"], "a question is told in words, not by its kind"
    assert len(told) > 1
    # "0504 has nothing to do now: this is legal, although it is not listed": that order was another unit's
    busy, position = set(one.post("options", key=key, units="all")["of"]), one.folder.view().position
    mine = sorted(id for id in position.counters if id.startswith("U-") and id not in busy)
    idle = [one.post("why", key=key, at=at, to=None) for at in {position.hex(id) for id in mine} if at]
    assert idle and all(each["reasons"] and not each["legal"] for each in idle)
    # "0905 is enemy-occupied" said where it may not march, never when it may attack
    while "free-initiative" not in (marching := one.next()["question"])["key"]:
        one.choose(marching["key"], "")
    told = one.post("why", key=marching["key"], at="GAR-north-0903", to="0905")["reasons"]
    assert "Which battles do you fight?" in told[0]["message"] and told[0]["rule"] == "4.8.1"


def test_why_not_of_an_order_in_notation_is_about_the_place_that_was_clicked(tmp_path: Path) -> None:
    """Orders such as `A BUD - GAL` are text: another place in it is judged, never the order as it stood."""
    one = Sitting(tmp_path, "diplomacy", "austria")
    key = one.next()["question"]["key"]
    for at, to, told in (
        ("AU1", "WAR", "army Budapest can't go to Warsaw"),
        ("AU1", "MOS", "army Budapest can't go to Moscow"),
        ("AU3", "NAP", "fleet Trieste can't go to Naples"),
    ):
        said = one.post("why", key=key, at=at, to=to)
        assert not said["legal"] and said["reasons"][0]["message"] == told
        assert said["reasons"][0]["rule"] == "2.2" and said["near"]
    assert one.post("why", key=key, at="AU1", to="GAL")["legal"], "what is listed is legal"


def test_the_checker_gives_the_reasons_of_an_order_as_the_table_does(victory: Sitting) -> None:
    """`orders check` and the click: what measures first; an order over several lines is one order."""
    key = played_to(victory, "turn-order")["key"]
    text = victory.get("state")["text"].partition("answers:")[0] + f"answers:\n  {key}:\n    choice: turn\n"
    way = "['0305', '0405', '0506', '0606']"
    told = []
    for move in (
        f"{{kind: march, unit: R-AR1, path: {way}}}",
        f"kind: march\n        path: {way}\n        unit: R-AR1",
    ):
        victory.post("put", text=f"{text}    moves:\n      - {move}\n")
        told.append([(one["message"], one["rule"]) for one in victory.get("now")["draft"]["faults"]])
    assert told[0] == told[1] and "needs 4 movement points" in told[0][0][0], told
    victory.post("put", text=f"{text}    moves: []\n")
    clicked = [one["message"] for one in victory.post("why", key=key, at="R-AR1", to="0606")["reasons"]]
    assert "needs 4 movement points" in clicked[0] and clicked[1] == told[0][1][0]


# ---- news ----------------------------------------------------------------------------------------------


def test_the_replay_tells_own_fights_first_then_what_counts_then_the_rest(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "victory", "red")
    played_to(one, "turn-order")
    news = one.get("news?since=0")
    steps = news["steps"]
    assert news["since"] == 0 and news["stage"] == one.folder.stage
    assert {each["stage"] for each in steps} <= set(range(1, news["stage"] + 1))
    parts = [["own", "weight", "rest"].index(steps[n]["rank"]) for n in news["ranked"]]
    assert parts == sorted(parts) and sorted(news["ranked"]) == news["happened"]
    fights = [each for each in steps if each["fight"]]
    assert fights and all(each["headline"] and each["sentence"] and each["at"] for each in fights)
    assert len({(each["stage"], tuple(each["events"])) for each in steps}) == len(steps)
    later = one.get(f"news?since={news['stage'] - 1}")
    assert later["steps"] == [
        {**each, "n": n} for n, each in enumerate(each for each in steps if each["stage"] == news["stage"])
    ]
    assert one.get(f"news?since={news['stage']}")["steps"] == []
    assert one.get("news?since=../1")["since"] == -1


@pytest.mark.parametrize(
    ("system", "seat"), [("ocs", "aster"), ("wbts", "north"), ("totaler-krieg", "axis"), ("wif", "allied")]
)
def test_every_system_tells_its_news_in_steps(tmp_path: Path, system: str, seat: str) -> None:
    one = Sitting(tmp_path, system, seat)
    row = one.next()
    while row["question"] is not None:
        whole = next(each for each in row["options"] if not each["more"])
        one.post("choose", key=row["question"]["key"], at=None, number=whole["number"], text=whole["text"])
        row = one.next()
    assert one.sign()["ok"]
    news = one.get("news")
    assert news["steps"] and news["stage"] == one.folder.stage, system
    assert all(each["headline"] for each in news["steps"])
    chart = one.get("board")["centres"]
    assert all(place in chart for each in news["steps"] for place in (*each["at"], *each["way"]))


# ---- rules, cards, charts ------------------------------------------------------------------------------

SCRIPT = {"HTTP_ACCEPT": "application/json"}


@pytest.mark.parametrize(
    ("system", "seat", "number", "name", "row"),
    [
        ("victory", "red", "4.1.1", "units", "AR"),
        ("ocs", "aster", "4.9", "combat", "7"),
        ("wbts", "north", "4.8.5", "chits", "south"),
        ("totaler-krieg", "axis", "4.2", "combat", "1"),
        ("wif", "allied", "4.7", "combat", "1"),
    ],
)
def test_a_rule_and_a_chart_are_at_hand_in_our_own_words(
    tmp_path: Path, system: str, seat: str, number: str, name: str, row: str
) -> None:
    one = Sitting(tmp_path, system, seat)
    found = one.get(f"rule/{number}", **SCRIPT)
    assert number in found["title"] and "<li>" in found["html"] and "<script" not in found["html"]
    page = one.visitor.ask("GET", f"/g/{one.name}/rule/{number}")
    assert page.status == 200 and found["html"] in page.text
    shown = one.get(f"chart/{name}?row={row}", **SCRIPT)
    assert "<table" in shown["html"]
    for path in ("rule/99.99", "rule/..", "chart/nowhere", "card/nobody", "card/<script>alert"):
        assert one.visitor.ask("GET", f"/g/{one.name}/{path}", **SCRIPT).status == 404
        page = one.visitor.ask("GET", f"/g/{one.name}/{path}")
        assert page.status == 404 and "<script>alert" not in page.text, path


@pytest.mark.parametrize(
    ("system", "seat", "odds", "column"),
    [
        ("totaler-krieg", "axis", "3-1", "3-1"),
        ("wif", "allied", "3:1", "3:1"),
        ("wbts", "north", "165%", "132-165"),
        ("wbts", "north", "900%", "301+"),
    ],
)
def test_the_column_of_a_fight_is_marked_in_its_chart(
    tmp_path: Path, system: str, seat: str, odds: str, column: str
) -> None:
    found = chart_of(find(system), odds)
    assert found is not None and found["column"] == column
    assert chart_of(find(system), "") is None and chart_of(find(system), "17 to 3") is None
    one = Sitting(tmp_path, system, seat)
    asked = f"chart/{found['name']}?column={column.replace('+', '%2B')}"
    assert f'<th class="here">{column}</th>' in one.get(asked, **SCRIPT)["html"]


def test_the_row_and_column_of_a_chart_are_marked(victory: Sitting) -> None:
    shown = victory.get("chart/units?row=AR&column=cost", **SCRIPT)["html"]
    assert shown.count('class="here"') == 3 and '<th class="here">AR</th>' in shown


def test_a_card_says_what_it_does(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "totaler-krieg", "axis")
    card = one.get("card/AX-2", **SCRIPT)
    assert card["title"].startswith("AX-2") and "Axis controls 0603 Norburg" in card["html"]


# ---- standing orders out of the row --------------------------------------------------------------------


def test_the_same_answer_for_the_rest_of_a_phase_is_one_click_and_asked_no_more(victory: Sitting) -> None:
    one = victory
    found = None
    for _ in range(12):
        row = one.next()
        question = row["question"]
        if question is None:
            assert one.sign()["ok"]
            continue
        whole = next(each for each in row["options"] if not each["more"] and not each["end"])
        one.post("choose", key=question["key"], at=None, number=whole["number"], text=whole["text"])
        steps = one.next()["steps"]
        found = next((each for each in steps if each["key"] == question["key"] and each["rest"]), None)
        if found is not None:
            break
    assert found is not None and "rest of" in found["rest"]["text"]
    said = one.post("stand", entry=found["rest"]["entry"])
    assert "rest-turn-order" in said["text"] and said["questions"], (
        "the page is drawn from it as after a click"
    )
    assert said["tag"] == one.next()["tag"], "and may go on at once"
    assert one.post("stand", entry={"decision": "nonsense", "name": "x", "answer": 1})["faults"]
    assert one.sign()["ok"]


NOTHING_MORE = {  # system, seat: the part of the turn, and how many questions it answers in it
    ("victory", "red"): ("Activation; unless you are attacked", 1),
    ("wbts", "north"): ("North", 6),
    ("ocs", "aster"): ("Player Turn of Aster", 6),
    ("totaler-krieg", "axis"): ("Faction turn of Axis", 4),
}


@pytest.mark.parametrize("system, seat", NOTHING_MORE)
def test_nothing_more_answers_a_whole_turn_at_once_and_says_what_and_who_reads_it(
    tmp_path: Path, system: str, seat: str
) -> None:
    one = Sitting(tmp_path, system, seat)
    words, count = NOTHING_MORE[system, seat]
    for _ in range(30):
        row = one.next()
        offered = row["nothing"]
        if offered is not None and words in offered["text"] and not row["steps"]:
            break
        if row["question"] is None:
            assert one.sign()["ok"]
            continue
        usual = next((each for each in row["options"] if each["usual"]), row["options"][0])
        key = row["question"]["key"]
        one.post("choose", key=key, at=None, number=usual["number"], text=usual["text"])
    assert offered["text"].startswith("Nothing more: ") and "read" in offered["reads"]
    before = one.get("state")["text"]
    text = one.post("nothing")["text"]
    ahead = load(text, "orders").data.get("ahead", [])
    numbers = [int(entry["once"].rpartition("-")[2]) for entry in ahead if "once" in entry]
    assert numbers == sorted(numbers) and not any("once" in entry for entry in ahead[len(numbers) :])
    row = one.next()
    assert len(row["steps"]) == count and all(each["answered"] for each in row["steps"])
    assert row["nothing"] is None and row["sign"]["may"], "all of it is answered, and may be signed"
    assert one.post("nothing")["faults"], "a second click does nothing"
    assert one.post("put", text=before)["text"] == before and text != before, "and may be undone"
    one.post("nothing")
    last = row["steps"][-1]["key"]
    one.post("clear", key=last)
    again = one.next()
    assert again["question"]["key"] == last and not again["question"]["answered"], "or the last alone"
    one.post("put", text=text)
    assert one.next()["sign"]["may"] and one.sign()["ok"]


def test_nothing_more_never_answers_a_bid_a_loss_or_the_players_next_turn(tmp_path: Path) -> None:
    bid = Sitting(tmp_path / "bid", "victory", "red")
    assert bid.next()["nothing"] is None, "a bid is a choice"
    one = Sitting(tmp_path / "reaction", "ocs", "aster")
    while "Reaction" not in one.get("now")["place"]:
        if one.next()["nothing"]:
            one.post("nothing")
        else:
            one.choose(one.next()["question"]["key"], "first")
        assert one.sign()["ok"]
    asked = one.next()
    first, *_ = one.post("why", key=asked["question"]["key"], at="07.06")["reasons"]
    assert first["message"] == "A-21 may not move in this phase", "not of a kind of order that nobody named"
    assert "Player Turn of Bren" in asked["nothing"]["text"]
    one.post("nothing")
    steps = one.next()["steps"]
    assert len(steps) == 2 and all(
        "(reaction)" in each["text"] or "barrage" in each["text"] for each in steps
    )
    assert "name: rest" not in one.get("state")["text"], "nothing waits for the own turn that follows"


# ---- before it is done ---------------------------------------------------------------------------------


def test_what_a_move_leaves_is_told_from_the_players_own_view(victory: Sitting) -> None:
    key = victory.next()["question"]["key"]
    hidden = victory.post("after", key=key, at="0305")["lines"]
    assert hidden == ["22 enemy units are unknown and left out."], "of what is hidden only the number"


def test_what_the_enemy_can_bring_to_a_place_is_told_before_it_is_left_open(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "wbts", "north")
    key = one.next()["question"]["key"]
    far, near = (one.post("after", key=key, at=at)["lines"] for at in ("0502", "0504"))
    assert far == ["No enemy that you know can come to 0502 Harlan City in one move."]
    assert near[0].startswith("The enemy can next bring into 0504 or next to it: ") and "(0505)" in near[0]
    strange = one.post("after", key=key, at="<b>")["lines"]
    assert strange == [], "a place that is none is no place"


def option(one: Any) -> dict[str, Any]:
    """An option as a page aims at it."""
    return {name: one[name] for name in ("of", "number", "text")}


def test_what_a_move_means_is_told_before_it_is_made(victory: Sitting) -> None:
    victory.choose(victory.next()["question"]["key"], "bid 5")
    assert victory.sign()["ok"]
    key, before = victory.next()["question"]["key"], victory.get("now")["draft"]["text"]
    found = victory.post("options", key=key, units=["R-DB1"])["of"]["R-DB1"]
    far = next(each for each in found if each["end"] == "0804")
    now, then, marched = (
        victory.post("after", key=key, at="0804", **more)["lines"]
        for more in ({}, option({**far, "of": "R-DB1"}), {"units": ["R-DB1"]})
    )
    unknown = "22 enemy units are unknown and left out."
    assert now == [unknown] and then == marched == ["Then out of supply: DB 3 (0804).", unknown]
    assert victory.get("now")["draft"]["text"] == before, "nothing was ordered by asking"


def test_an_order_that_makes_a_counter_is_told_while_it_is_aimed_at(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "wbts", "south")
    one.choose(one.next()["question"]["key"], "take the 2")
    assert one.sign()["ok"]
    key = one.next()["question"]["key"]
    found = one.post("options", key=key)["options"]
    depot = next(each for each in found if each["text"].startswith("depot in 0505"))
    lines = one.post("after", key=key, at="0505", number=depot["number"], text=depot["text"])["lines"]
    assert len(lines) == 1 and "0505 Bridgeton or next to it: U-1D" in lines[0]


def test_what_a_move_means_is_put_off_while_a_click_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Sitting(tmp_path, "wbts", "north")
    key = one.next()["question"]["key"]
    monkeypatch.setattr(asked.TURN, "awaited", lambda: True)
    assert one.post("after", key=key, at="0504") == {"lines": [], "later": True}


# ---- what is sent --------------------------------------------------------------------------------------


def test_the_page_stays_within_its_budget_on_the_way_to_the_browser(victory: Sitting) -> None:
    """45 kB of scripts and 16 kB of styles, as they are sent; the map comes on top."""
    sent = {}
    for name in ("script", "css"):
        files = [
            one for one in STATIC if one.startswith("board") and (one.endswith(".css")) == (name == "css")
        ]
        asked = {"HTTP_ACCEPT_ENCODING": "gzip"}
        found = [victory.visitor.ask("GET", f"/static/{one}", **asked) for one in files]
        assert found and all(one.headers["Content-Encoding"] == "gzip" for one in found)
        sent[name] = sum(len(one.body) for one in found)
    assert sent["script"] <= 45_000 and sent["css"] <= 16_000, sent


# ---- what is spent -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "seat", "kind"), [("victory", "red", "production")])
def test_a_question_that_spends_points_says_what_is_left(
    tmp_path: Path, system: str, seat: str, kind: str
) -> None:
    one = Sitting(tmp_path, system, seat)
    key = played_to(one, kind)["key"]
    before = {each["at"]: each for each in one.next()["question"]["purse"]}
    assert before and all(each["left"] == each["of"] > 0 for each in before.values())
    found = one.post("options", key=key, units="all")["of"]
    bought, at = next((each, id) for id, listed in found.items() for each in listed if each["cost"])
    one.post("choose", key=key, at=at, number=bought["number"], text=bought["text"])
    step = next(each for each in one.next()["steps"] if each["key"] == key)
    after = {each["at"]: each for each in step["purse"]}
    assert {at: one["of"] for at, one in after.items()} == {at: one["of"] for at, one in before.items()}
    spent = sum(each["of"] - each["left"] for each in after.values())
    assert spent == sum(bought["cost"].values()) and str(spent) != "0"
    assert "left" in after[bought["end"]]["text"]


# ---- notes ---------------------------------------------------------------------------------------------


def test_notes_are_kept_for_their_writer_alone(victory: Sitting) -> None:
    assert victory.get("notes") == {"notes": [], "turn": "Game turn 1"}
    victory.post("note", at="Velm", text="take it <b>now</b>")
    found = victory.post("note", at="", text="bid low")["notes"]
    assert [(one["at"], one["text"]) for one in found] == [("0505", "take it <b>now</b>"), ("", "bid low")]
    assert found[1]["turn"] == "Game turn 1" and victory.get("notes")["notes"] == found
    path = victory.folder.root / "private" / "notes.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one["at"] for one in victory.post("note", at="0505", text="")["notes"]] == [""]
    assert victory.post("note", at="0505", text="x" * 5000)["faults"][0]["code"] == "too-long"
    assert victory.visitor.ask("GET", f"/g/{victory.name}/note").status == 405


# ---- rows that are played ------------------------------------------------------------------------------


def test_a_row_ends_at_a_secret_that_would_be_lost_with_its_stage(tmp_path: Path) -> None:
    one = Sitting(tmp_path, "wbts", "north")
    key = played_to(one, "defending-leader")["key"]
    one.choose(key, one.next()["options"][0]["text"])
    row = one.next()
    assert row["question"] is None and row["ends"]["why"] == "secret" and not row["ends"]["further"]
    done = one.sign(tag=row["tag"])
    assert done["ok"] and [each["kind"] for each in done["now"]["questions"]] == ["intensity"]


def test_being_ready_is_no_question_at_a_practice_table(tmp_path: Path) -> None:
    for system, seat in (("ocs", "aster"), ("wbts", "north")):
        now = Sitting(tmp_path / system, system, seat).get("now")
        assert not now["ready"] and now["stage"] > 1 and now["questions"]


def test_a_rule_or_card_that_is_unknown_is_refused_by_its_code(victory: Sitting) -> None:
    from pbem.cli.web.data.rule import card, rule
    from pbem.text.diagnostics import Refused

    for make, code in ((rule, "unknown-rule"), (card, "unknown-card")):
        with pytest.raises(Refused) as refused:
            make(victory.folder, "99")
        assert refused.value.diagnostics[0].code == code


def test_between_two_an_open_answer_may_stay_closed_until_both_have_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protocol 13: who orders first commits to everything."""
    one = Sitting(tmp_path, "wif", "allied")
    usual = played_to(one, "impulse-letter")
    monkeypatch.setattr("pbem.stages.two_players.committing", lambda *_: "all")
    assert not usual["secret"] and usual["reads"] == "everyone can read this once the email is sent"
    assert played_to(one, "impulse-letter")["reads"] == "revealed when everyone has answered"


def test_reports_of_a_practice_game_have_no_page_for_email(victory: Sitting) -> None:
    """Nobody reads these emails, and drawing their maps took most of a stage's time."""
    victory.choose("GT1/1.1/bid", "no bid")
    assert victory.sign()["stages"] >= 1
    mails = victory.folder.root.parent / "mails"
    reports = [path.read_bytes() for path in mails.iterdir() if b"report" in path.read_bytes()]
    assert reports and not any(b"text/html" in one or b"image/png" in one for one in reports)
