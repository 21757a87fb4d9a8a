"""Ways to tamper that a check by the protocol alone must find; the page of a book passed them once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.text import canonical
from pbem.trust import dice, sshsig, statements
from pbem.trust.hashing import lp, u32
from pbem.trust.roster import Roster
from tests.unit.archive.forger import Data, Forger
from tests.unit.archive.table import signer_of
from tests.unit.archive.tampering_said import Wanted


@dataclass(frozen=True)
class OnPages:
    """A tampering: in which game, what is done (it gives the stage), and what must be said."""

    base: str
    change: Callable[[Path], int]
    wanted: Wanted


def say(root: Path, stage: int, data: Mapping[str, Any], name: str) -> str:
    """Put a statement of a party into a stage; gives its sid."""
    raw = canonical.dumps(dict(data))
    path = root / f"stages/{stage:04}/{statements.sid(raw)}.json"
    path.write_bytes(raw)
    path.with_suffix(".sig").write_text(signer_of(name).sign(raw))
    return path.stem


def reseed(forger: Forger, stage: int, record: Data) -> None:
    """The seed as it is with the links that the record has."""
    roster = Roster.parse((forger.root / "roster.json").read_bytes())
    before = roster.game_id
    for earlier in range(1, stage):
        seed = forger.data(forger.find(earlier, "report"))["body"]["record"].get("seed")
        before = bytes.fromhex(seed) if seed else before
    parts = [
        (party.id, bytes.fromhex(record["links"][party.id]))
        for party in roster.parties
        if party.id in record["links"]
    ]
    record["seed"] = dice.seed(roster.game_id, stage, before, parts).hex()


def _of_record(change: Callable[[Data], None], stage: int = 1) -> Callable[[Path], int]:
    def done(root: Path) -> int:
        forger = Forger(root)

        def all_of_it(record: Data) -> None:
            change(record)
            reseed(forger, stage, record)

        forger.record(stage, all_of_it)
        return stage

    return done


def _no_link(record: Data) -> None:
    del record["links"]["north"]


def _absent(record: Data) -> None:
    record["accepted"]["north"], record["forfeits"] = None, ["north"]
    del record["links"]["north"]


def _not_accepted(record: Data) -> None:
    del record["accepted"]["north"]
    del record["links"]["north"]


def _invented_end(root: Path) -> int:
    """North signs a report of the last stage, of a higher revision, after which nobody is asked."""
    forger = Forger(root)
    stage = forger.last - 1
    data = forger.data(forger.find(stage, "report"))
    data["body"]["record"]["asked"] = {}
    say(root, stage, {**data, "from": "north", "rev": 2}, "north")
    return stage


def _other_dice(root: Path) -> int:
    forger = Forger(root)
    data = forger.data(forger.find(2, "report"))
    data["body"]["record"]["links"]["gm"] = "ab" * 32
    reseed(forger, 2, data["body"]["record"])
    say(root, 2, {**data, "rev": 2}, "gm")
    return 2


def _ruled_by_a_player(root: Path) -> int:
    forger = Forger(root)
    data = forger.data(forger.find(2, "report"))
    ops = [{"op": "ruling", "changes": [], "reason": "so it was meant"}]
    sid = say(root, 2, {**data, "from": "north", "type": "amend", "body": {"ops": ops}}, "north")
    forger.record(2, lambda record: record.update(amends=[sid]))
    return 2


def _nothing_kept(root: Path) -> int:
    forger = Forger(root)
    stage = next(
        stage
        for stage in range(1, forger.last + 1)
        if "kept" in forger.data(forger.find(stage, "report"))["body"]["record"]
    )
    forger.record(stage, lambda record: record.pop("kept"))
    return stage


def _open_link(root: Path) -> int:
    forger = Forger(root)
    data = forger.data(path := forger.find(1, "order", "north"))
    data["body"]["link"] = "ab" * 32
    forger.write(path, data, "north")
    return 1


def _other_signature(algorithm: str, reserved: bytes) -> Callable[[Path], int]:
    """North's own key, under a signature of another form."""

    def done(root: Path) -> int:
        path = Forger(root).find(1, "order", "north")
        key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"pbem test north").digest())
        public = sshsig.public_blob(signer_of("north").public)
        digest = hashlib.new(algorithm, path.read_bytes()).digest()
        head = lp(sshsig.NAMESPACE) + lp(reserved) + lp(algorithm.encode())
        made = key.sign(b"SSHSIG" + head + lp(digest))
        blob = b"SSHSIG" + u32(1) + lp(public) + head + lp(lp(b"ssh-ed25519") + lp(made))
        path.with_suffix(".sig").write_text(armoured(blob))
        return 1

    return done


def armoured(blob: bytes) -> str:
    """An SSH signature of whatever form in its armour."""
    import base64

    text = base64.b64encode(blob).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


ON_PAGES: Mapping[str, OnPages] = {
    "a player signs a report with an invented end": OnPages("fog", _invented_end, Wanted("role", "north")),
    "a link is left out, with the seed made anew": OnPages(
        "open", _of_record(_no_link), Wanted("links", "north")
    ),
    "an order that lies here is called absent": OnPages(
        "open", _of_record(_absent), Wanted("absent", "north")
    ),
    "an order is missing from accepted": OnPages(
        "open", _of_record(_not_accepted), Wanted("accepted", "north")
    ),
    "a correction has other dice": OnPages("open", _other_dice, Wanted("correction", "gm")),
    "a player rules alone": OnPages("open", _ruled_by_a_player, Wanted("unsigned-amend", "gm")),
    "a card that is kept is not listed": OnPages("locked", _nothing_kept, Wanted("kept", None)),
    "a link is in the clear": OnPages("fog", _open_link, Wanted("role", "north")),
    "a signature has another hash": OnPages(
        "open", _other_signature("sha256", b""), Wanted("signature", "north")
    ),
    "a signature has reserved bytes": OnPages(
        "open", _other_signature("sha512", b"x"), Wanted("signature", "north")
    ),
}
