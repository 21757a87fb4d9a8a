"""Replies of players without a program: a number with its code is signed, all else waits for the GM.

A reply that waits is a file in `private/plain/`, with what was understood (protocol-letters 6).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.post.plain_lists import Listed, lists, note, send_list
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.mail.replies import Reply
    from pbem.trust.keys import Signer
    from pbem.trust.roster import Party

FOLDER = "private/plain"
SEEN = f"{FOLDER}/seen.json"
_REMEMBERED = 2000
_NO = frozenset(("no", "nein", "n", "stop", "falsch", "wrong"))
_STANDING = re.compile(r"(standing( orders?)?|dauerbefehle?)\s*:?", re.IGNORECASE)
"""A line of its own in a reply, above the list of standing orders."""
_LABELS = re.compile(r"[\s,;]+")
_END = " .!)"


@dataclass(frozen=True)
class Waits:
    """A reply that waits for the GM: whose, why, and what was understood of it.

    `answers` and `standing` are those for the order file; without any, `fault` says what could not be read.
    """

    party: str
    stage: int
    digest: str
    where: str
    why: str
    text: str
    answers: Mapping[str, Any]
    said: str
    fault: str
    standing: list[Any] | None = None

    @property
    def name(self) -> str:
        """Return how a command names it."""
        return self.digest[:8]

    @property
    def clear(self) -> bool:
        """Return True if it was understood, so that the GM can sign it."""
        return bool(self.answers) or self.standing is not None


def take(folder: Folder, replies: Iterable[Reply]) -> list[str]:
    """Take in the replies of players whose keys the GM holds, and return a line for each, in words."""
    from pbem.stages import plain_replies

    if not folder.is_gm or folder.stage < 0 or folder.progress.over:
        return []
    entries = {writer.mail.lower(): writer for writer in plain_replies.writers(folder.need_roster()).values()}
    lines: list[str] = []
    for reply in replies:
        entry = entries.get(reply.sender)
        if entry is not None and not _is_known(folder, reply.digest):
            lines.append(_taken(folder, entry, reply))
            _see(folder, reply.digest)
    return lines


def _taken(folder: Folder, entry: Party, reply: Reply) -> str:
    listed, text = lists(folder.root).get(entry.id), reply.said
    stage = folder.progress.open_stage
    if listed is None or listed.stage != stage or entry.id not in folder.progress.asked:
        return _keep(folder, entry, reply, Message("cli.plain.nothing-is-asked", party=entry.id))
    number = reply.names(listed.code)
    if number is None:
        return _keep(folder, entry, reply, Message("cli.plain.without-its-code"))
    if _word(text) in _NO:
        send_list(folder, entry, again=True)
        note(folder, entry.id, replace(lists(folder.root)[entry.id], held=True))
        return Message("cli.plain.taken-back", party=entry.id)
    answers = _by_labels(listed, text)
    if answers is None:
        return _keep(folder, entry, reply, Message("cli.plain.in-words"))
    if number != listed.number or listed.head != folder.progress.head:
        send_list(folder, entry, again=True)
        return Message("cli.plain.another-list", party=entry.id)
    before = _order(folder, entry.id)
    if before is not None and not listed.held:
        return _keep(folder, entry, reply, Message("cli.plain.a-second-reply"))
    meaning = "; ".join(_orders_in_words(listed, text))
    try:
        return _sign(folder, entry, answers, meaning, text)
    except PbemError as fault:
        return _keep(folder, entry, reply, str(fault))


def _word(text: str) -> str:
    return text.strip().strip(_END).casefold()


def _by_labels(listed: Listed, text: str) -> dict[str, Any] | None:
    """Return the answers that a reply of nothing but labels means: one for each question, in their order."""
    labels = _split(text)
    if len(labels) != len(listed.questions):
        return None
    pairs = list(zip(listed.questions, labels, strict=True))
    if any(label not in asked.answers for asked, label in pairs):
        return None
    return {asked.key: asked.answers[label] for asked, label in pairs}


def _split(text: str) -> list[str]:
    return [label.strip(_END) for label in _LABELS.split(text.strip()) if label.strip(_END)]


def _orders_in_words(listed: Listed, text: str) -> list[str]:
    return [
        f"{asked.sentence} {asked.words[label]}"
        for asked, label in zip(listed.questions, _split(text), strict=True)
    ]


def _order(folder: Folder, party: str) -> str | None:
    """Return the id of the order of a player for the current stage, if there is one."""
    statements = folder.statements(folder.progress.open_stage)
    return next(
        (
            statement.sid
            for statement, _ in statements
            if statement.type == "order" and statement.sender == party
        ),
        None,
    )


# --- signing ------------------------------------------------------------------------------------------------


def _sign(
    folder: Folder,
    entry: Party,
    answers: Mapping[str, Any],
    meaning: str,
    text: str,
    standing: list[Any] | None = None,
) -> str:
    """Sign for the player, hand it in and write the receipt."""
    from pbem.archive import sign_orders
    from pbem.cli.post.proxied import acting_for
    from pbem.trust.commit import plain_opening

    with acting_for(folder, entry.id) as other:
        checked = checked_answers(other, answers, standing)
        if not checked.ok:
            raise Refused([fault for fault in checked.diagnostics if fault.severity == "error"])
        shown = plain_opening(meaning, text)
        sign_orders(other, checked, signer_of(other), shown)
    sid = _newest(folder, entry.id, "standing" if checked.only_standing else "order")
    _keep_opening(folder, other, sid)
    listed = lists(folder.root).get(entry.id)
    if listed is not None:
        note(folder, entry.id, replace(listed, held=False))
    _receipt(folder, entry, sid, meaning)
    return Message("cli.plain.signed", party=entry.id, said=meaning)


def signer_of(other: Folder) -> Signer:
    """Return the key of a player whose folder is here; Refused if it is not at hand."""
    from pbem.cli.shell.keys import key_at_hand

    signer = key_at_hand(other)
    if signer is None:
        raise Refused(Diagnostic("no-key", Message("cli.plain.key-is-not-at-hand", party=other.me)))
    return signer


def _newest(folder: Folder, party: str, kind: str) -> str:
    """Return the id of a player's newest statement of a type for the current stage."""
    mine = [
        statement for statement in folder.of(folder.progress.open_stage, kind) if statement.sender == party
    ]
    return max(mine, key=lambda statement: statement.rev).sid


