"""The questions of players without a program: an email with numbered answers and a reply code.

`private/plain/lists.json` has what was sent: numbers mean the list of that email (protocol-letters 6).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.resolve import Question
    from pbem.trust.roster import Party

LISTS = "private/plain/lists.json"
MOST = 40
"""Answers that a list numbers; what has more is answered in words."""


@dataclass(frozen=True)
class Asked:
    """One question of a list: its answers by label, each also in words; no answers if it takes
    words.
    """

    key: str
    sentence: str
    answers: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Listed:
    """A list as it was sent: its number in the stage, the code, the head that it follows, its questions.

    `held`: the player has taken an answer back and has not given another.
    """

    stage: int
    number: int
    head: str
    code: str
    mail: str
    questions: tuple[Asked, ...] = ()
    held: bool = False

    @property
    def shown(self) -> str:
        """Return the code as the email has it: lists after the first of a stage are told apart."""
        return self.code if self.number == 1 else f"{self.code}-{self.number}"


def lists(root: Path) -> dict[str, Listed]:
    """Return the newest list of each player in a GM's folder."""
    try:
        data = json.loads((root / LISTS).read_bytes())
    except (OSError, ValueError):
        return {}
    listed = {}
    for party, entry in data.items():
        asked = tuple(Asked(**question) for question in entry.pop("questions"))
        listed[party] = Listed(**entry, questions=asked)
    return listed


def note(folder: Folder, party: str, listed: Listed) -> None:
    """Remember a list as sent."""
    from pbem.text.writing import write_all

    known = {**lists(folder.root), party: listed}
    data = {name: asdict(kept) for name, kept in sorted(known.items())}
    path = folder.root / LISTS
    write_all({path: json.dumps(data, indent=1).encode()}, private=[path])


def send_lists(folder: Folder) -> list[str]:
    """Write the questions of each player who answers by plain email, once; return the file names."""
    from pbem.stages import plain_replies

    if not folder.is_gm or folder.stage < 0 or folder.progress.over:
        return []
    writers = plain_replies.writers(folder.need_roster())
    return [
        name
        for party, entry in sorted(writers.items())
        if party in folder.progress.asked
        for name in send_list(folder, entry)
    ]


def send_list(folder: Folder, entry: Party, *, again: bool = False) -> list[str]:
    """Write the questions of one player; nothing if this list was sent already, unless it goes `again`."""
    from pbem.cli.post.proxied import held, opened

    if entry.id not in held(folder):
        return []
    other = opened(folder, entry.id)
    before = lists(folder.root).get(entry.id)
    now = _list(folder, other, entry)
    if before is not None and before.stage == now.stage:
        if not again and before.questions == now.questions:
            note(folder, entry.id, replace(before, head=now.head))
            return []
        now = replace(now, number=before.number + 1, held=before.held)
    if not now.questions:
        _ready(folder, other)
        return []
    note(folder, entry.id, now)
    return _write(folder, other, entry, now)


def _ready(folder: Folder, other: Folder) -> None:
    """Sign for a player who has nothing to decide, if the key needs no passphrase."""
    from pbem.archive import order_file, order_form, sign_orders
    from pbem.cli.post.proxied import hand_in
    from pbem.cli.shell.keys import key_at_hand

    signer = key_at_hand(other)
    if signer is None or not order_file.only_ready(other):
        return
    text = order_form.template(other, None)
    checked = order_file.check(other, order_file.load(other, text, Message("cli.plain.the-reply")))
    if checked.ok:
        sign_orders(other, checked, signer)
        other.refresh()
        hand_in(folder, other)


def _list(folder: Folder, other: Folder, entry: Party) -> Listed:
    from pbem.trust.commit import reply_code

    stage, game = folder.progress.open_stage, folder.need_roster().game_id
    code = reply_code(folder.private.gm_secret, game, stage, entry.id)
    asked = tuple(_asked(other, question) for question in _choices(other))
    return Listed(stage, 1, folder.progress.head, code, entry.mail.lower(), asked)


def _choices(other: Folder) -> list[Question]:
    from pbem.archive import order_file

    return order_file.choices(other)


def _asked(other: Folder, question: Question) -> Asked:
    """Return a question with its answers; what is a number itself is answered by that number."""
    from pbem.archive import order_file, order_form
    from pbem.cli.shell.language import code
    from pbem.text.flow import flow

    sentence = order_form.sentence(other.system, question, code())
    options = list(islice(order_file.options(other, question), MOST + 1))
    complete = [option for option in options if option.complete]
    if not complete or len(options) > MOST:
        return Asked(question.key, sentence)
    numbers = all(type(option.answer) is int for option in complete)
    labels = [flow(option.answer) if numbers else str(n) for n, option in enumerate(complete, 1)]
    words = [option.points.after(option.text) for option in complete]
    return Asked(
        question.key,
        sentence,
        dict(zip(labels, (option.answer for option in complete), strict=True)),
        dict(zip(labels, words, strict=True)),
    )


# --- the email ----------------------------------------------------------------------------------------------


def _write(folder: Folder, other: Folder, entry: Party, listed: Listed) -> list[str]:
    from pbem.archive import Changes, layout, outbox
    from pbem.mail.replies import ABOVE

    roster = folder.need_roster()
    name = f"stage-{listed.stage:04d}-{folder.need_me()}-questions-to-{entry.id}-{listed.number}"
    title = Message("cli.plain.your-question", count=len(listed.questions), code=listed.shown)
    lines = [
        Message("cli.plain.answer-above", mark=ABOVE),
        "",
        *outbox.heading(roster.terms.title, _lines(other, listed)),
        Worded(_report(other)),
    ]
    letter = outbox.Letter(
        name=name,
        subject=outbox.subject_of(roster, listed.stage, title),
        sender=roster.by_id[folder.need_me()],
        others=[entry],
        readable=lines,
        items=[],
        id=f"questions-{listed.head[:16]}-{entry.id}-{listed.number}",
        thread=roster.game,
    )
    file = f"{layout.OUTBOX}/{name}.eml"
    changes = Changes()
    changes.write(file, letter.eml(folder.say))
    with folder.working():
        folder.commit(changes)
    return [file]


def _lines(other: Folder, listed: Listed) -> list[str]:
    lines: list[str] = [Message("cli.plain.reply-code", code=listed.shown), ""]
    for asked in listed.questions:
        lines += [asked.sentence]
        lines += [f"  {label:>3}  {words}" for label, words in asked.words.items()]
        lines += [*_in_words(other, asked), ""]
    if all(asked.answers for asked in listed.questions):
        lines += [Message("cli.plain.answer-by-number", count=len(listed.questions)), ""]
    else:
        lines += [Message("cli.plain.answer-in-words"), ""]
    if other.system.standing_forms:
        lines += [Message("cli.plain.standing-below")]
    return [*lines, Message("cli.plain.what-happens-then")]


def _in_words(other: Folder, asked: Asked) -> list[str]:
    """Return how orders in words look, for a question whose answers are not all in the list."""
    from pbem.archive import order_form

    question = next(choice for choice in _choices(other) if choice.key == asked.key)
    examples = order_form.in_words(other.view(), question)
    return [Message("cli.plain.or-in-words"), *(f"       {line}" for line in examples)] if examples else []


def _report(other: Folder) -> str:
    """Return the player's own report of the newest stage."""
    from pbem.archive import layout, report_name

    for name in (report_name(other.stage, other.need_me()), f"{layout.stage_name(other.stage)}/report.txt"):
        try:
            return (other.root / name).read_text("utf-8")
        except OSError:
            continue
    return ""
