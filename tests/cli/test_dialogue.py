"""Asked on a terminal: what people type, how they stop in the middle, and what they find again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.archive import Folder, sign_orders
from pbem.cli.commands import join
from pbem.cli.games import next_orders, people
from pbem.cli.shell.keys import folder_key
from pbem.cli.writing.filling import filled, with_ahead
from pbem.cli.writing.orders import checked_file
from pbem.text.diagnostics import Refused
from tests import luck
from tests.cli.play import Ran, Table, order_file, pbem, tree


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Red has bid for two Player Turns and owes the first. Do not change it: copy it."""
    root = tmp_path_factory.mktemp("victory")
    with luck.drawn_for("a table for dialogues"):
        pbem("demo", "victory", "--play", "red", "--out", root / "game")
        pbem("-C", root / "game", "bid", "5")
    return root / "game"


class AtTable:
    """Red at the keyboard: `pbem next` with what he types; whatever he leaves out ends it as Ctrl-C does."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root, self.typed = root, []
        patch.setattr(next_orders, "asks", lambda: True)
        patch.setattr(click, "prompt", self._prompt)

    def _prompt(self, *_: Any, default: str = "", **__: Any) -> str:
        if not self.typed:
            raise click.Abort
        return self.typed.pop(0) or default

    typed: list[str]

    def next(self, *typed: str, code: int | None = None) -> Ran:
        self.typed = list(typed)
        return pbem("-C", self.root, "next", code=code)

    @property
    def file(self) -> str:
        (path,) = (self.root / "red" / "private").glob("orders-0002.yaml")
        return "\n".join(line for line in path.read_text().splitlines() if "#" not in line)


@pytest.fixture
def red(laid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AtTable]:
    shutil.copytree(laid, tmp_path / "game")
    yield AtTable(tmp_path / "game", monkeypatch)


def test_who_stops_in_the_middle_of_a_long_answer_goes_on_there(red: AtTable) -> None:
    stopped = red.next("R-AR2 Haska", "1", "R-IN2 march 0507")
    assert stopped.code == 1 and "stopped" in stopped.err
    again = red.next("d", "l", code=0)
    assert "so far:" in again.err and "3 lines" in again.err
    assert "unit: R-AR2" in red.file and "unit: R-IN2" in red.file
    assert not (red.root / "red" / "private" / "begun.json").exists()


def test_enter_alone_says_what_may_be_typed_and_signs_nothing(red: AtTable) -> None:
    said = red.next("", "", "")
    assert "q to stop without losing anything" in said.err
    assert not list((red.root / "red" / "outbox").glob("stage-0002-red-orders*"))


def test_an_order_in_plain_words_is_added_or_what_it_may_mean_is_listed(red: AtTable) -> None:
    said = red.next("R-AR2 march Haska", "d", "l", code=0)
    assert "added: R-AR2 march" in said.err and "0606" in red.file


def test_asked_again_a_long_answer_begins_with_what_is_there(red: AtTable) -> None:
    red.next("R-AR2 march Haska", "d", "l", code=0)
    red.next("a", "R-IN2 march 0507", "d", "l", code=0)
    assert "unit: R-AR2" in red.file and "unit: R-IN2" in red.file
    red.next("a", "b", "d", "l", code=0)
    assert "unit: R-AR2" in red.file and "unit: R-IN2" not in red.file


def test_what_must_stand_before_it_is_offered_where_a_unit_cannot_act_yet(red: AtTable) -> None:
    """From round 2 on a supply unit is revealed before anybody moves."""
    for _ in range(4):
        at = pbem("-C", red.root, "status", "--json").json
        if "Round 2" in at["place"] and any("player turn" in line for line in at["mine"]):
            break
        path = red.root / "red" / "private" / f"orders-{at['stage'] + 1:04d}.yaml"
        path.unlink(missing_ok=True)
        red.next("1", "d", "s", code=0)
    said = red.next("1", "R-AR1", "1", "R-AR1", "1", "d", "l", code=0)
    assert "it can after one of these" in said.err and "reveal R-SU" in said.err
    assert "added: R-AR1" in said.err


@pytest.mark.parametrize(
    ("text", "value", "wanted"),
    [
        ("answers:\n  # why\n  bid:\n\n# end\n", 2, "answers:\n  # why\n  bid: 2\n\n# end\n"),
        ("answers:\n  bid: 1   # not sure\nstanding: []\n", 2, "answers:\n  bid: 2\nstanding: []\n"),
        ("answers:\n  bid:\n    - {a: 1}\n    - {a: 2}\n\n# end\n", 3, "answers:\n  bid: 3\n\n# end\n"),
        ("answers:\nstage: 3\n", 1, None),
        ("answers: {bid: 1}\n", 2, None),
        (
            "answers:\n  bid:\n",
            {"choice": "turn", "moves": [{"unit": "A"}, {"unit": "B"}]},
            "answers:\n  bid:\n    choice: turn\n    moves:\n      - {unit: A}\n      - {unit: B}\n",
        ),
    ],
)
def test_an_answer_takes_the_place_of_the_one_before_and_nothing_else(
    text: str, value: Any, wanted: str | None
) -> None:
    if wanted is None:
        with pytest.raises(ValueError, match="no room"):
            filled(text, {"GT1/bid": value}, {"GT1/bid": ("bid",)})
    else:
        assert filled(text, {"GT1/bid": value}, {"GT1/bid": ("bid",)}) == wanted


def test_an_invitation_that_lies_here_is_answered_by_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody need know what it is called, that it is joined, or that one needs a key."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "gm-config"))
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "gm")
    who = ("--name", "Ann", "--mail", "ann@example.org", "--key", tmp_path / "gm")
    pbem("new", "primer/ford", tmp_path / "gm-game", *who)
    (invitation,) = (tmp_path / "gm-game" / "outbox").glob("*.pbem-invitation")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    bob = tmp_path / "bob"
    bob.mkdir()
    shutil.copy(invitation, bob / f"{invitation.name}.txt")  # as some browsers save it
    monkeypatch.chdir(bob)
    assert "found an invitation" in pbem().out
    for module in (join, people, next_orders):
        monkeypatch.setattr(module, "is_terminal", lambda: True, raising=False)
    monkeypatch.setattr(next_orders, "asks", lambda: True)
    typed = ["", "west", "NORTH", "Bob", "bob at home", "bob@example.org"]
    monkeypatch.setattr(click, "prompt", lambda *_, **__: typed.pop(0))
    said = pbem("next")
    assert "gm invites you" in said.err and "so `pbem` makes one" in said.err and typed == []
    (letter,) = bob.glob("*/outbox/join-north.eml")
    assert "ann@example.org" in said.err and str(letter) in said.out
    assert "found an invitation" not in pbem("-C", tmp_path / "home").out, "it is answered"


def test_what_was_proposed_and_not_mailed_can_be_taken_back(table: Table) -> None:
    north, south = table.players["north"], table.players["south"]
    propose = ("amend", "option", "answer_days=9", "--yes")
    north.pbem(*propose)
    assert "your signature under amendment" in north.pbem("undo", "--yes").out
    assert "amendment" not in north.pbem("status").out
    assert "nothing-to-undo" in north.pbem("undo", "--yes", code=1).err
    north.pbem(*propose)
    for mail in north.mails():
        south.pbem("receive", mail)
    south.pbem("amend", "sign", "--yes")
    assert "your signature under amendment" in south.pbem("undo", "--yes").out
    assert "amendment" in south.pbem("status").out, "the proposal of the other stays"
    assert "nothing-to-undo" in south.pbem("undo", "--yes", code=1).err
    south.pbem("amend", "sign", "--yes")


def test_the_roster_can_be_taken_back_until_somebody_has_it(tmp_path: Path) -> None:
    fresh = Table(tmp_path, "primer", ("north", "south"))
    fresh.join()
    fresh.post()
    gm, north = fresh.gm, fresh.players["north"]
    gm.pbem("sign", "--yes")
    assert "taken back: your signature under the roster" in gm.pbem("undo", "--yes").out
    assert "everyone has joined" in gm.pbem("status").out
    assert "nothing-to-undo" in gm.pbem("undo", "--yes", code=1).err
    gm.pbem("sign", "--yes")
    fresh.post()
    north.pbem("sign", "--yes")
    north.pbem("undo", "--yes")
    north.pbem("sign", "--yes")
    fresh.post()
    assert "others have signed it too" in gm.pbem("undo", "--yes", code=1).err


def test_answers_ahead_and_standing_orders_are_read_in_plain_words(red: AtTable) -> None:
    game = pbem("-C", red.root, "status", "--json").json["game"][:12]
    path = red.root / "red" / "private" / "orders-0002.yaml"
    path.write_text(f"""\