def _keep_opening(folder: Folder, other: Folder, sid: str) -> None:
    """Copy what opens the commitment into the GM's folder, whose `unseal` opens it."""
    from pbem.archive import Changes, private_side

    name = private_side.plain_name(sid)
    changes = Changes()
    changes.write(name, (other.root / name).read_bytes())
    with folder.working():
        folder.commit(changes)


def checked_answers(other: Folder, answers: Mapping[str, Any], standing: list[Any] | None = None) -> Checked:
    """Return the result of checking answers as an order file; questions with one legal answer get
    it.

    `standing` is a new list of standing orders. With it and no answers, the list alone is checked.
    """
    from pbem.archive import order_file
    from pbem.cli.writing import spelling

    view = other.view()
    only = {question.key: order_file.by_program(view, question) for question in order_file.questions(other)}
    forced = {key: entry.answer for key, entry in only.items() if entry is not None}
    data: dict[str, Any] = {
        "game": other.need_roster().game[: order_file.LABEL],
        "stage": other.progress.open_stage,
    }
    if answers or standing is None:
        data["answers"] = {**forced, **answers}
    if standing is not None:
        data["standing"] = standing
    document = order_file.load(other, json.dumps(data), Message("cli.plain.the-reply"))
    checked = order_file.check(other, document)
    return checked if checked.ok else spelling.tried(other, document, checked)


# --- what waits for the GM ----------------------------------------------------------------------------------


def _keep(folder: Folder, entry: Party, reply: Reply, why: str) -> str:
    """Keep a reply for the GM, with what was understood."""
    from pbem.cli.post.proxied import held, opened
    from pbem.text.writing import write_all

    answers: dict[str, Any] = {}
    standing: list[Any] | None = None
    meaning = fault = ""
    stage, text = folder.progress.open_stage, reply.said
    listed = lists(folder.root).get(entry.id)
    if listed is not None and listed.stage != stage:
        listed = None
    numbers = _by_labels(listed, text) if listed is not None else None
    if listed is not None and numbers is not None:
        answers, meaning = numbers, "; ".join(_orders_in_words(listed, text))
    elif entry.id in held(folder):
        answers, standing, meaning, fault = understood(opened(folder, entry.id), listed, text)
    waits = Waits(entry.id, stage, reply.digest, reply.where, why, text, answers, meaning, fault, standing)
    path = folder.root / FOLDER / f"waits-{waits.name}.json"
    write_all({path: json.dumps(asdict(waits), indent=1).encode()}, private=[path])
    return Message("cli.plain.waits", party=entry.id, why=why, name=waits.name)


