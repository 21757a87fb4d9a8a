"""What people type on a terminal and in order files, and how the program answers, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests import luck
from tests.cli.conftest import _here  # noqa: F401
from tests.golden.at_a_desk import Terminal

FILE = "game/red/private/orders-0002.yaml"
SU2_MOVES = "{choice: turn, moves: [{unit: R-SU2, kind: march, path: ['0502', '0402']}]}"


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def write(at: Terminal, moves: str = "[]", answers: str = "", rest: str = "") -> None:
    """Write an order file with some moves of a player turn, or other answers, and what else there is."""
    game = json.loads(at.quietly("-C", "game", "status", "--json"))["game"][:12]
    answers = answers or f"turn-order:\n    choice: turn\n    moves: {moves}"
    (at.root / FILE).write_text(f'game: "{game}"\nstage: 2\nanswers:\n  {answers}\n{rest}', "utf-8")


def a_turn_is_typed(at: Terminal) -> None:
    """Each letter, a unit, a place, both, words, nonsense; it is left, taken up again and left."""
    keys = ("?", "u", "=", "", "R-AR2", "Haska", "R-AR2 Haska", "R-AR2 0101", "xx", "r-ar9", "in3 march")
    at.says("game", "next", typed=typed(*keys))
    more = ("1", "99", "0", "R-AR2 march Haska", "R-IN2 march", "R-IN2", "d", "x", "l")
    at.says("game", "next", typed=typed(*more))
    at.shows(FILE, r"^[^#]*$")
    at.says("game", "next", typed=typed("a", "=", "b", "=", "R-IN1", "3", "q"))
    at.says("game", "next", typed=typed("SHOW", "back", "e"), EDITOR="true")
    at.says("game", "next", typed=typed("a", "", "n", "done", "L"))
    at.says("game", "next", "--editor", typed=typed("l"), VISUAL="vim-that-is-not-there -x")
    at.shows(FILE, r"^[^#]*$")
    at.says("game", "--lang", "de", "next", typed=typed("a", "R-SU2", "u", "b", "Haska", "xx", "1", "d", "l"))


def words_are_read(at: Terminal) -> None:
    """An order file in words: other spellings, names, what may be several things, what is nothing."""
    for moves in (
        "[r-ar2 march haska]",
        "[r-ar1 march dron]",
        "[R-AR2 march]",
        "[R-AR2 to Haska]",
        "[IN1 road_strat Velm]",
        "[R-XX9 march 0405, march, in3 sail 0601]",
        "[R-BB1 sail 0601, 'R-SS1: sail, (0602).', r-f1 rebase velm]",
        "R-AR2 to Haska",
        "[{unit: r-ar2, kind: March, path: [0405, haska]}, {unit: R-AR1, kind: fly, path: [0305]}]",
        "[{unit: R-AR2, kind: march, path: 0405 > 0506 > haska}, {unit: armour, kind: march, path: [x]}]",
        "[{unit: R-AR2, kind: march, path: 0405-xx}, {unit: AR2, kind: march, path: []}]",
    ):
        write(at, moves)
        at.says("game", "orders", "check", files=False)
        at.lines[-1:] = [at.lines[-1], f"  ({moves})"]
    at.says("game", "orders", "check", "--concise")
    write(at, "[r-ar2 march haska]")
    at.says("game", "orders", "check", "--json")


def answers_are_read(at: Terminal) -> None:
    for answer in ("pass", "turn", "trun", "{choise: turn}", "7", "[]", "", "{choice: [turn]}"):
        write(at, answers=f"turn-order: {answer}")
        at.says("game", "orders", "check", files=False)
        at.lines.append(f"  ({answer})")
    ahead = ("turn-order pass", "bid 3", "bid: 3", "bid", "sleep 3", "bid many", "7", "turn-order dance")
    write(at, answers="turnorder: pass", rest="ahead:\n" + "".join(f"  - '{entry}'\n" for entry in ahead))
    at.says("game", "orders", "check")
    rest = "- pass_from_round: 3\n- {air_response: {hex: tavo, units: [r-f1]}}\n- turn-order turn\n"
    write(at, answers="turn-order: turn", rest=f"standing:\n{rest}")
    at.says("game", "orders", "check")
    at.says("game", "--lang", "de", "orders", "check")
    at.says("game", "orders", "ahead")
    at.says("game", "orders", "ahead", "--dice", "high", "--json")
    at.says("game", "--lang", "de", "orders", "ahead")


def the_legal_is_listed(at: Terminal) -> None:
    at.says("game", "orders", "legal")
    for named in ("turn-order", "R-BB1", "Velm", "0101", "R-XX1", "turnorder", "in3", "Orsk", "bid"):
        at.says("game", "orders", "legal", named)
    for pair in (("r-in3", "0507"), ("r-in3", "velm"), ("Orsk", "Haven"), ("R-AR2", "0101"), ("R-AR2", "x")):
        at.says("game", "orders", "legal", *pair)
    at.says("game", "orders", "legal", "--after", "{choice: turn}", "R-SU1")
    at.says("game", "orders", "legal", "--after", "{choice: turn, moves: [", "R-SU1")
    at.says("game", "orders", "legal", "--after", SU2_MOVES, "R-SU2")
    at.says("game", "orders", "legal", "--after", SU2_MOVES, "R-HB1", "--json")
    at.says("game", "orders", "legal", "R-SS1", "0601", "--json")
    at.says("game", "--lang", "de", "orders", "legal", "R-SU2")
    at.says("game", "--lang", "de", "orders", "legal", "R-XX1")


def facts_are_listed(at: Terminal) -> None:
    at.says("game", "orders", "facts")
    for words in (("su", "red"), ("turn-order",), ("air", "attacker"), ("initiative", "--json")):
        at.says("game", "orders", "facts", *words)


def files_are_written(at: Terminal) -> None:
    """Order files to fill in, here and elsewhere, in both languages; what is there stays."""
    at.says("game", "orders", "new", "--force")
    at.shows(FILE)
    at.says("game", "orders", "new")
    at.says("game", "orders", "new", "--out", "red.yaml")
    at.says("game", "--lang", "de", "orders", "new", "--out", "-")
    at.says("game", "orders", "check", "red.yaml")


SCENES = [
    a_turn_is_typed,
    words_are_read,
    answers_are_read,
    the_legal_is_listed,
    facts_are_listed,
    files_are_written,
]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """Red has bid for five player turns and owes the first; each scene signs nothing."""
    with pytest.MonkeyPatch.context() as patch:
        terminal = Terminal(tmp_path_factory.mktemp("typed"), patch, "game/red", "config")
        with luck.drawn_for("what is typed"):
            terminal.quietly("demo", "victory", "--play", "red", "--out", "game")
            terminal.quietly("-C", "game", "bid", "5")
        yield terminal


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_what_is_typed_is_answered(
    at: Terminal, scene: Callable[[Terminal], None], golden: Callable[[str, str], None]
) -> None:
    (at.root / FILE).unlink(missing_ok=True)
    at.forget()
    scene(at)
    golden(f"typed-{scene.__name__}.txt", "\n".join(at.lines).lstrip() + "\n")
