"""What comes next: the order form offers it, `pbem orders ahead` goes through what follows from a file."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.ordering.order_form import template
from pbem.cli.games.table import Table as Bots
from pbem.engine.system import find
from tests.cli.play import Seat, Table


def to_the_moves(table: Table) -> Seat:
    """Card and bids are sent; the first player is to move."""
    while True:
        name = next(name for name, seat in table.players.items() if seat.owes)
        form = table.players[name].pbem("orders", "new", "-o", "-").out
        if "/next-move:" in form:
            return table.players[name]
        table.play_stage()


def written(seat: Seat, *lines: str) -> Path:
    """The form with the answer to its first question, and more lines at its end."""
    form = seat.pbem("orders", "new", "-o", "-").out
    key = next(line for line in form.splitlines() if line.endswith("/next-move:"))
    path = seat.root / "private" / "mine.yaml"
    path.write_text(form.replace(key, f"{key} {lines[0]}") + "\n".join(lines[1:]) + "\n", "utf-8")
    return path


def test_the_form_offers_what_the_rules_say_may_come_next(table: Table) -> None:
    form = to_the_moves(table).pbem("orders", "new", "-o", "-").out
    assert "#   - {decision: next-move, answer: {}}" in form.partition("# ahead:")[2]


def test_the_form_offers_the_questions_of_the_whole_turn_by_going_through_it(tmp_path: Path) -> None:
    parties = Bots(tmp_path, find("wbts"), "marl_crossings")
    parties.sit_down("Crossings")
    form = template(parties.seats["south"].folder).partition("# ahead:")[2]
    assert "# If you answer with the defaults, this comes next" in form
    for kind in ("command", "free-initiative", "leader-initiative", "combat-command", "cleanup"):
        assert f"#   - {{decision: {kind}, when: {{" in form
    assert "until: B, " in form, "it expires with the player turn"
    assert "before that, dice decide" in form


def test_what_follows_from_the_answers_is_listed_on_the_board_that_they_leave(table: Table) -> None:
    mover = to_the_moves(table)
    me = mover.status["me"]
    unit, to = {"north": ("n1", "0102"), "south": ("s1", "0103")}[me]
    path = written(mover, f'{{unit: {unit}, to: "{to}"}}')
    told = mover.pbem("orders", "ahead", path, "--json").json
    assert told[0]["kind"] == "next-move" and not told[0]["after_others"]
    answers = [one["answer"] for one in told[0]["answers"]]
    assert {} in answers and all(answer.get("unit") != unit for answer in answers)
    entry = told[0]["entry"]
    assert (entry["decision"], entry["until"]) == ("next-move", "P")


def test_a_line_of_it_can_be_pasted_and_answers_in_its_place(table: Table) -> None:
    mover = to_the_moves(table)
    me = mover.status["me"]
    unit, to, other = {"north": ("n1", "0102", "n2"), "south": ("s1", "0103", "s2")}[me]
    path = written(mover, f'{{unit: {unit}, to: "{to}"}}')
    listed = mover.pbem("orders", "ahead", path).lines
    line = next(line for line in listed if f"{{unit: {other}, " in line)
    path = written(mover, f'{{unit: {unit}, to: "{to}"}}', "ahead:", line)
    assert "(advance order next-move" in mover.pbem("orders", "check", path).out
    told = mover.pbem("orders", "ahead", path, "--json").json
    assert all(answer["answer"].get("unit") is None for answer in told[0]["answers"]), "both have moved"


def test_a_file_with_faults_is_refused_with_them(table: Table) -> None:
    mover = to_the_moves(table)
    ran = mover.pbem("orders", "ahead", written(mover, "{unit: nobody}"), code=1)
    assert "is not allowed here" in ran.err + ran.out


def test_who_is_not_asked_has_nothing_to_answer_ahead_here(table: Table) -> None:
    mover = to_the_moves(table)
    other = next(seat for seat in table.players.values() if seat.root != mover.root)
    assert "has no question in stage" in other.pbem("orders", "ahead", code=1).err


def test_in_fog_it_is_gone_through_on_what_the_player_knows(fog: Table) -> None:
    mover = to_the_moves(fog)
    me = mover.status["me"]
    unit, to = {"north": ("n1", "0102"), "south": ("s1", "0103")}[me]
    told = mover.pbem("orders", "ahead", written(mover, f'{{unit: {unit}, to: "{to}"}}'), "--json").json
    assert told[0]["kind"] == "next-move" and not told[0]["after_others"]


def test_there_is_nothing_to_take_back_before_anything_is_sent_ahead(table: Table) -> None:
    north = table.players["north"]
    before = sorted(north.root.glob("outbox/*"))
    said = north.pbem("orders", "withdraw", "--all", code=1)
    assert "error[nothing-waits]" in said.err
    assert sorted(north.root.glob("outbox/*")) == before