game: "{game}"
stage: 2
answers:
  turn-order:
    choice: turn
    moves: [r-ar2 march haska]
ahead:
  - turn-order pass
  - bid 3
  - {{decision: turn-order, when: {{round: 2}}, answer: {{choice: turn, moves: [r-in2 march 0507]}}}}
standing:
  - pass_from_round: 3
  - {{air_response: {{hex: tavo, units: [r-f1]}}}}
  - {{decision: turn-order, when: {{round: 4}}, answer: pass}}
""")
    said = pbem("-C", red.root, "orders", "check")
    assert "{choice: turn, moves: [{unit: R-IN2, kind: march, path: [" in said.out
    assert "bid" in said.out and "{choice: pass}" in said.out
    assert said.out.count("{choice: pass}") == 2
    assert 'air_response: {hex: "0707", units: [R-F1]}' in said.out


def test_orders_that_were_read_before_a_report_came_are_not_signed_for_the_next_stage(table: Table) -> None:
    """Two terminals: one waits at "sign?", in the other the report is taken in."""
    seat = next(one for one in table.players.values() if one.owes)
    option = seat.pbem("orders", "legal", "--json").json[0]
    path = seat.root / "private" / "read.yaml"
    path.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    waiting = Folder.open(seat.root)
    checked = checked_file(waiting, str(path))
    table.play_stage()
    before = tree(seat.root)
    with pytest.raises(Refused, match="stage-over"):
        sign_orders(waiting, checked, folder_key(waiting, None))
    assert tree(seat.root) == before


# ---- nothing more --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Aster is asked what he does in a reaction, and again after it. Do not change it: copy it."""
    root = tmp_path_factory.mktemp("ocs") / "game"
    with luck.drawn_for("a quiet turn"):
        pbem("demo", "ocs", "--play", "aster", "--out", root)
        for _ in range(6):
            if "nothing" in str(_offered(root)):
                return root
            pbem("-C", root, "orders", "new", "--force", code=None)
            path = next((root / "aster" / "private").glob("orders-*.yaml"))
            path.write_text(path.read_text().replace("first-player:", "first-player: second"), "utf-8")
            pbem("-C", root, "next", "--yes", code=None)
    raise AssertionError("no such question came")