def understood(
    other: Folder, listed: Listed | None, text: str
) -> tuple[dict[str, Any], list[Any] | None, str, str]:
    """Return the answers and the standing orders in a reply, what they mean, and what could not be read.

    `listed` has the labels of the current stage.
    """
    lines, below = _parted(text)
    faults: list[str] = []
    try:
        standing = None if below is None else _read_list(below)
    except PbemError as refused:
        return {}, None, "", str(refused)
    labelled = _by_labels(listed, " ".join(lines)) if listed is not None and lines else None
    ways = [labelled] if labelled is not None else _ways(other, lines, alone=standing is not None)
    for answers in ways:
        try:
            checked = checked_answers(other, answers, standing)
        except Refused as refused:
            faults.append(refused.diagnostics[0].message)
            continue
        if checked.ok:
            value = {key: answer.value for key, answer in checked.answers.items() if key in answers}
            return value, standing, "; ".join(line.strip() for line in checked.understood), ""
        faults += [fault.message for fault in checked.diagnostics if fault.severity == "error"]
    return {}, None, "", faults[-1] if faults else Message("cli.plain.nothing-to-read")


def _parted(text: str) -> tuple[list[str], list[str] | None]:
    """Return the lines of answers, and the lines below the heading of standing orders, if it is there."""
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    at = next((n for n, line in enumerate(lines) if _STANDING.fullmatch(line.strip())), None)
    answers = [line.strip().removeprefix("-").strip() for line in lines[:at]]
    return answers, None if at is None else lines[at + 1 :]


def _read_list(lines: list[str]) -> list[Any]:
    """Return a list of standing orders as an order file has it: an entry a line, or as YAML."""
    from pbem.text.loading import load_data

    if not any(line.lstrip().startswith("-") for line in lines):
        lines = [f"- {line.strip()}" for line in lines]
    text = "\n".join(["standing:" if lines else "standing: []", *(f"  {line}" for line in lines)])
    data = load_data(text, Message("cli.plain.the-reply"))["standing"]
    return data if isinstance(data, list) else [data]


def _ways(other: Folder, lines: list[str], *, alone: bool) -> Iterator[dict[str, Any]]:
    """Yield what the lines of a reply may answer; with standing orders `alone` nothing need be answered."""
    from pbem.archive import order_file

    asked = order_file.choices(other)
    if not lines and alone:
        yield {}
    if not asked or not lines:
        return
    first = asked[0].key
    if len(lines) == 1:
        yield {first: lines[0]}
    yield {first: lines}
    yield from ({first: answer} for answer in _under(other, lines))
    if len(lines) == len(asked) > 1:
        yield {question.key: line for question, line in zip(asked, lines, strict=True)}


def _under(other: Folder, lines: list[str]) -> list[dict[str, Any]]:
    """Return the lines below each list that a long answer to the first question has."""
    from pbem.archive import order_file
    from pbem.cli.writing.legal import openers

    drafting = order_file.drafting(other, order_file.choices(other)[0])
    entries: list[dict[str, Any]] = []
    for opener in openers(drafting) if drafting is not None else ():
        begun = drafting.json_with(opener) if drafting is not None else None
        if isinstance(begun, dict):
            lists_ = [name for name, part in _lists_of(other, begun).items() if part == "array"]
            entries += [{**begun, name: lines} for name in lists_]
    return entries


def _lists_of(other: Folder, begun: Mapping[str, Any]) -> dict[str, str]:
    from pbem.archive import order_file
    from pbem.model.codec import schema_of

    question = order_file.choices(other)[0]
    view = other.view()
    decision = view.system.decision(question.kind, question.party, question.fields)
    parts = schema_of(decision.answer).get("properties", {})
    return {name: str(part.get("type", "")) for name, part in parts.items() if begun.get(name) in (None, [])}


