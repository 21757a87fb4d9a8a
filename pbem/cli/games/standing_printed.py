"""The state of a game, printed and as data."""

from __future__ import annotations

from typing import Any

from pbem.cli.games.standing import PartyState, Standing
from pbem.cli.shell.console import bad, good, ready, result, strong
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.text.messages import Message, Worded


def tell(standing: Standing, *, brief: bool = False) -> None:
    """Print the state of a game; `brief`: in three lines."""
    ready(strong(safe(standing.title)))
    if brief:
        me = standing.me or Message("cli.status.a-reader")
        result(Message("cli.status.you-are-and-now", me=me, place=safe(standing.place)))
        owed = [Message("cli.next.you-owe", line=safe(line, 400)) for line in standing.mine]
        for sentence in (*owed, *standing.letters):
            result(sentence)
        return
    result(
        Message(
            "cli.status.you-are",
            game=standing.game[:12],
            scenario=safe(standing.scenario),
            me=standing.me or Message("cli.status.reader-without-private-side"),
        )
    )
    result(Message("cli.next.now", place=safe(standing.place)))
    for party in standing.parties:
        state = Worded(f"{spoken(party.state):<12}")
        words = Message("cli.status.party", words=safe(party.words, 300), came=safe(party.arrived))
        ready(f"  {party.id:<16} {bad(state) if party.awaited else good(state)} {spoken(words)}".rstrip())
        for step in party.steps:
            if step.command and step.what != "amend":  # dropping a player must never be a default
                ready(f"  {'':<16} {'':<12} {spoken(step.words)}: {step.command}")
    if standing.due:
        result(Message("cli.status.due", due=safe(standing.due), left=standing.left))
    for line in standing.warnings:
        result(bad(Message("cli.status.warning", line=safe(line, 400))))
    for line in standing.mine:
        result(Message("cli.next.you-owe", line=safe(line, 400)))
    for line in standing.letters:
        result(line)
    for seat, led in standing.powers.items():
        leads = Message("cli.status.leads", powers=tuple(led))
        ready(f"  {safe(seat):<16} {safe(spoken(leads), 400)}")
    for line in standing.ahead:
        result(Message("cli.status.ahead", line=safe(line, 400)))
    if standing.command:
        result(Message("cli.next.next-command", command=standing.command))


def data_of(standing: Standing) -> dict[str, Any]:
    """Return the state of a game for programs."""
    return {
        "title": standing.title,
        "game": standing.game or None,
        "scenario": standing.scenario,
        "me": standing.me,
        "stage": standing.stage,
        "place": standing.place,
        "finished": standing.finished,
        "parties": [_party(party) for party in standing.parties],
        "due": standing.due or None,
        "due_left": standing.left or None,
        "warnings": list(standing.warnings),
        "mine": list(standing.mine),
        "letters": list(standing.letters),
        "ahead": list(standing.ahead),
        "powers": {seat: list(led) for seat, led in standing.powers.items()},
        "next": standing.command or None,
        "awaited": standing.awaited,
    }


def _party(party_state: PartyState) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": party_state.id,
        "state": party_state.state,
        "awaited": party_state.awaited,
        "words": party_state.words,
    }
    shown["arrived"] = party_state.arrived or None
    if party_state.since is None:
        return shown
    steps = [
        {"what": step.what, "words": step.words, "command": step.command or None}
        for step in party_state.steps
    ]
    return {
        **shown,
        "since": party_state.since,
        "owes": list(party_state.owes),
        "reason": party_state.reason or None,
        "next": steps,
    }
