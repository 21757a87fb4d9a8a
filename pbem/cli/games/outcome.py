"""The result of a stage, in words and as data, for `pbem adjudicate` in a folder and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.console import note, result
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import StageResult


def told(done: StageResult, dry_run: bool, by_hand: bool = False) -> None:
    """Print the result of a run, or whom it waits for; `by_hand`: also the state file to continue with."""
    for text in done.refused:
        note(Message("cli.outcome.not-counted", text=safe(text, 400)))
    if not done.done:
        note(Message("cli.outcome.stage-waits", stage=done.stage))
        for party, reason in done.missing.items():
            note(f"  {party}: {safe(spoken(reason))}")
        return
    if done.run is None:
        _without_run(done, dry_run)
        return
    place = done.run.outcome.place or (
        Message("cli.outcome.end-of-the-game")
        if done.finished
        else Message("cli.outcome.next-step-of-the-game")
    )
    result(Message("cli.outcome.stage-went-to", stage=done.stage, dry_run=dry_run, place=place))
    result(Message("cli.outcome.public-events-and-head", count=len(done.run.events), head=done.run.head))
    for party, fault in done.diagnostics:
        result(Message("cli.outcome.answer-not-used", party=party, message=safe(fault.message)))
    if done.finished:
        result(Message("cli.outcome.game-is-over"))
    else:
        result(Message("cli.outcome.asked-now", asked=tuple(done.asked)))
    state = state_file(done)
    if by_hand and state is not None:
        result(Message("cli.outcome.go-on-with-state", state=state))
        note(Message("cli.outcome.secrets-stay-where-they-are"))
    if done.mail is not None:
        result(str(done.mail))
        note(
            Message("cli.mailing.mail-each-player-alone")
            if _goes_apart(done)
            else Message("cli.outcome.mail-it-to-everybody")
        )


def _goes_apart(done: StageResult) -> bool:
    """Return True if an email for each player was written, so that nobody reads another's address."""
    from pbem.archive import layout

    return any(path.parent.as_posix().endswith(f"/{layout.OWN_LETTERS}") for path in done.written)


def _without_run(done: StageResult, dry_run: bool) -> None:
    """Print a lock, or the start of a game of two, which have no events."""
    if not done.locked:
        result(Message("cli.outcome.game-has-begun"))
        return
    result(
        Message(
            "cli.outcome.stage-is-locked",
            stage=done.stage,
            dry_run=dry_run,
        )
    )
    if done.mail is not None:
        result(str(done.mail))
        note(Message("cli.outcome.mail-it-and-wait-for-links"))


def state_file(done: StageResult) -> Path | None:
    """Return the whole state that was written; with hidden units it is in `private`."""
    paths = [path for path in done.written if path.name == "state.yaml"]
    return next((path for path in paths if path.parent.name == "private"), paths[0] if paths else None)


def data(done: StageResult) -> dict[str, Any]:
    """Return the result for programs."""
    run = done.run
    return {
        "stage": done.stage,
        "done": done.done,
        "missing": dict(done.missing),
        "locked": done.locked,
        "finished": done.finished,
        "asked": done.asked,
        "place": run.outcome.place if run else None,
        "head": run.head if run else None,
        "refused": list(done.refused),
        "unused": [{"party": party, "message": fault.message} for party, fault in done.diagnostics],
        "mail": str(done.mail) if done.mail else None,
        "state": str(state_file(done)) if state_file(done) else None,
    }