def waiting(root: Path) -> list[Waits]:
    """Return the replies that wait for the GM, by name."""
    replies = []
    for path in sorted((root / FOLDER).glob("waits-*.json")):
        try:
            replies.append(Waits(**json.loads(path.read_bytes())))
        except (OSError, ValueError, TypeError):
            continue
    return replies


def named(folder: Folder, name: str) -> Waits:
    """Return a reply that waits; Refused if there is none of this name."""
    for reply in waiting(folder.root):
        if reply.name == name:
            return reply
    known = tuple(reply.name for reply in waiting(folder.root))
    raise Refused(Diagnostic("no-reply", Message("cli.plain.no-such-reply", name=name, known=known)))


def accept(folder: Folder, reply: Waits) -> str:
    """Sign a reply that the GM has looked at; Refused if nothing was understood, or its stage is over."""
    if reply.stage != folder.progress.open_stage:
        raise Refused(Diagnostic("stage-over", Message("cli.plain.its-stage-is-over", stage=reply.stage)))
    if not reply.clear:
        raise Refused(Diagnostic("not-understood", Message("cli.plain.not-understood", fault=reply.fault)))
    entry = folder.need_roster().by_id[reply.party]
    signed = _sign(folder, entry, reply.answers, reply.said, reply.text, reply.standing)
    drop(folder, reply)
    return signed


def drop(folder: Folder, reply: Waits) -> None:
    """Forget a reply that waits."""
    (folder.root / FOLDER / f"waits-{reply.name}.json").unlink(missing_ok=True)


def held_back(folder: Folder) -> list[str]:
    """Return what keeps the current stage from being run unattended, in words."""
    if folder.stage < 0 or not (folder.root / FOLDER).is_dir():
        return []
    stage = folder.progress.open_stage
    back = [
        Message("cli.plain.has-taken-back", party=party)
        for party, listed in lists(folder.root).items()
        if listed.held and listed.stage == stage
    ]
    waits = [
        Message("cli.plain.reply-waits", party=reply.party, name=reply.name)
        for reply in waiting(folder.root)
        if reply.stage == stage
    ]
    return [*back, *waits]


# --- the receipt --------------------------------------------------------------------------------------------


def _receipt(folder: Folder, entry: Party, sid: str, meaning: str) -> None:
    """Write to the player what was understood."""
    from pbem.archive import Changes, layout, outbox

    roster, stage = folder.need_roster(), folder.progress.open_stage
    listed = lists(folder.root)[entry.id]
    words = [
        Message("cli.plain.understood"),
        "",
        *(f"  {line}" for line in meaning.split("; ")),
        "",
        Message("cli.plain.if-that-is-wrong", code=listed.shown),
    ]
    name = f"{_receipts(stage)}{entry.id}-{sid[:8]}"
    title = Message("cli.plain.receipt", code=listed.shown)
    letter = outbox.Letter(
        name=name,
        subject=outbox.subject_of(roster, stage, title),
        sender=roster.by_id[folder.need_me()],
        others=[entry],
        readable=outbox.heading(roster.terms.title, words),
        items=[],
        id=f"receipts-{sid[:24]}",
        thread=roster.game,
    )
    changes = Changes()
    changes.write(f"{layout.RECEIPTS}/{name}.eml", letter.eml(folder.say))
    with folder.working():
        folder.commit(changes)


def _receipts(stage: int) -> str:
    return f"stage-{stage:04d}-plain-"


def receipts_wait(folder: Folder) -> bool:
    """Return True if a player has not been told yet what was understood in the current stage."""
    from pbem.archive import waiting_letters

    if folder.stage < 0 or not (folder.root / FOLDER).is_dir():
        return False
    start = f"outbox/receipts/{_receipts(folder.progress.open_stage)}"
    letters = waiting_letters.letters(folder, waiting_letters.book(folder))
    return any(letter.name.startswith(start) and letter.goes for letter in letters)


# --- each reply once ----------------------------------------------------------------------------------------


def _known(folder: Folder) -> list[str]:
    try:
        return list(json.loads((folder.root / SEEN).read_bytes()))
    except (OSError, ValueError):
        return []


def _is_known(folder: Folder, digest: str) -> bool:
    return digest in _known(folder)


def _see(folder: Folder, digest: str) -> None:
    from pbem.text.writing import write_all

    path = folder.root / SEEN
    write_all({path: json.dumps([*_known(folder), digest][-_REMEMBERED:]).encode()}, private=[path])
