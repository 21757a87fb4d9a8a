"""The state of a game for the board: seats, deadlines, questions, draft, what signing would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken
from pbem.cli.web import asked, enclosed, signing
from pbem.cli.web.board import seat_name
from pbem.cli.web.data import row as rows
from pbem.cli.web.draft import OrderDraft
from pbem.cli.web.shown import faults, in_words
from pbem.cli.web.words import words

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.games.clock import Due
    from pbem.cli.games.standing import PartyState, Standing

Data = dict[str, Any]


def now(folder: Folder, read: Any = None) -> Data:
    """Return everything that the page shows beside the map. `read`: the last stage looked at."""
    from pbem.cli.games import clock
    from pbem.cli.games.standing import stand

    standing = stand(folder)
    due = clock.due_in(folder) if standing.due else None
    data: Data = {
        "stage": folder.progress.open_stage if folder.stage >= 0 else -1,
        "tag": asked.tag(folder),
        "title": spoken(standing.title),
        "place": spoken(standing.place),
        "over": standing.finished,
        "practice": signing.is_practice(folder),
        "gm": folder.acting,
        "me": _me(folder),
        "seats": [_seat(folder, party, standing, due) for party in standing.parties],
        "due": spoken(standing.due),
        "left": spoken(standing.left),
        "days": _days(due),
        "warnings": [spoken(line) for line in standing.warnings],
        "ready": False,
        "questions": [],
        "draft": None,
        "sign": None,
        "last": last_ordered(folder),
        "unread": _unread(folder, read),
        "letters": _new_letters(folder),
        "talks": _talks(folder),
    }
    if folder.stage >= 0 and folder.role == "player":
        data |= _mine(folder)
    return data


def _mine(folder: Folder) -> Data:
    """Return what a player owes and has written."""
    orders = OrderDraft(folder)
    row = orders.row.row
    steps = [step for step in (*row.steps, row.question) if step is not None and not step.number]
    checked = orders.checked()
    drawn = [step for step in steps if orders.answer(step.question) is not None]
    questions = [rows.step_data(orders, step) for step in steps]
    return {
        "ready": folder.me in folder.progress.asked
        and all(question["how"] == "program" for question in questions),
        "questions": questions,
        "draft": {
            "text": orders.text(),
            "elements": sum(len(question["elements"]) or 1 for question in questions if question["answered"]),
            "faults": faults(checked.diagnostics) if drawn else [],
            "moved": {id: at for question in questions for id, at in question["moved"].items()},
        },
        "sign": sign_data(orders),
        "enclosed": enclosed.enclosed(orders),
    }


def sign_data(orders: OrderDraft) -> Data:
    """Return what signing now would sign, what it leaves open, and what is signed already."""
    folder, say = orders.folder, words(code()).say
    row = orders.row.row
    checked = orders.checked()
    wrong = [fault for fault in checked.diagnostics if fault.severity == "error"]
    asked_now = folder.me in folder.progress.asked
    why = ""
    if not asked_now:
        why = say("board-sign-nothing-asked")
    elif row.question is not None and not row.question.number:
        why = say("board-sign-question-left", question=rows.sentence(orders, row.question))
    elif wrong:
        why = spoken(wrong[0].message)
    left = [row.question] if row.question is not None and row.question.number else []
    return {
        "may": asked_now and not why,
        "why": why,
        "locked": signing.locked(folder),
        "would": in_words(folder, orders.questions, checked.understood),
        "ahead": [rows.sentence(orders, step) for step in row.steps if step.number and step.how == "ahead"],
        "program": [
            f"{rows.sentence(orders, step)} {'; '.join(rows.said_of(step, step.answer))}".strip()
            for step in row.steps
            if step.how == "program"
        ],
        "open": [rows.sentence(orders, question) for question in left],
        "signed": spoken(signing.signed_here(folder)),
        "back": bool(signing.signed_here(folder)) or signing.can_take_back(folder),
    }


def last_ordered(folder: Folder) -> int:
    """Return the last stage whose report I have ordered on: the news since then are new to me."""
    from pbem.archive import since_answer

    if folder.stage < 1 or folder.me is None:
        return max(folder.stage, 0)
    stages = since_answer(folder.me, folder.record(folder.stage), folder.record)
    record = folder.record(folder.stage)
    first = stages[0] if stages else (folder.stage if record.accepted.get(folder.me) else 1)
    return first - 1


def _me(folder: Folder) -> Data | None:
    me = folder.me
    if me is None:
        return None
    party = folder.need_roster().by_id.get(me) if folder.roster is not None else None
    return {"id": me, "seat": seat_name(folder, me, code()), "name": party.name if party is not None else me}


def _seat(folder: Folder, party_state: PartyState, standing: Standing, due: Due | None) -> Data:
    party = folder.need_roster().by_id.get(party_state.id) if folder.roster is not None else None
    return {
        "id": party_state.id,
        "seat": seat_name(folder, party_state.id, code()),
        "name": party.name if party is not None else party_state.id,
        "you": party_state.id == folder.me,
        "awaited": party_state.awaited,
        "state": spoken(party_state.state),
        "words": spoken(party_state.words),
        "arrived": party_state.arrived,
        "since": party_state.since,
        "steps": [{"words": spoken(step.words), "command": step.command or ""} for step in party_state.steps],
        "due": spoken(standing.due) if party_state.awaited else "",
        "days": _days(due) if party_state.awaited else None,
    }


def _days(due: Due | None) -> int | None:
    """Return the days left until a deadline, below 0 after it; None if no date is known."""
    return None if due is None else (due.at.date() - due.now.date()).days


def _talks(folder: Folder) -> list[Data]:
    """Return to whom a message may go with the next email; nobody in a game against the computer."""
    from pbem.cli.web.addresses.at_letters import may, readers

    if (
        folder.roster is None
        or folder.unsigned()
        or signing.is_practice(folder)
        or not may(folder)["private"]
    ):
        return []
    return [{"id": reader, "seat": seat_name(folder, reader, code())} for reader in readers(folder)]


def _new_letters(folder: Folder) -> int:
    """Return how many letters of others were not read yet."""
    from pbem.archive import letters_kept

    return sum(not letter.read for letter in letters_kept.book(folder).values())


def _unread(folder: Folder, read: Any) -> list[int]:
    seen = read if isinstance(read, int) else -1
    return list(range(max(seen + 1, 0), folder.stage + 1))