def _offered(root: Path) -> Any:
    if not pbem("-C", root, "orders", "new", "--force", code=None).code:
        return pbem("-C", root, "orders", "ahead", code=None).err
    return None


def test_nothing_more_is_one_letter_for_all_questions_of_a_part_of_the_turn(
    quiet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "game"
    shutil.copytree(quiet, root)
    aster = AtTable(root, monkeypatch)
    told = aster.next("n", "l", code=0)
    assert "n Nothing more in Player Turn of " in told.err and "no action in" in told.err
    said = pbem("-C", root, "orders", "check").out
    assert said.count("no action: the segment ends") == 1 and "advance order actions-" in said
    stage = Folder(root / "aster").stage
    aster.next("s", code=0)
    assert Folder(root / "aster").stage > stage, "it is signed and played as if answered one by one"


def test_a_command_writes_nothing_more_into_the_file_once(quiet: Path, tmp_path: Path) -> None:
    root = tmp_path / "game"
    shutil.copytree(quiet, root)
    said = pbem("-C", root, "orders", "ahead")
    assert "Nothing more in Player Turn of" in said.err and "--nothing-more" in said.err
    told = pbem("-C", root, "orders", "ahead", "--nothing-more", "--json").json
    assert {"part", "answers", "ahead"} == {*told} and list(told["answers"].values()) == [{}]
    assert all(one["answer"] == {} and one["decision"] == "actions" for one in told["ahead"])
    path = max((root / "aster" / "private").glob("orders-*.yaml"))
    text = path.read_text()
    full = path.with_name("full.yaml")
    ahead = "ahead: [{decision: first-player, once: mine, answer: first}]"
    head = [line for line in text.splitlines() if line.startswith(("game:", "stage:"))]
    full.write_text("\n".join([*head, "answers: {}", ahead, ""]))
    refused = pbem("-C", root, "orders", "ahead", full, "--nothing-more", code=1)
    assert "error[no-room]" in refused.err and ahead in full.read_text()
    assert all(f"once: {one['once']}" in text for one in told["ahead"] if "once" in one)
    again = pbem("-C", root, "orders", "ahead", "--nothing-more", code=1)
    assert "error[nothing-follows]: there is nothing to skip here" in again.err and path.read_text() == text


def test_entries_of_ahead_are_put_behind_those_that_are_there() -> None:
    entry = {"decision": "actions", "once": "a-1-1", "answer": {}}
    more = {"decision": "actions", "once": "a-1-2", "answer": {}}
    text = "stage: 1\nanswers:\n  a: 1\n"
    once = with_ahead(text, [entry])
    assert once == text + "\nahead:\n  - {decision: actions, once: a-1-1, answer: {}}\n"
    twice = with_ahead(once + "# mine\nskip: true\n", [more])
    assert twice.index("a-1-1") < twice.index("a-1-2") < twice.index("# mine")
    with pytest.raises(ValueError, match="no room"):
        with_ahead("ahead: [{decision: actions, answer: {}}]\n", [entry])


def test_a_name_that_lacks_is_told_in_the_readers_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a game is known here, the name is looked up in it first; a new key is in none."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("ann", "bob"):
        pbem("key", "new", "--no-passphrase", "--file", tmp_path / name)
    ann = ("--name", "Ann", "--mail", "ann@example.org", "--key", tmp_path / "ann")
    pbem("new", "primer/ford", tmp_path / "game", *ann)
    bob = ("new", "primer/ford", tmp_path / "other", "--mail", "bob@example.org", "--key", tmp_path / "bob")
    assert "Missing option '--name'." in pbem(*bob, code=2).err
    assert "die Option '--name' fehlt" in pbem("--lang", "de", *bob, code=2).err
