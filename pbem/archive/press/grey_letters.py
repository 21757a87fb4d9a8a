"""Grey letters: the GM sends on what somebody wrote, without saying who (protocol-letters 2.4).

They never go at once: the time would show who wrote them.
"""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.press import letter_writing as writing
from pbem.archive.press import letters_kept as kept
from pbem.stages import press
from pbem.stages.letters import Came
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer
from pbem.trust.letters import Content


@dataclass(frozen=True)
class PassedOn:
    """The emails with grey letters, and notes about letters that can no longer go."""

    files: list[Path]
    notes: tuple[str, ...] = ()
    count: int = 0


def pending(folder: Readable) -> list[Came]:
    """Return the letters that the GM has not sent on yet, by their commitments: that order tells nothing."""
    if not any(noted.grey for noted in kept.book(folder).values()):
        return []
    here = kept.letters(folder)
    done = {letter.statement.letter.grey for letter in here}
    grey = [letter for letter in here if letter.content is not None and letter.content.grey is not None]
    mine = [letter for letter in grey if letter.statement.sender != folder.me and _commit(letter) not in done]
    return sorted(mine, key=_commit)


def _commit(letter: Came) -> str:
    return letter.statement.letter.commits[letter.statement.letter.decision]


def pass_on(folder: Folder, signer: Signer) -> PassedOn:
    """Send every grey letter on as a letter of the GM's, with its author's commitment; only the GM can."""
    with folder.working():
        waiting = pending(folder) if folder.is_gm else []
        if not waiting:
            return PassedOn([])
        me, roster = writing.need_writer(folder, signer), folder.need_roster()
        files: list[Path] = []
        notes: list[str] = []
        for came in waiting:
            assert came.content is not None and came.content.grey is not None
            fault = press.on_fault(roster, came.statement.sender, came.content.grey)
            if fault is not None:
                notes.append(Message("archive.press.grey-letter-cannot-go", fault=fault))
                continue
            readers = None if came.content.grey == "public" else came.content.grey
            content = Content(came.content.text)
            here = kept.letters(folder)
            statement, shown = writing.made(folder, here, me, readers, content, _commit(came))
            by = Signed.by(signer, statement.bytes)
            changes = kept.keep(statement, by, shown)
            changes.update(kept.entered(folder, [(statement, content)], read=True))
            changes.update(writing.letter(roster, statement, by, content).changes(folder.say))
            files += folder.commit(changes)
        return PassedOn(files, tuple(notes), len(waiting) - len(notes))
