"""The state of a game, printed and as data."""

from __future__ import annotations

from typing import Any

from pbem.cli.games.standing import PartyState, Standing
from pbem.cli.shell.console import bad, good, ready, result, strong
from pbem.cli.shell.language import Told, spoken
from pbem.cli.shell.words import safe
from pbem.text.messages import Message


def tell(found: Standing, *, brief: bool = False) -> None:
    """Print the state of a game; `brief`: in three lines."""
    ready(strong(safe(found.title)))
    if brief:
        me = found.me or Message("cli.status.a-reader")
        result(Message("cli.status.you-are-and-now", me=me, place=safe(found.place)))
        owed = [Message("cli.next.you-owe", line=safe(line, 400)) for line in found.mine]
        for told in (*owed, *found.letters):
            result(told)
        return
    result(
        Message(
            "cli.status.you-are",
            game=found.game[:12],
            scenario=safe(found.scenario),
            me=found.me or Message("cli.status.reader-without-private-side"),
        )
    )
    result(Message("cli.next.now", place=safe(found.place)))
    for party in found.parties:
        state = Told(f"{spoken(party.state):<12}")
        words = Message("cli.status.party", words=safe(party.words, 300), came=safe(party.arrived))
        ready(f"  {party.id:<16} {bad(state) if party.awaited else good(state)} {spoken(words)}".rstrip())
        for step in party.steps:
            if step.command and step.what != "amend":  # dropping a player must never be a default
                ready(f"  {'':<16} {'':<12} {spoken(step.words)}: {step.command}")
    if found.due:
        result(Message("cli.status.due", due=safe(found.due), left=found.left))
    for line in found.warnings:
        result(bad(Message("cli.status.warning", line=safe(line, 400))))
    for line in found.mine:
        result(Message("cli.next.you-owe", line=safe(line, 400)))
    for line in found.letters:
        result(line)
    for seat, led in found.powers.items():
        leads = Message("cli.status.leads", powers=tuple(led))
        ready(f"  {safe(seat):<16} {safe(spoken(leads), 400)}")
    for line in found.ahead:
        result(Message("cli.status.ahead", line=safe(line, 400)))
    if found.command:
        result(Message("cli.next.next-command", command=found.command))


def data_of(found: Standing) -> dict[str, Any]:
    """Return the state of a game for programs."""
    return {
        "title": found.title,
        "game": found.game or None,
        "scenario": found.scenario,
        "me": found.me,
        "stage": found.stage,
        "place": found.place,
        "finished": found.finished,
        "parties": [_party(one) for one in found.parties],
        "due": found.due or None,
        "due_left": found.left or None,
        "warnings": list(found.warnings),
        "mine": list(found.mine),
        "letters": list(found.letters),
        "ahead": list(found.ahead),
        "powers": {seat: list(led) for seat, led in found.powers.items()},
        "next": found.command or None,
        "awaited": found.awaited,
    }


def _party(one: PartyState) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": one.id, "state": one.state, "awaited": one.awaited, "words": one.words}
    shown["arrived"] = one.arrived or None
    if one.since is None:
        return shown
    steps = [{"what": step.what, "words": step.words, "command": step.command or None} for step in one.steps]
    return {**shown, "since": one.since, "owes": list(one.owes), "reason": one.reason or None, "next": steps}
