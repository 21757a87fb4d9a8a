"""What a stage gave, in words and as data; for `pbem adjudicate` in a folder and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli._console import note, result
from pbem.cli._language import spoken
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive import StageResult


def told(done: StageResult, dry_run: bool, by_hand: bool = False) -> None:
    """What a run gave, or for whom it waits; `by_hand`: and the state file to go on with."""
    for text in done.refused:
        note(f"not counted: {safe(text, 400)}")
    if not done.done:
        note(f"stage {done.stage} waits, nothing was run or written:")
        for party, reason in done.missing.items():
            note(f"  {party}: {safe(spoken(reason))}")
        return
    if done.run is None:
        _without_run(done, dry_run)
        return
    what = "would go" if dry_run else "went"
    place = done.run.outcome.place or (
        "the end of the game" if done.finished else "the next step of the game"
    )
    result(f"stage {done.stage} {what} to: {place}")
    result(f"{counted(len(done.run.events), 'public event')}, head {done.run.head}")
    for party, fault in done.diagnostics:
        result(f"answer of {party} not used: {safe(fault.message)}")
    if done.finished:
        result("the game is over: `pbem unseal` opens what is left, `pbem verify` checks the whole")
    else:
        result(f"asked now: {', '.join(done.asked)}")
    state = state_file(done)
    if by_hand and state is not None:
        result(f"go on with {state}")
        note("the secrets stay where they are: name their folder with --private next time")
    if done.mail is not None:
        result(str(done.mail))
        note("mail it to everybody; the .eml beside it is ready to send")


def _without_run(done: StageResult, dry_run: bool) -> None:
    """A lock, or the start of a game of two: there is nothing to tell of the play."""
    if not done.locked:
        result("the game has begun: `pbem status`")
        return
    result(f"stage {done.stage} {'would be' if dry_run else 'is'} locked: what has come is what counts")
    if done.mail is not None:
        result(str(done.mail))
        note("mail it to everybody; when all links are here, adjudicate once more")


def state_file(done: StageResult) -> Path | None:
    """The whole state that was written; in a game with hidden units it lies in `private`."""
    found = [path for path in done.written if path.name == "state.yaml"]
    return next((path for path in found if path.parent.name == "private"), found[0] if found else None)


def data(done: StageResult) -> dict[str, Any]:
    """The same for programs."""
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
