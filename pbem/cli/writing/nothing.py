"""The offer "nothing more" for a part of the turn: its answers, and its lines in an order file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import spoken
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, NothingMore
    from pbem.engine.decisions import Decision
    from pbem.engine.game import Game


def offered(folder: Folder, path: Path) -> NothingMore | None:
    """Return what "nothing more" would answer after the answers in a file; None if that is nothing."""
    from pbem.archive import answers_ahead, nothing_more, order_file, row_entries
    from pbem.cli.writing.filling import data_of
    from pbem.cli.writing.orders import checked_file
    from pbem.engine.resolve import faults_of

    data = data_of(path)
    if data is None or folder.me not in folder.progress.asked:
        return None
    checked = checked_file(folder, str(path))
    if any(fault.severity == "error" and fault.code != "no-answer" for fault in checked.diagnostics):
        return None
    given = {key: answer.value for key, answer in checked.answers.items() if answer.question is not None}
    mine, others = row_entries.parted(data.get("ahead"), folder.progress.open_stage)

    def later(number: int, game: Game, decision: Decision[Any]) -> Any:
        value = mine[number]["answer"] if mine.get(number, {}).get("decision") == decision.kind else None
        return None if value is None or faults_of(game, decision, value) else value

    in_force, standing = answers_ahead.in_force(folder), data.get("standing")
    lasting = standing if isinstance(standing, list) else answers_ahead.lasting(in_force)
    waiting = [*lasting, *answers_ahead.waiting(in_force), *answers_ahead.waiting(others)]
    return nothing_more.nothing_more(folder, order_file.questions(folder), given, later, waiting)


def part_of(folder: Folder, rest: NothingMore) -> str:
    """Return the part of the turn in which nothing more is done, in the reader's words."""
    from pbem.cli.games.standing import place_in_words

    last = rest.steps[-1]
    if last.rest is not None:
        node = folder.system.outline.find(str(last.rest["until"]))
        name = node.label.partition("{")[0].rstrip(", ") if node is not None else ""
        if name:
            return spoken(name)
    return spoken(place_in_words(folder, rest.part))


def words_of(folder: Folder, rest: NothingMore) -> Message:
    """Return the offer as a line: the part of the turn, and how many questions it answers."""
    return Message(
        "cli.nothing.nothing-more",
        part=part_of(folder, rest),
        count=len(rest.steps),
        rest=rest.steps[-1].rest is not None,
    )


def entries_of(folder: Folder, rest_: NothingMore) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the answers to what is asked now, by key, and the entries of `ahead` for what follows."""
    from pbem.archive import row_entries

    stage = folder.progress.open_stage
    answers = {step.question.key: step.answer for step in rest_.steps if not step.number}
    rest = row_entries.rest_of(rest_, stage)
    ahead = [*row_entries.entries(rest_.steps, stage).values(), *([rest] if rest is not None else [])]
    return answers, ahead


def write(folder: Folder, path: Path, rest: NothingMore) -> None:
    """Put these answers into an order file; ValueError if it has no room for them."""
    from pbem.archive import order_file
    from pbem.cli.writing.filling import filled, names_of, with_ahead
    from pbem.text.writing import write_all

    answers, ahead = entries_of(folder, rest)
    called = {question.key: names_of(question) for question in order_file.questions(folder)}
    text = filled(path.read_bytes().decode("utf-8"), answers, called)
    write_all({path: with_ahead(text, ahead).encode()}, private=[path])
