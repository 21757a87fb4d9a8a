"""The commits of a game in git: the words for each stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, commits
    from pbem.cli.shell.git import Git


def shelved(folder: Folder, git: Git) -> commits.Shelved:
    """Commit what is new in a game folder, with the news of each stage."""
    from pbem.archive import shelve

    read = _Played(folder)
    return shelve(folder, git, lambda stage: _words(read, stage))


class _Played:
    """The events of each stage and the game turns that begin in them, each stage read once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        name, _, _ = folder.terms.scenario.name.partition(" ")
        self.labels = folder.system.labels(folder.system.scenario(name))
        self._turns: list[list[int]] = []

    def events(self, stage: int) -> list[Any]:
        from pbem.stages.views import told_to

        return [entry.event for entry in told_to(self.folder.events(stage), {})]

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
    headlines = [text for text in (words.headline(event) for event in events) if text]
    game = folder.need_roster().game
    facts = Message("cli.archive.game-stage-and-head", game=game, stage=stage, head=record.head)
    forfeits = [Message("cli.archive.deadline-passed", party=party) for party in record.forfeits]
    ended = max(before, default=None) if before and max(seen) > max(before) else None
    if stage > 0 and not record.asked and not record.amends:
        ended = max(seen, default=None)
    return commits.Words(
        subject, "\n".join([*dict.fromkeys(headlines), *map(spoken, (*forfeits, "", facts))]).strip(), ended
    )
