"""Bounds of a stage: what nests too deep, is agreed and pinned, what counts, and what differs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating import by_hand, comparing
from pbem.archive.deputies import lent
from pbem.stages import agreements, amendments, progress, rulings, scenario_terms, two_players
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from pbem.stages.press import Press
from pbem.text.canonical import dumps
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.errors import BadStatement, NotAccepted
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import begun, chooser, statements_in


@pytest.mark.parametrize("inside", [lambda value: [value], lambda value: {"a": 1, "b": value}])
def test_contents_nest_as_deep_as_states_do_and_no_deeper(inside: Any) -> None:
    value: Any = 1
    for _ in range(progress.MOST_DEEP):
        value = inside(value)
    progress.check_depth(value, "here")
    with pytest.raises(NotAccepted, match=str(progress.MOST_DEEP)):
        progress.check_depth(inside(value), "here")


@pytest.mark.parametrize(
    ("dice_mode", "both", "first", "commits"),
    [
        ("swift", True, "me", "secret"),
        ("locked", False, "me", "secret"),
        ("pair", True, "me", "all"),
        ("pair", True, "other", "kept"),
        ("pair", False, "me", "kept"),
        ("pair", False, "other", "kept"),
    ],
)
def test_between_two_who_orders_first_of_both_commits_to_everything(
    dice_mode: str, both: bool, first: str, commits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = SimpleNamespace(both=both, first=first)
    monkeypatch.setattr(two_players, "turn_of", lambda *_: turn)
    here: Any = SimpleNamespace(roster=SimpleNamespace(terms=SimpleNamespace(dice=dice_mode)))
    assert two_players.committing(here, SimpleNamespace(), "me") == commits  # type: ignore[arg-type]


@pytest.mark.parametrize("pin", [scenario_terms.pin_scenario, scenario_terms.pin_start])
@pytest.mark.parametrize("options", [{}, {"turns": 2}])
def test_a_packaged_scenario_is_pinned_as_a_whole_or_as_older_games_did(pin: Any, options: Any) -> None:
    agreed_on = Agreement(Deadlines(3, 1))
    in_force = FOG.options(FOG.scenario("ford"), options)
    pinned = pin(FOG, "ford", in_force, agreed_on)
    terms: Any = SimpleNamespace(scenario=pinned, dice="swift", arbiter="gm", absent="skip")
    assert scenario_terms.is_pinned(FOG, terms)
    terms.scenario = replace(pinned, sha256="0" * 64)
    assert not scenario_terms.is_pinned(FOG, terms)
    own = FOG.with_scenario(FOG.whole("ford"))
    terms.scenario = pinned
    assert scenario_terms.is_pinned(own, terms) == (pin is scenario_terms.pin_scenario), "its own as a whole"


EVENTS = [{"event": "a"}, {"event": "b"}]
DIFFERENT: list[tuple[str | None, dict[str, Any], dict[str, Any], list[str]]] = [
    (None, {}, {}, []),
    ("dice", {"record": "x"}, {"record": "z"}, ["me: x", "you: z"]),
    ("dice", {"record": None}, {"record": "y" * 301}, ["me: nothing", f"you: {'y' * 297}..."]),
    ("events", {"events": EVENTS}, {"events": EVENTS[:1]}, ["event 2", "me: {event: b}", "you: nothing"]),
    ("events", {"events": []}, {"events": EVENTS}, ["event 1", "me: nothing", "you: {event: a}"]),
    ("events", {"events": EVENTS}, {"events": EVENTS}, ["me: nothing", "you: nothing"]),
    ("state", {"facts": {"b": 1}}, {"facts": {"a": 2, "b": 1}}, ["fact a", "me: nothing", "you: 2"]),
    ("groups", {"facts": {"a": 2, "b": 1}}, {"facts": {"a": 2}}, ["fact b", "me: 1", "you: nothing"]),
    ("state", {"facts": {"a": 0}}, {"facts": {}}, ["me: nothing", "you: nothing"]),
    ("groups", {"facts": {"a": 0}}, {"facts": {"a": 0}}, ["me: nothing", "you: nothing"]),
]


@pytest.mark.parametrize(("member", "mine", "other", "lines"), DIFFERENT)
def test_the_first_difference_of_two_records_is_named(
    member: str | None,
    mine: dict[str, Any],
    other: dict[str, Any],
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(comparing, "first_difference", lambda *_: member)

    def made(by: str, said: dict[str, Any]) -> comparing.Computed:
        record: Any = SimpleNamespace(data={member: said.get("record")})
        return comparing.Computed(by, 1, record, said.get("events", ()), said.get("facts", {}))

    found = comparing.difference(made("me", mine), made("you", other))
    assert (found.member, list(found.lines)) == (member, lines)


def test_a_gm_without_a_folder_takes_orders_of_the_open_stage_alone(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    seat, *_ = table.asked()
    seat.answer_all(chooser(1))
    (order,) = statements_in(*seat.mails())
    here, data = table.gm.folder.progress, json.loads(order.data)
    by_hand._judge(here, statements.parse(order.data), hidden=False)
    for ahead in (1, 2, 9):
        early = statements.parse(dumps({**data, "stage": here.open_stage + ahead}))
        with pytest.raises(NotAccepted) as refused:
            by_hand._judge(here, early, hidden=False)
        assert refused.value.code == "stage"


DAYS: list[tuple[Any, ...]] = [
    *((days, grace, overdue) for days in (0, 3) for grace in (0, 2) for overdue in (None, "wait", "default"))
]


@pytest.mark.parametrize("days", DAYS)
def test_what_was_agreed_is_what_the_words_in_the_roster_say(days: tuple[Any, ...]) -> None:
    for deputy, no_show in ((0, None), (9, "computer"), (0, "deputy")):
        for kind in (None, "none", "grey"):
            for yes in (True, False):
                made = Agreement(Deadlines(*days, deputy, no_show), Press(kind, yes), yes, not yes)  # type: ignore[arg-type]
                words = [f"{name}={value}" for name, value in made.data().items()]
                assert agreements.parse(words) == made
                own, ours = agreements.split(["turns=2", *words])
                assert (own, ours) == (["turns=2"], words)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        *((f"answer_days={value}", True) for value in ("x", "-1", "367", "")),
        *((f"grace_days={value}", True) for value in ("1.5", "٣", "0999")),
        *((f"{name}=366", False) for name in ("answer_days", "grace_days", "deputy_days")),
        *((f"{name}=0", name == "deputy_days") for name in ("answer_days", "grace_days", "deputy_days")),
        *((f"{name}=no", True) for name in ("overdue", "no_show", "press", "press_opened", "gunboat")),
        *((f"{name}=yes", False) for name in ("press_opened", "gunboat")),
    ],
)
def test_what_cannot_be_agreed_is_refused(word: str, fault: bool) -> None:
    if fault:
        with pytest.raises(Refused):
            agreements.parse([word])
    else:
        assert agreements.parse([word]).data() or word.endswith("=0")


def proposed(sid: str, *ops: str, complete: bool = True, closes: bool = False) -> Any:
    return SimpleNamespace(statement=sid, complete=complete, closes=closes, does=lambda op: op in ops)


@pytest.mark.parametrize(
    ("proposals", "counted"),
    [
        ([], []),
        ([proposed("a", "ruling"), proposed("b", "key")], ["a", "b"]),
        ([proposed("a", "ruling"), proposed("b", closes=True), proposed("c", "key")], ["b", "c"]),
        ([proposed("a", "ruling"), proposed("b", closes=True, complete=False)], ["a"]),
        ([proposed("a", complete=False), proposed("b")], ["b"]),
        ([proposed("a"), proposed("bad"), proposed("c")], ["a", "c"]),
    ],
)
def test_complete_amendments_count_and_one_that_closes_the_stage_undoes_rulings(
    proposals: list[Any], counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def apply(roster: Any, sid: str, stage: int) -> Any:
        if sid == "bad":
            raise BadStatement("two contradict each other")
        return (*roster, sid)

    monkeypatch.setattr(amendments.inforce, "apply", apply)
    here: Any = SimpleNamespace(roster=(), open_stage=3)
    assert [one.statement for one in amendments.counting(here, proposals)] == counted


@pytest.mark.parametrize(
    ("before", "after", "overrides", "codes"),
    [
        ([], [], [], []),
        (["4.1 x"], ["4.1 x"], [], []),
        (["4.1 x"], ["4.1 x", "4.1: y"], [], ["against-the-rules"]),
        ([], ["4.1 x", "5.2 z", "4.1 y"], [], ["against-the-rules"] * 3),
        ([], ["4.1 x", "5.2, z"], ["4.1"], ["against-the-rules"]),
        ([], ["4.1 x"], ["4.1", "6.1"], ["idle-override"]),
        (["4.1 x"], [], ["4.1"], ["idle-override"]),
        (["4.1 x"], ["4.1 x"], ["4.1"], []),
    ],
)
def test_a_ruling_breaks_no_rule_that_held_unless_it_says_so(
    before: list[str],
    after: list[str],
    overrides: list[str],
    codes: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system: Any = SimpleNamespace(invariants=lambda game: after if game else before, census=lambda game: [])
    monkeypatch.setattr(rulings, "game_of", lambda system, state, position: position == "after")
    monkeypatch.setattr(rulings, "changed", lambda position, changes: "after")
    changes = [{"override": name} for name in overrides]
    found: list[str] = []
    try:
        rulings.check_ruling(system, SimpleNamespace(position="before"), changes)  # type: ignore[arg-type]
    except Refused as refused:
        found = [fault.code for fault in refused.diagnostics]
    assert found == codes


def test_a_deputy_in_charge_plays_the_seats_whose_keys_fit_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = {"south": {"fits": True}, "west": {"fits": False}, "east": {"fits": True}, "gone": {"fits": True}}
    players = [SimpleNamespace(id=id) for id in ("south", "west", "east", "north")]
    monkeypatch.setattr(lent, "lent_to", lambda roster, gm: players if gm == "gm" else [])
    monkeypatch.setattr(lent, "fits", lambda roster, party, keys: keys["fits"])
    side = SimpleNamespace(taken=[SimpleNamespace(proxies=held), SimpleNamespace(proxies={})])
    folder: Any = SimpleNamespace(
        role="deputy",
        knows_all=True,
        acting=True,
        root=Path("/dora"),
        private=SimpleNamespace(gm_side=side),
        need_roster=lambda: SimpleNamespace(terms=SimpleNamespace(arbiter="gm")),
    )
    assert lent.folders(folder) == {name: Path(f"/dora/lent-{name}") for name in ("east", "south")}
    for change in ({"role": "gm"}, {"knows_all": False}, {"acting": False}):
        assert lent.folders(SimpleNamespace(**{**vars(folder), **change})) == {}  # type: ignore[arg-type]
