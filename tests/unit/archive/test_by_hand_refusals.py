"""What a GM is told who adjudicates from files: a state that is none, odd orders, a side of another game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating import by_hand
from pbem.archive.adjudicating.by_hand import StateFile, adjudicate_files, side_of
from pbem.trust import statements
from pbem.trust.armour import Signed, write
from tests.unit.archive.games_at_points import Rooms
from tests.unit.archive.table import chooser, signer_of, statements_in
from tests.unit.archive.test_refusals import Block, Case, told


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Rooms:
    return Rooms(tmp_path_factory.mktemp("rooms"))


def whole(r: Rooms) -> Path:
    return r.later.gm.root / r.later.gm.folder.state_name


def state(r: Rooms, change: Callable[[Any], object]) -> Path:
    """The state with something changed, in a folder of its own."""
    place = r.place()
    place.mkdir()
    data = json.loads(whole(r).read_text())
    change(data)
    (place / "state.yaml").write_text(json.dumps(data))
    return place / "state.yaml"


def opened(r: Rooms, change: Callable[[Any], object]) -> StateFile:
    return StateFile.open(state(r, change))


def game(r: Rooms, **members: Any) -> StateFile:
    return opened(r, lambda data: data["game"].update(members))


def without(r: Rooms, name: str) -> StateFile:
    return opened(r, lambda data: data["game"].pop(name))


def text(r: Rooms, written: str) -> StateFile:
    path = state(r, lambda data: None)
    path.write_text(written)
    return StateFile.open(path)


def run(r: Rooms, *, signer: Any = None, side: Any = None, out: Path | None = None, **more: Any) -> Any:
    path = more.pop("path", None) or whole(r)
    seat = r.later.gm
    return adjudicate_files(
        StateFile.open(path),
        more.pop("orders", ()),
        out,
        side or side_of(path, seat.root),
        signer or seat.signer,
        dry_run=out is None,
        **more,
    )


def with_orders(r: Rooms) -> list[Path]:
    """The orders of all who are asked, as emails."""
    table = r.later.copy(r.place())
    return [seat.answer_all(chooser(1)) for seat in table.asked()]


def kept(r: Rooms, written: str | None) -> object:
    """The openings for a state that waits for one, as written beside it or in the GM's folder."""
    path = whole(r)
    if written is not None:
        path = state(r, lambda data: None)
        (path.parent / "kept.json").write_text(written)
    live: Any = SimpleNamespace(commit="ab" * 32, party="north", key="card")
    return by_hand._kept(path, side_of(whole(r), r.later.gm.root), [live])


def roster_of_nobody(data: Any) -> None:
    data["game"]["roster"]["parties"] = []


CASES: dict[str, Case] = {
    "no file": lambda r: StateFile.open(r.place() / "state.yaml"),
    "no state": lambda r: text(r, '{"format": 1}'),
    "a list": lambda r: text(r, "[]"),
    "the part for everybody": lambda r: StateFile.open(r.fog.gm.root / "state.yaml"),
    "an email": lambda r: text(r, with_orders(r)[0].read_text()),
    "nothing of the game": lambda r: opened(r, lambda data: data.pop("game")),
    "another member": lambda r: opened(r, lambda data: data.update(odd=1)),
    "no roster": lambda r: without(r, "roster"),
    "no head": lambda r: without(r, "head"),
    "no stage": lambda r: without(r, "stage"),
    "nobody is asked": lambda r: without(r, "asked"),
    "a head that is none": lambda r: game(r, head="xyz"),
    "a seed that is none": lambda r: game(r, seed="xyz"),
    "asked that is none": lambda r: game(r, asked=["north"]),
    "a roster of nobody": lambda r: opened(r, roster_of_nobody),
    "a game that is over": lambda r: game(r, asked={}),
    "no private side": lambda r: side_of(whole(r), r.place()),
    "a player's side": lambda r: side_of(whole(r), r.later.players["north"].root),
    "a side of another game": lambda r: run(r, side=side_of(whole(r), r.open.gm.root)),
    "another key": lambda r: run(r, signer=signer_of("eve")),
    "other rules": lambda r: r.other_rules(r.later.gm.folder) and run(r),
    "a game folder": lambda r: run(r, orders=with_orders(r), out=r.later.gm.root),
    "an order that is no file": lambda r: run(r, orders=[r.place() / "orders.txt"]),
    "a player who cannot forfeit": lambda r: run(r, forfeits=("emil",)),
    "an opening that nobody kept": lambda r: kept(r, None),
    "an opening that is not in the file": lambda r: kept(r, '{"north": {}}'),
    "openings that cannot be read": lambda r: kept(r, "{"),
    "openings that are none": lambda r: kept(r, '{"north": 1}'),
    "openings in a list": lambda r: kept(r, "[1]"),
    "an opening that is there": lambda r: kept(r, json.dumps({"north": {"ab" * 32: 1}})),
}


@pytest.mark.parametrize("title", CASES)
def test_what_does_not_fit_is_refused_with_a_reason(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, golden_block: Block, title: str
) -> None:
    rooms.patch = monkeypatch
    golden_block("refused-by-hand.txt", list(CASES), title, told(rooms, CASES[title]))


def test_what_counts_for_nothing_is_named(rooms: Rooms, tmp_path: Path) -> None:
    """Orders of another stage or by another key, what is no order, and what cannot be opened."""
    table = rooms.later.copy(rooms.place())
    seats = table.asked()
    mails = [seat.answer_all(chooser(1)) for seat in seats]
    first = statements_in(mails[0])[0]
    order = statements.parse(first.data)
    late = statements.build({**order.data, "stage": order.stage - 1})
    protest = statements.make(
        "protest", {"text": "No."}, game=order.game, sender=order.sender, stage=order.stage, prev=order.prev
    )
    signer = seats[0].signer
    paths = []
    for name, one, by in [
        ("late", late, [signer]),
        ("protest", protest, [signer]),
        ("unsigned", order, []),
        ("stranger", order, [signer_of("eve")]),
        ("both", order, [signer_of("eve"), signer]),
    ]:
        path = tmp_path / f"{name}.txt"
        path.write_text(write("", [Signed(one.bytes, tuple(key.sign(one.bytes) for key in by))]))
        paths.append(path)
    done = run(rooms, orders=[*paths[:4], *mails[1:]])
    assert not done.done and set(done.missing) == {seats[0].name}
    assert [line.partition(".txt")[0].rpartition("/")[2] for line in done.refused] == [
        path.stem for path in paths[:4]
    ]
    done = run(rooms, orders=[paths[4], *mails[1:]])
    assert done.done and done.refused == [] and done.run is not None
    missing = run(rooms, orders=mails[1:], forfeits=())
    assert set(missing.missing) == {seats[0].name} and missing.stage == order.stage
