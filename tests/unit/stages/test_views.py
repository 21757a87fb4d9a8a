"""What a reader knows of a game, and which views and events no rules can read (11.2, 17.32)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from pbem.model.events import Told
from pbem.model.facts import GM_ONLY, PUBLIC, Fact
from pbem.stages import view_checks, views
from pbem.stages.inputs import Setting
from pbem.stages.view_checks import check_readable, event_fault
from pbem.stages.views import PlayerView
from pbem.text.diagnostics import Refused
from pbem.trust import groups
from tests.primer import FOG, SYSTEM
from tests.unit.archive.paper import last, refusal
from tests.unit.stages.desk import SECRET, roster_of

ALL = ("gm", "north", "south")


# --- who may know what ----------------------------------------------------------------------------------


def test_who_reads_a_fact_depends_on_whether_the_game_hides_anything() -> None:
    fog, clear = Setting(FOG, roster_of(), SECRET), Setting(SYSTEM, roster_of())
    assert [fog.audience(players) for players in (PUBLIC, ("south",), GM_ONLY, ("south", "north"))] == [
        ALL,
        ("gm", "south"),
        ("gm",),
        ALL,
    ]
    assert {clear.audience(players) for players in (PUBLIC, ("south",), GM_ONLY)} == {ALL}
    facts = [Fact("a", 1), Fact("b", 2, ("north",))]
    assert views.roster_facts(facts, fog.audience) == [
        groups.Fact("a", 1, ALL),
        groups.Fact("b", 2, ("gm", "north")),
    ]


def test_hidden_dice_come_of_the_secret_and_of_the_stage() -> None:
    seed = b"5" * 32
    fog, blind, clear = (
        Setting(FOG, roster_of(), SECRET),
        Setting(FOG, roster_of()),
        Setting(SYSTEM, roster_of()),
    )
    hidden = {stage: fog.hidden_seed(stage, seed) for stage in (1, 2)}
    assert len({seed, *hidden.values()}) == 3 and None not in hidden.values()
    assert blind.hidden_seed(1, seed) is None and clear.hidden_seed(1, seed) == seed
    assert Setting(SYSTEM, roster_of(), SECRET).hidden_seed(1, seed) == seed


def test_a_deputy_signs_what_the_game_master_signs() -> None:
    assert Setting(SYSTEM, roster_of()).acting == Setting(SYSTEM, roster_of()).gm == "gm"
    assert Setting(SYSTEM, roster_of(), deputy="dora").acting == "dora"


def test_a_reader_knows_what_is_public_and_what_he_is_among_the_readers_of() -> None:
    facts = [
        groups.Fact("all", 1, ALL),
        groups.Fact("north", 2, ("gm", "north")),
        groups.Fact("gm", 3, ("gm",)),
    ]
    told = {
        (reader, gm): "".join(key[0] for key in views.known_to(facts, reader, ALL, gm))
        for reader in ("north", "south", "gm", None)
        for gm in ("gm", None)
    }
    assert told == {
        ("north", "gm"): "an",
        ("north", None): "an",
        ("south", "gm"): "a",
        ("south", None): "a",
        ("gm", "gm"): "ang",
        ("gm", None): "ang",
        (None, "gm"): "a",
        (None, None): "a",
    }
    secret = [groups.Fact("south", 1, ("south",))]
    assert (
        views.known_to(secret, "gm", ALL, "gm") == {"south": 1}
        and views.known_to(secret, "gm", ALL, None) == {}
    )


# --- events in their order ------------------------------------------------------------------------------


def test_private_events_stand_behind_as_many_public_ones_as_they_came_after() -> None:
    def private(who: str, n: int, after: int) -> tuple[str, Any]:
        return f"event/{who}/{n:04}", {"after": after, "event": {"event": f"{who}{n}"}}

    listed = [("north", 2, 1), ("north.south", 2, 1), ("gm", 1, 2), ("all", 1, 0), ("north", 1, 1)]
    facts = dict(private(*one) for one in listed)
    told = views.told_to([{"event": "one"}, {"event": "two"}], {**facts, "game/place": 1})
    assert [(one.event["event"], one.audience, one.after) for one in told] == [
        ("all1", PUBLIC, 0),
        ("one", PUBLIC, 0),
        ("north.south2", ("north", "south"), 1),
        ("north1", ("north",), 1),
        ("north2", ("north",), 1),
        ("two", PUBLIC, 1),
        ("gm1", GM_ONLY, 2),
    ]
    assert views.told_to([], {}) == ()


def test_a_message_in_an_event_is_told_in_words() -> None:
    from pbem.text.messages import Message
    from pbem.text.recorded import recorded

    why = Message("stages.press.no-public-letters", press="none")
    (told,) = views.told_to([recorded({"event": "one", "why": why})], {})
    assert told.event["why"] == why


# --- what a view must be --------------------------------------------------------------------------------

MOVED: dict[str, Any] = {"event": "moved", "owner": "north", "hex": "0101"}
EVENTS: list[tuple[Any, str]] = [
    (MOVED, ""),
    ({**MOVED, "rule": "4.1", "at": {"node": "T"}}, ""),
    ({**MOVED, "fast": True}, "event-has-unknown-field"),
    ({"event": "moved", "owner": "north"}, "event-lacks-field"),
    ({"event": "flown"}, "event-is-of-unknown-kind"),
    ({"owner": "north", "hex": "0101"}, "event-is-of-unknown-kind"),
    ({"event": 5}, "event-is-of-unknown-kind"),
    ({"event": ["moved"]}, "event-is-of-unknown-kind"),
    (5, "event-is-of-unknown-kind"),
    (None, "event-is-of-unknown-kind"),
]


@pytest.mark.parametrize(("event", "wanted"), EVENTS, ids=range(len(EVENTS)))
def test_an_event_that_the_rules_lack_is_named_by_its_number(event: Any, wanted: str) -> None:
    fault = event_fault(SYSTEM, [MOVED, event, MOVED])
    assert last(fault or "") == wanted and (not wanted or "2" in str(fault))
    assert event_fault(SYSTEM, []) is None


@dataclass
class Event:
    count: int
    from_: str
    to: str | None = None


def test_a_field_may_be_left_out_if_it_may_be_nothing() -> None:
    assert view_checks._fields(Event) == {"count": True, "from": True, "to": False}


ASKED: dict[str, Any] = {
    "key": "T1/bid",
    "id": "bid",
    "party": "north",
    "kind": "bid",
    "rule": "3.1",
    "secrecy": "together",
    "fields": {},
}
TOLD = {"after": 0, "event": MOVED}
FACTS: list[tuple[str, Any, bool]] = [
    ("asked/north/1", ASKED, True),
    ("asked/north/1", {**ASKED, "rule": 5}, False),
    ("asked/north/1", {name: ASKED[name] for name in ASKED if name != "secrecy"}, False),
    ("asked/north/1", [ASKED], False),
    ("event/north/0001", TOLD, True),
    ("event/north/0001", {**TOLD, "after": "0"}, False),
    ("event/north/0001", {**TOLD, "after": True}, False),
    ("event/north/0001", {"after": 0}, False),
    ("event/north/0001", {**TOLD, "event": [MOVED]}, False),
    ("event/north", TOLD, False),
    ("event/north/0001/2", TOLD, False),
    ("event/north/0001", [TOLD], False),
    ("refused/north/1", {"why": "so"}, True),
    ("refused/north/1", ["so"], False),
    ("standing/north", [], True),
    ("standing/north", {}, False),
    ("game/place", {"ended": True}, True),
    ("game/place", {"node": "T", "passes": {}}, True),
    ("game/place", {"node": 5}, False),
    ("game/other", {"node": 5}, True),
    ("unit/n1", 5, True),
]


@pytest.mark.parametrize(("key", "value", "fits"), FACTS, ids=range(len(FACTS)))
def test_a_fact_of_the_engine_has_its_shape(key: str, value: Any, fits: bool) -> None:
    assert view_checks._fits(key, value) is fits
    if not fits:
        view = PlayerView(SYSTEM, "ford", "north", 1, {key: value})
        assert refusal(lambda: check_readable(view)) == "view view"


def view_with(told: Any = (), **facts: Any) -> PlayerView:
    from pbem.engine.adjudicate import adjudicate, start
    from pbem.engine.adjudicate import facts as facts_of
    from pbem.engine.answers import Inputs

    begun = adjudicate(
        SYSTEM, start(SYSTEM, "ford", SYSTEM.options(SYSTEM.scenario("ford"), {})), Inputs(stage=0)
    )
    known = {fact.key: fact.value for fact in facts_of(SYSTEM, begun)}
    return PlayerView(SYSTEM, "ford", "north", 1, {**known, **facts}, told)


def test_a_view_of_which_questions_events_and_position_can_be_made_is_taken() -> None:
    check_readable(view_with())
    check_readable(view_with((Told(PUBLIC, dict(MOVED), 0),)))
    key, question = next((key, value) for key, value in view_with().facts.items() if key.startswith("asked/"))
    wrong: list[PlayerView] = [
        view_with((Told(PUBLIC, {"event": "flown"}, 0),)),
        view_with(**{key: {**question, "kind": "flight"}}),  # type: ignore[dict-item]
        view_with(**{key: {**question, "fields": {"wings": 2}}}),  # type: ignore[dict-item]
        view_with(**{key: {**question, "fields": 5}}),  # type: ignore[dict-item]
    ]
    assert [refusal(lambda view=view: check_readable(view)) for view in wrong] == ["view view"] * 4  # type: ignore[misc]


def test_a_view_has_the_reader_s_questions_events_and_place() -> None:
    view = view_with((Told(PUBLIC, dict(MOVED), 0),))
    assert view.events == (MOVED,)
    keys = sorted(key for key in view.facts if key.startswith("asked/"))
    assert [f"asked/{one.party}/{one.key}" for one in view.questions] == keys
    assert view.position.counters and view.place
    several = {f"asked/north/{n}": {**ASKED, "key": f"T1/{n}"} for n in "312"}
    unsorted = PlayerView(SYSTEM, "ford", "north", 1, several)
    assert [one.key for one in unsorted.questions] == ["T1/1", "T1/2", "T1/3"]
    laid = PlayerView(SYSTEM, "ford", "north", 1, view.facts, laid_down=lambda name: f"laid {name}")
    assert laid.game.laid_down("card") == "laid card"
    over = PlayerView(SYSTEM, "ford", None, 1, {"game/place": {"ended": True}})
    assert over.place == "the game is over" != view.place
    with pytest.raises(Refused):
        views.blank_state(SYSTEM, "ford flights=9")
    assert views.blank_state(SYSTEM, "ford").position.counters == {}
