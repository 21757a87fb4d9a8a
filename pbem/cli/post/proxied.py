"""The folders of players whose keys the GM holds: found beside the GM's, and kept level with it.

A deputy in charge has such folders from the handover.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.trust.armour import Signed


def held(folder: Folder) -> dict[str, Path]:
    """Return the folder of each player whose keys the GM of this folder holds, as far as it is here."""
    from pbem.archive import lent

    if folder.role == "deputy":
        return lent.folders(folder)
    if not folder.is_gm or folder.roster is None:
        return {}
    wanted = {entry.id for entry in folder.need_roster().active if entry.proxy == folder.me}
    paths: dict[str, Path] = {}
    for root in _near(folder) if wanted else ():
        party = _party_of(root, folder)
        if party in wanted:
            paths.setdefault(party, root)
    return paths


def _near(folder: Folder) -> Iterator[Path]:
    from pbem.cli.games.memory import Memory, usual

    yield from sorted(path.parent.parent for path in folder.root.parent.glob("*/private/me.json"))
    yield from sorted(path.parent.parent for path in folder.root.glob("*/private/me.json"))
    yield from Memory(usual()).games()


def _party_of(root: Path, folder: Folder, role: str = "player") -> str:
    """Return whose folder of the same game this is; "" for another game, or another role."""
    from pbem.archive import layout, private_side

    try:
        named = layout.ROSTER if (root / layout.ROSTER).is_file() else private_side.INVITATION
        terms = json.loads((root / named).read_bytes())
        me = json.loads((root / private_side.ME).read_bytes())
        same = terms["salt"] == folder.terms.salt.hex() and me["role"] == role
        return str(me["party"]) if same else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


# --- before the game ----------------------------------------------------------------------------------------


def hand_in_entry(at: Path) -> bool:
    """Give the GM's folder, if it is here, the entry of a player whose keys the GM is to hold."""
    from pbem.archive import Folder as Opened
    from pbem.archive import layout, receive
    from pbem.cli.shell.language import in_its_language
    from pbem.mail.read import read_path

    other = Opened.open(at)
    root = next((root_ for root_ in _near(other) if _party_of(root_, other, "gm")), None)
    if root is None:
        return False
    folder = in_its_language(Opened.open(root))
    for path in sorted((other.root / layout.OUTBOX).glob("join-*")):
        receive(folder, read_path(path).signed)
    return True


def sign_for_held(folder: Folder) -> list[str]:
    """Sign the roster for each player whose keys the GM holds and needs no passphrase for."""
    from pbem.archive import Folder as Opened
    from pbem.archive import layout, receive, sign_roster
    from pbem.cli.shell.keys import key_at_hand, known_passphrase
    from pbem.mail.read import read_path

    signed = []
    for party, root in held(folder).items():
        other = Opened.open(root, known_passphrase)
        other.say = folder.say
        for path in sorted((folder.root / layout.OUTBOX).glob(f"roster-{folder.me}.pbem.txt")):
            receive(other, read_path(path).signed)
        other.refresh()
        signer = key_at_hand(other)
        if signer is None or other.roster is None or party not in other.unsigned():
            continue
        sign_roster(other, signer)
        for path in sorted((root / layout.OUTBOX).glob(f"roster-{party}.pbem.txt")):
            receive(folder, read_path(path).signed)
        signed.append(party)
    folder.refresh()
    return signed


# --- in the game --------------------------------------------------------------------------------------------


def opened(folder: Folder, party: str) -> Folder:
    """Return the folder of such a player, with everything that the GM's has; Refused if it is not here."""
    from pbem.archive import lent
    from pbem.cli.shell.keys import opens

    root = held(folder).get(party)
    if root is not None and folder.role == "deputy":
        lent.made(folder, party)
        opens(str(lent.signing_key(root)), folder.private.words())
    if root is None:
        message = Message("cli.proxied.no-such-player-here", party=party)
        help_ = (Message("cli.proxied.put-it-beside-yours"),)
        raise Refused(Diagnostic("not-proxied", message, help=help_))
    return level(folder, root)


def level(folder: Folder, root: Path) -> Folder:
    """Return a player's folder after it has taken in what the GM has sent since."""
    from pbem.archive import Folder as Opened
    from pbem.archive import lent, lock_of, receive
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in
    from pbem.cli.shell.keys import known_passphrase

    other = Opened.open(root, known_passphrase, wait=folder.wait)
    other.say = folder.say
    signed = list(_sent(folder, other.stage))
    if signed and (other.stage < folder.stage or lock_of(folder) is not None):
        receive(other, signed, render=renderer(letters_in(other)))
        other.refresh()
    if other.stage < folder.stage and folder.need_roster().deputy is not None:  # a deputy ran these stages
        lent.bring_level(folder, root, other.need_me())
        other.refresh()
    return other


def _sent(folder: Folder, after: int) -> Iterator[Signed]:
    """Yield what the GM's letters carry of the stages after one."""
    from pbem.archive import layout
    from pbem.mail.read import read_path

    for path in sorted((folder.root / layout.OUTBOX).glob("stage-*")):
        number = path.name.split("-")[1]
        if path.suffix == ".txt" and number.isdigit() and int(number) > after:
            yield from read_path(path).signed


def lent_keys(folder: Folder) -> dict[str, dict[str, str]]:
    """Return the keys that the GM holds, for a handover, as far as they need no passphrase and fit."""
    from pbem.archive import Folder as Opened
    from pbem.archive import lent, private_side
    from pbem.cli.shell.keys import key_at_hand, known_passphrase
    from pbem.trust.keys import FileSigner

    roster, by_party = folder.need_roster(), {}
    for party, root in held(folder).items():
        other = Opened.open(root, known_passphrase)
        signer = key_at_hand(other)
        if not isinstance(signer, FileSigner) or (root / private_side.SECRETS_LOCKED).exists():
            continue
        keys = {
            "chain": other.own_chain().start.hex(),
            "seal": other.private.seal_key.hex(),
            "sign": signer.seed.hex(),
        }
        if lent.fits(roster, roster.by_id[party], keys):
            by_party[party] = keys
    return by_party


def hand_in(folder: Folder, other: Folder) -> None:
    """Give the GM's folder what such a player has signed for the current stage."""
    from pbem.archive import receive
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in

    mine = [
        signed
        for statement, signed in other.statements(other.progress.open_stage)
        if statement.sender == other.me
    ]
    here = {statement.sid for statement, _ in folder.statements(folder.progress.open_stage)}
    new = [part for part in mine if _sid(part) not in here]
    if new:
        receive(folder, new, render=renderer(letters_in(folder)))
        folder.refresh()


def _sid(signed: Signed) -> str:
    from pbem.trust import statements

    return statements.sid(signed.data)


@contextmanager
def acting_for(folder: Folder, party: str) -> Iterator[Folder]:
    """Work in the folder of a player whose keys the GM holds; the GM's folder gets what is signed."""
    other = opened(folder, party)
    try:
        yield other
    finally:
        other.refresh()
        hand_in(folder, other)


def give_links(folder: Folder) -> list[str]:
    """Give the links that are due of players whose keys the GM holds and needs no passphrase for."""
    from pbem.archive import give_link, link_due
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in
    from pbem.cli.shell.keys import key_at_hand

    given = []
    for party in held(folder):
        other = opened(folder, party)
        signer = key_at_hand(other) if link_due(other) else None
        if signer is not None:
            give_link(other, signer, render=renderer(letters_in(other)))
            other.refresh()
            hand_in(folder, other)
            given.append(party)
    return given
