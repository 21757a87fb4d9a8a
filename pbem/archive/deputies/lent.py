"""Seats whose keys a GM holds: handed over with the rest, and played by the deputy.

The folder of such a seat is in the deputy's and is no part of the archive. It is made from the archive,
what the deputy knows, and the keys. Sealed answers that nobody called for yet are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pbem.archive.folder import changes as writing
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import Me
from pbem.archive.folder.stage_files import view_files
from pbem.stages.handovers import Handover
from pbem.trust import keys, sshsig
from pbem.trust.chain import Chain
from pbem.trust.errors import BadKey
from pbem.trust.keys import FileSigner
from pbem.trust.roster import Party, Roster

Keys = Mapping[str, str]
"""The members `chain`, `seal` and `sign`: private halves in hex."""
_KEY = "signing-key"
_PUBLIC = ("*.yaml", "*.json", "roster.*.sig", layout.SIGNERS, layout.MODULE_LOCK, "stages/**/*", "letters/*")
_SAME = (private_side.FACTS, private_side.STATE_COPY)
"""Equal for everybody in a game that hides nothing."""


def lent_to(roster: Roster, gm: str) -> list[Party]:
    """Return the players whose keys this GM holds."""
    return [party for party in roster.active if party.proxy == gm]


def fits(roster: Roster, party: Party, held: Keys) -> bool:
    """Return True if these are the keys of a party's entry."""
    chain = Chain(roster.terms.salt, party.id, bytes.fromhex(held["chain"]), roster.terms.chain_length)
    try:
        seal = keys.seal_public(bytes.fromhex(held["seal"]))
    except (BadKey, ValueError):
        return False
    sign = FileSigner.from_seed(bytes.fromhex(held["sign"])).public
    return (chain.anchor, seal, sign) == (party.anchor, party.seal, party.sign)


def all_fit(roster: Roster, gm: str, handover: Handover) -> bool:
    """Return True if all keys of a handover belong to players who lent theirs to the GM."""
    lent = {party.id: party for party in lent_to(roster, gm)}
    return all(party in lent and fits(roster, lent[party], held) for party, held in handover.proxies.items())


def folders(folder: Readable) -> dict[str, Path]:
    """Return where the folders of lent seats are, or will be: those that the deputy in charge may play."""
    if folder.role != "deputy" or not folder.knows_all or not folder.acting:
        return {}
    roster = folder.need_roster()
    lent = {party.id: party for party in lent_to(roster, roster.terms.arbiter or "")}
    held = _held(folder)
    return {
        party: folder.root / f"lent-{party}"
        for party in sorted(held)
        if party in lent and fits(roster, lent[party], held[party])
    }


def _held(folder: Readable) -> Mapping[str, Keys]:
    """Return the keys in the newest handover."""
    side = folder.private.gm_side
    taken: Iterable[Handover] = getattr(side, "taken", ())
    return next((handover.proxies for handover in taken), {})


def made(folder: Readable, party: str) -> Path:
    """Make the folder of a lent seat from the handover, level with the deputy's. Gives where it is.

    The seat's keys are encrypted as the deputy's private side is, by the passphrase of that.
    """
    root = folders(folder)[party]
    root.mkdir(exist_ok=True)
    if not (root / private_side.ME).exists():
        writing.commit(root, _private(folder, party))
    bring_level(folder, root, party)
    return root


def signing_key(root: Path) -> Path:
    """Return the file with the signing key of the seat whose folder this is."""
    return root / layout.PRIVATE / _KEY


def bring_level(folder: Readable, root: Path, party: str) -> None:
    """Bring the folder of a lent seat to the stage of one whose owner knows everything."""
    changes = Changes()
    for path in sorted(path for name in _PUBLIC for path in folder.root.glob(name)):
        if path.is_file() and not path.is_symlink():
            _copied(changes, path, root, path.relative_to(folder.root).as_posix())
    if folder.system.hidden:
        everybody = folder.need_roster().everybody
        known = [fact for fact in folder.facts() if fact.audience == everybody or party in fact.audience]
        record = folder.record(folder.stage)
        changes.update(view_files(folder.setting(), record, known, folder.progress.asked))
    else:
        for name in _SAME:
            _copied(changes, folder.root / name, root, name)
    writing.commit(root, changes)


def _copied(changes: Changes, path: Path, root: Path, name: str) -> None:
    data, there = path.read_bytes(), root / name
    if not there.is_file() or there.read_bytes() != data:
        changes.write(name, data)


def _private(folder: Readable, party: str) -> Changes:
    held, words = _held(folder)[party], folder.private.words()
    signer = FileSigner.from_seed(bytes.fromhex(held["sign"]))
    me = Me(party, "player", sshsig.public_line(signer.public), f"{layout.PRIVATE}/{_KEY}")
    secrets = {"party": party, "salt": folder.terms.salt.hex(), "chain": held["chain"]}
    changes = private_side.files(me, bytes.fromhex(held["seal"]), secrets, words)
    changes.write(f"{layout.PRIVATE}/{_KEY}", keys.key_file(bytes.fromhex(held["sign"]), words))
    return changes
