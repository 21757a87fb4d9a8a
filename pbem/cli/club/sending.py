"""Sending what waits, for all games: one connection for all that are sent in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.club.games import name_of
from pbem.cli.club.receiving import broken_data, is_busy, open_folder, reason_of, tell_broken
from pbem.cli.post.handing import Handed, carrier, hand_over, show
from pbem.cli.post.letters import begin
from pbem.cli.post.mail import settings_at
from pbem.cli.shell.console import note, print_json, ready, result, strong
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Waiting
    from pbem.mail.carriers import Carrier
    from pbem.mail.settings import Out


@dataclass
class Sending:
    """The result of sending for all games.

    `would` is what would go, `left` what its owner is asked about, `waits` where no settings say how. In a
    `busy` game another command is at work. `roots` are all games looked at.
    """

    roots: list[Path] = field(default_factory=list)
    handed: dict[Path, list[Handed]] = field(default_factory=dict)
    would: dict[Path, list[Waiting]] = field(default_factory=dict)
    left: dict[Path, list[Waiting]] = field(default_factory=dict)
    waits: list[Path] = field(default_factory=list)
    broken: dict[Path, str] = field(default_factory=dict)
    busy: set[Path] = field(default_factory=set)

    @property
    def good(self) -> bool:
        """Return True if everything that waited has left."""
        sent = all(letter.good for listed in self.handed.values() for letter in listed)
        return sent and not (self.left or self.broken or self.waits)


def send_all(roots: Iterable[Path], named: str | None = None, *, dry_run: bool = False) -> Sending:
    """Send what waits in each game; one that fails does not stop the others."""
    done = Sending()
    ways: dict[Any, Carrier] = {}
    try:
        for root in roots:
            done.roots.append(root)
            try:
                _send(root, named, done, ways, dry_run=dry_run)
            except Exception as fault:  # one broken game must not stop the others
                done.broken[root] = reason_of(fault)
                if is_busy(fault):
                    done.busy.add(root)
    finally:
        for way in ways.values():
            way.close()
    return done


def _send(root: Path, named: str | None, done: Sending, ways: dict[Any, Carrier], *, dry_run: bool) -> None:
    from pbem.archive import one_command, waiting_letters

    folder = open_folder(root)
    with one_command.hold(root, one_command.MAIL):
        ledger = waiting_letters.book(folder)
        letters = waiting_letters.letters(folder, ledger)
        chosen = [letter for letter in letters if letter.goes]
        left = [letter for letter in letters if letter.state == "unsure" and not letter.goes]
        if left:
            done.left[root] = left
        if dry_run or not chosen:
            done.would |= {root: chosen} if chosen else {}
            return
        out = settings_at(root, named).out
        if out is None:
            done.waits.append(root)
            return
        begin(ledger, letters, ())
        done.handed[root] = hand_over(folder, ledger, out, chosen, way=_way(out, root, ways))


def _way(out: Out, root: Path, ways: dict[Any, Carrier]) -> Carrier:
    """Return the carrier of a game, made once for all games that send in the same way."""
    key = (out.server, out.program, str(root / Path(out.folder).expanduser()) if out.folder else "")
    if key not in ways:
        ways[key] = carrier(out, root)
    return ways[key]


def tell(done: Sending, as_json: bool) -> None:
    """Print what was sent, by game."""
    if as_json:
        print_json(_data(done))
        return
    for root, handed in done.handed.items():
        ready(strong(Worded(f"-- {name_of(root)}")))
        show(handed)
    for root, waiting in done.would.items():
        for letter in waiting:
            game = name_of(root)
            result(Message("cli.club.would-send", game=game, letter=letter.name, to=tuple(letter.missing)))
    for root, left in done.left.items():
        for letter in left:
            result(Message("cli.club.unsure", game=name_of(root), letter=letter.name, words=letter.words))
            note(Message("cli.letters.say-whether-it-is-there", letter=letter.name), before="  ")
    for root in done.waits:
        result(Message("cli.club.no-way-to-send", game=name_of(root)))
    tell_broken(done.broken, {})
    if not (done.handed or done.would or done.left or done.waits or done.broken):
        note(Message("cli.letters.nothing-waits"))


def _data(done: Sending) -> dict[str, Any]:
    roots = dict.fromkeys([*done.handed, *done.would, *done.left])
    games = [
        {
            "folder": str(root),
            "letters": [letter.data() for letter in done.handed.get(root, ())],
            "would": [
                {"letter": letter.name, "to": list(letter.missing)} for letter in done.would.get(root, ())
            ],
            "unsure": [letter.name for letter in done.left.get(root, ())],
        }
        for root in roots
    ]
    waits = [str(root) for root in done.waits]
    return {"games": games, "without_settings": waits, "broken": broken_data(done.broken, {})["broken"]}
