"""`pbem archive`: the game as a history in git."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.language import Command, code, spoken
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, commits


@click.command(cls=Command, help="cli.archive.help")
@click.option(
    "--merge",
    "other",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="cli.archive.option-merge",
)
@click.option("--bundle", metavar="FILE", type=click.Path(dir_okay=False), help="cli.archive.option-bundle")
@json_option
@in_folder
def command(folder: Folder, other: str | None, bundle: str | None, as_json: bool) -> None:
    from pbem.archive import merge, shelve
    from pbem.cli.games.bundle import write_bundle
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in
    from pbem.cli.shell.git import Git

    folder.need_me()
    taken = merge(folder, Path(other), renderer(letters_in(folder))) if other is not None else None
    git = Git(os.environ)
    read = _Played(folder)
    done = shelve(folder, git, lambda stage: _words(read, stage))
    data: dict[str, Any] = {
        "commits": [{"stage": stage, "commit": sha, "subject": text} for stage, sha, text in done.commits],
        "tags": done.tags,
        "merged": taken.data() if taken else None,
        "bundle": None,
    }
    lines = [f"{sha[:10]} {safe(text)}" for _, sha, text in done.commits] or [
        Message("cli.archive.nothing-is-new")
    ]
    notes = [*(taken.notes if taken else ()), *done.notes]
    if bundle is not None:
        file = Path(bundle).absolute()
        notes += write_bundle(folder, git, file, os.environ)
        data["bundle"] = str(file)
        lines.append(str(file))
    made(data, lines)
    for text in notes:
        note(safe(text, 400))
    if done.tags:
        note(Message("cli.archive.tags", count=len(done.tags), tags=tuple(done.tags)))


class _Played:
    """The events of each stage and the game turns that begin in them, each stage read once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.labels = [node.label for node in folder.system.outline.walk() if node.label]
        self._turns: list[list[int]] = []

    def events(self, stage: int) -> list[Any]:
        return [event for event in self.folder.events(stage) if isinstance(event, dict)]

    def turns(self, stages: int) -> list[int]:
        """Return the game turns of so many stages, in order."""
        from pbem.report import log

        while len(self._turns) < stages:
            self._turns.append(list(log.turns(self.events(len(self._turns)), self.labels)))
        return [turn for stage in self._turns[:stages] for turn in stage]


def _words(played: _Played, stage: int) -> commits.Words:
    """Return the message of a stage's commit, from its public events."""
    from pbem.archive import commits
    from pbem.cli.games.telling import words_of
    from pbem.report import log

    folder, labels, events = played.folder, played.labels, played.events(stage)
    words, record = words_of(folder.system, code(), quiet=True), folder.record(stage)
    seen, before = played.turns(stage + 1), played.turns(stage)
    now = max(seen, default=1 if stage > 0 else None)
    subject = log.subject(events, folder.need_roster().players, words, now, labels)
    told = [text for text in (words.headline(event) for event in events) if text]
    game = folder.need_roster().game
    facts = Message("cli.archive.game-stage-and-head", game=game, stage=stage, head=record.head)
    forfeits = [Message("cli.archive.deadline-passed", party=party) for party in record.forfeits]
    ended = max(before, default=None) if before and max(seen) > max(before) else None
    if stage > 0 and not record.asked and not record.amends:
        ended = max(seen, default=None)
    return commits.Words(
        subject, "\n".join([*dict.fromkeys(told), *map(spoken, (*forfeits, "", facts))]).strip(), ended
    )
