"""Notes for named readers: who reads one, what each is told, and what is wrong with a view (letters 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.stages import named_readers
from pbem.stages.inputs import Opening, Order, Setting
from pbem.stages.named_readers import audience, of_orders, view_fault
from pbem.systems.diplomacy import SYSTEM
from pbem.trust import commit
from pbem.trust.readers import ForReaders, answer_key
from pbem.trust.roster import Roster
from tests.unit.archive.paper import last
from tests.unit.stages.desk import Desk, Shelf, roster_of

SEATS = ("aldar", "brenn", "corva", "dara")
NONCE = "1" * 64


def roster() -> Roster:
    return roster_of(players=SEATS)


def note(*to: str, text: str = "Hello") -> Any:
    return {"to": list(to), "text": text}


def test_a_note_is_for_its_author_the_game_master_and_whom_it_names() -> None:
    def read_by(value: Any, of: Roster | None = None) -> tuple[str, ...]:
        return audience(SYSTEM, of or roster(), "brenn", "note", value)

    alone = ("brenn", "gm")
    assert read_by(note("aldar")) == ("aldar", "brenn", "gm")
    assert read_by(note("corva", "aldar")) == ("aldar", "brenn", "corva", "gm")
    assert read_by(note("aldar", "corva", "dara")) == alone, "that would be everybody"
    assert read_by(note("nobody", "aldar")) == read_by({"text": "Hello"}) == read_by(5) == alone
    out = replace(roster(), dropped=frozenset({"aldar"}))
    assert read_by(note("aldar"), out) == read_by(note("aldar", "corva"), out) == alone
    assert read_by(note("corva"), out) == ("brenn", "corva", "gm")


def order_of(**values: Any) -> Order:
    commits = dict.fromkeys(values, "c" * 64)
    openings = {name: Opening(3, NONCE, value) for name, value in values.items() if value is not ...}
    return Order("5" * 64, commits=commits, openings=openings)


def test_the_notes_of_a_stage_are_sorted_by_who_reads_them() -> None:
    setting = Setting(SYSTEM, roster())
    orders = {
        "corva": order_of(note=note("brenn", text="three")),
        "aldar": order_of(note=note("brenn", text="one"), orders={"orders": []}),
        "brenn": order_of(note=note("corva", text="two")),
        "dara": None,
    }
    entries = of_orders(setting, orders)
    assert entries is not None
    assert [entry.audience for entry in entries] == [("aldar", "brenn", "gm"), ("brenn", "corva", "gm")]
    told: list[dict[str, Any]] = [dict(entry.facts) for entry in entries]
    first, second = (f"event/{'.'.join(entry.audience)}/0001" for entry in entries)
    assert [*told[0]] == [answer_key("aldar", "note"), first]
    assert [*told[1]] == [answer_key("brenn", "note"), answer_key("corva", "note"), second, f"{second[:-1]}2"]
    events = [value for table in told for key, value in table.items() if key.startswith("event/")]
    texts = [one["event"]["text"] for one in events]
    assert {one["after"] for one in events} == {0}
    assert texts == ["one", "two", "three"]
    assert entries[1].nonces == {"brenn": {"note": NONCE}, "corva": {"note": NONCE}}
    assert [(one.key, one.audience) for one in named_readers.as_facts(entries)][:2] == [
        (answer_key("aldar", "note"), entries[0].audience),
        (first, entries[0].audience),
    ]
    assert of_orders(setting, {**orders, "dara": order_of(note=...)}) is None, "one is not open here"
    assert of_orders(setting, {"dara": order_of(orders=...)}) == of_orders(setting, {}) == ()


def test_a_note_that_is_none_tells_nothing() -> None:
    (entry,) = of_orders(Setting(SYSTEM, roster()), {"aldar": order_of(note=5)}) or ()
    assert entry.audience == ("aldar", "gm") and dict(entry.facts) == {answer_key("aldar", "note"): 5}


def test_of_an_unseal_only_notes_are_for_readers() -> None:
    shown = {"note": Opening(3, NONCE, note("aldar")), "orders": Opening(3, NONCE, {})}
    assert named_readers.for_readers_alone(SYSTEM, {"a": shown, "b": {}}) == {
        "a": {"note": shown["note"]},
        "b": {},
    }


# --- a view of them -------------------------------------------------------------------------------------


class Told:
    """A stage in which aldar wrote a note to brenn, and brenn one to nobody."""

    def __init__(self) -> None:
        self.desk = Desk(roster(), 3)
        self.setting = Setting(SYSTEM, self.desk.roster)
        self.notes = {"aldar": note("brenn"), "brenn": note(text="Mine")}
        commits = {party: self.committed(party, value) for party, value in self.notes.items()}
        self.orders = {
            party: self.desk.says("order", party, {"orders": [], "commits": {"note": one}})
            for party, one in commits.items()
        }
        accepted: Any = {party: order.sid for party, order in self.orders.items()}
        kept = {party: ["note"] for party in self.orders}
        self.record = self.desk.played(accepted=accepted, kept=kept)
        given = {party: order_of(note=value) for party, value in self.notes.items()}
        self.entries = of_orders(self.setting, given) or ()

    def committed(self, party: str, value: Any) -> str:
        game, nonce = self.desk.roster.game_id, bytes.fromhex(NONCE)
        return commit.commitment(game, 3, party, "note", nonce, value).hex()

    def fault(self, *entries: ForReaders, me: str = "brenn", here: Any = None) -> str:
        shelf = Shelf(*(self.orders.values() if here is None else here))
        words = view_fault(self.setting, self.record, entries, me, shelf.find)
        return last(words or "")


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


def changed(entry: ForReaders, value: Any, party: str = "aldar") -> ForReaders:
    return replace(entry, facts={**entry.facts, answer_key(party, "note"): value})


def test_notes_that_were_committed_to_for_me_are_right(told: Told) -> None:
    to_me, mine = told.entries
    assert to_me.audience == ("aldar", "brenn", "gm") and mine.audience == ("brenn", "gm")
    assert told.fault(to_me, mine) == ""
    assert told.fault(me="corva") == "" and told.fault(to_me, me="aldar") == ""


def test_what_is_wrong_with_notes_is_named(told: Told) -> None:
    to_me, mine = told.entries
    assert told.fault(changed(to_me, note("brenn", text="Bye")), mine) == "does-not-fit"
    assert told.fault(to_me, mine, here=[told.orders["brenn"]]) == "does-not-fit"
    assert told.fault(to_me) == told.fault() == "mine-is-missing"
    event = next(key for key in to_me.facts if key.startswith("event/"))
    less = {key: value for key, value in to_me.facts.items() if key != event}
    assert told.fault(replace(to_me, facts=less), mine) == "other-events"
    wider = replace(to_me, audience=("aldar", "brenn", "corva", "gm"))
    assert told.fault(wider, mine) == "other-readers"
