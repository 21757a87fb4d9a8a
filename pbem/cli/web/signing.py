"""Signing at the table: the key, and what was signed and may be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import PbemError

if TYPE_CHECKING:
    from pbem.archive import Folder


OUTGOING = (".eml", ".txt")


def has_key() -> bool:
    """Return True if there is a key for new games."""
    from pbem.cli.shell.keys import login_key_file, own_key_file, passphrase_is, usual_key
    from pbem.trust.errors import TrustError

    if own_key_file().exists() or login_key_file().exists():
        return True
    try:
        with passphrase_is(""):
            usual_key(None)
    except (TrustError, OSError):
        return False
    return True


def locked(folder: Folder) -> bool:
    """Return True if signing here needs a passphrase."""
    from pbem.cli.shell.keys import key_at_hand

    return folder.me is not None and key_at_hand(folder) is None


def signer(folder: Folder, passphrase: str | None) -> Any:
    """Return a signer for the owner of a folder; the passphrase is kept nowhere."""
    from pbem.cli.shell.keys import folder_key, passphrase_is

    with passphrase_is(passphrase or ""):
        return folder_key(folder, None)


def sign(folder: Folder, checked: Any, passphrase: str | None) -> list[str]:
    """Sign orders that were checked, and letters that waited; the names of the files that are to be sent."""
    from pbem.archive import letter_writing, sign_orders
    from pbem.cli.games.clock import now

    by = signer(folder, passphrase)
    files = sign_orders(folder, checked, by)
    files += letter_writing.write_waiting(folder, by, now().date().isoformat())
    return [path.name for path in files if path.suffix in OUTGOING]


def signed_here(folder: Folder) -> str:
    """Return the orders signed in the current stage that may still be undone, in words, or ""."""
    from pbem.archive import last_signed

    if folder.role != "player" or folder.stage < 0 or is_practice(folder):
        return ""
    try:
        signed = last_signed(folder)
        return signed.words if signed.statement is not None else ""
    except PbemError:
        return ""


def is_practice(folder: Folder) -> bool:
    """Return True if it is a game against the computer on this one."""
    from pbem.cli.games.practice import practice_of

    return practice_of(folder) is not None


def can_take_back(folder: Folder) -> bool:
    """Return True if there is an answer to undo in a game against the computer."""
    from pbem.cli.games import practice

    game = practice.practice_of(folder)
    return game is not None and practice.can_take_back(game)
