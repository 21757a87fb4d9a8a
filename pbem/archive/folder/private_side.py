"""The private side of a game folder: seal key, chain secret, GM secret, openings of every revision.

Protocol 4.1.

Lies in `private/`, every file 0600, ignored by git, never part of the archive. Secrets are never printed:
`repr` shows none, and no message quotes one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.gm_side import GmSide, HandedOver
from pbem.archive.folder.layout import PRIVATE
from pbem.stages.handovers import Handover
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import keys
from pbem.trust.chain import Chain, new_secret
from pbem.trust.hashing import H
from pbem.trust.keys import Passphrase
from pbem.trust.records import Shown, shown_in

ME = f"{PRIVATE}/me.json"
SEAL = f"{PRIVATE}/seal.pem"
SECRETS = f"{PRIVATE}/secrets.json"
SECRETS_LOCKED = f"{PRIVATE}/secrets.asc"
INVITATION = f"{PRIVATE}/invitation.json"
KEPT = f"{PRIVATE}/kept.json"
FACTS = f"{PRIVATE}/facts.json"
READERS = f"{PRIVATE}/readers"
"""Answers for named readers that the owner of the folder may read, a file a stage."""
STATE = f"{PRIVATE}/state.yaml"
STATE_COPY = f"{PRIVATE}/state-copy.yaml"
VIEW = f"{PRIVATE}/view.yaml"
MAIL_SENT = f"{PRIVATE}/mail-out.jsonl"
MAIL_TAKEN = f"{PRIVATE}/mail-in.json"
MAIL_SETTINGS = f"{PRIVATE}/mail.yaml"
FORMER = f"{PRIVATE}/former"
"""Private sides that hold no more: of a GM before, and one's own before new keys."""
PLAIN = f"{PRIVATE}/plain"
"""Plain replies: lists of answers that were sent, replies that wait, what opens commitments to them."""
COMING = f"{PRIVATE}/coming"
"""Secrets made since joining, each in force from the record that its amendment stands in."""
HANDOVERS = f"{PRIVATE}/handovers"
"""The handovers that this GM has signed, or that came to this deputy, as statements; never in an archive."""
SECRET = (ME, SEAL, SECRETS, SECRETS_LOCKED, FORMER, COMING)
"""What says whose folder it is, and his keys: how the names of such files begin."""
IGNORE = f"{PRIVATE}/.gitignore"
IGNORE_ALL = "# nothing in here may be published: keys, secrets, and what only you may know\n*\n"


@dataclass(frozen=True)
class Me:
    """The owner of a folder: party id, role, public signing key, and the file of its private half."""

    party: str
    role: str
    sign: str
    key_file: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the content of `me.json`."""
        members: dict[str, Json] = {"party": self.party, "role": self.role, "sign": self.sign}
        return members | ({"key_file": self.key_file} if self.key_file else {})


@dataclass(frozen=True)
class NewKeys:
    """The public part of new secrets for joining; `changes` writes them."""

    seal: bytes
    anchor: bytes
    changes: Changes
    gm_secret: bytes | None = None


class Private:
    """The private side of a game folder.

    `passphrase` is asked where the secrets are encrypted.

    `side` is where it lies if not in `private/` below `root`: files kept by hand may be anywhere.
    """

    def __init__(self, root: Path, passphrase: Passphrase | None = None, *, side: Path | None = None) -> None:
        self.side = root / PRIVATE if side is None else side
        self._passphrase = passphrase

    @property
    def passphrase(self) -> Passphrase | None:
        """Return what asks for the passphrase of secrets."""
        return self._passphrase

    def __repr__(self) -> str:
        return f"Private({str(self.side)!r})"

    def _path(self, name: str) -> Path:
        return self.side / name.removeprefix(f"{PRIVATE}/")

    @cached_property
    def me(self) -> Me | None:
        """Return the owner of the folder, or None in a copy that has no private side."""
        data = self.json(ME)
        if data is None:
            return None
        try:
            me = Me(data["party"], data["role"], data["sign"], data.get("key_file"))
        except (KeyError, TypeError, AttributeError):
            raise _damaged(ME) from None
        if not all(isinstance(field, str) for field in (me.party, me.role, me.sign)):
            raise _damaged(ME)
        return me

    @cached_property
    def seal_key(self) -> bytes:
        """Return the 32 private bytes of this game's seal key."""
        return keys.load_seal_key(
            self._need(SEAL), self._passphrase, Message("archive.folder.private-side-of-this-game")
        )

    @property
    def seal_keys(self) -> list[bytes]:
        """Return the owner's seal key and those of earlier GMs that were handed over."""
        former = sorted(self._path(FORMER).glob("*/seal.pem"))
        ask = self._passphrase
        return [self.seal_key, *(keys.load_seal_key(path.read_bytes(), ask, path.name) for path in former)]

    @cached_property
    def _secrets(self) -> dict[str, str]:
        locked = self._path(SECRETS_LOCKED)
        secrets: dict[str, str] = json.loads(self._opened(locked) if locked.exists() else self._need(SECRETS))
        return secrets

    @property
    def salt(self) -> bytes:
        """Return the salt of the game that the secrets are for."""
        return bytes.fromhex(self._secrets["salt"])

    def chain(self, length: int, anchor: bytes | None = None) -> Chain:
        """Return the hash chain that leads to an anchor, from the secret start and salt here.

        Without an anchor it is the chain of the join. Refused if the start of that chain is not
        here.
        """
        secrets = self._secrets
        salt, party = bytes.fromhex(secrets["salt"]), secrets["party"]
        for start in (secrets["chain"], *self._later_chains()):
            chain = Chain(salt, party, bytes.fromhex(start), length)
            if anchor is None or chain.anchor == anchor:
                return chain
        raise _missing(Message("archive.folder.chain-secret-is-not-in-this-folder"))

    @property
    def has_gm_side(self) -> bool:
        """Return True if the GM's secrets are here; opens none, so nobody is asked for a passphrase."""
        if self.me is None or self.me.role != "deputy":
            return self.me is not None and self.me.role == "gm"
        return "gm_side" in self.__dict__ or any(True for _ in self._path(COMING).glob("handover-*"))

    @cached_property
    def gm_side(self) -> GmSide | None:
        """Return the GM's secrets: in the GM's own folder, and in a deputy's after a handover; else None."""
        if self.me is None or self.me.role not in ("gm", "deputy"):
            return None
        if self.me.role == "gm":
            return self
        kept = sorted(self._path(COMING).glob("handover-*"), reverse=True)
        if not kept:
            return None
        held = [json.loads(self._opened(path)) for path in kept]
        return self.with_handover(held[0]["gm"], [Handover.of(handover) for handover in held])

    def with_handover(self, gm: str, taken: Sequence[Handover]) -> GmSide:
        """Return the GM's side that these handovers give, the newest first."""
        return HandedOver(gm, self.salt, taken)

    def _later_chains(self) -> list[str]:
        """Return the starts of chains made since joining (`pbem amend chain`)."""
        folder = self._path(COMING)
        held = (json.loads(self._opened(path)) for path in sorted(folder.glob("chain-*")))
        return [chain["chain"] for chain in held]

    def _opened(self, path: Path) -> bytes:
        """Return a secret file of the owner, which may be encrypted."""
        if path.suffix != ".asc":
            return path.read_bytes()
        from pbem.trust import backup as backups

        return backups.restore(path.read_text("ascii"), self._typed())

    def key_files(self) -> list[str]:
        """Return the files of the owner's signing keys, the newest last."""
        named = (json.loads(path.read_bytes()) for path in sorted(self._path(COMING).glob("key-*.json")))
        first = [self.me.key_file] if self.me is not None and self.me.key_file else []
        return [*first, *(key["key_file"] for key in named)]

    def kept_secret(self, name: str, data: Mapping[str, Json]) -> Changes:
        """Return a further secret file in `private/coming/`, encrypted where the others are."""
        return _secret_file(f"{COMING}/{name}", to_text(data), self.words())

    def words(self) -> str | None:
        """Return the passphrase that opens these secrets, None if they are open; Refused if nobody has it."""
        return self._typed() if self._path(SECRETS_LOCKED).exists() else None

    def _typed(self) -> str:
        ask = self._passphrase
        text = ask(Message("archive.folder.private-side-of-this-game")) if ask else None
        if not text:
            raise _missing(Message("archive.folder.private-side-of-this-game-is-encrypted"))
        return text

    @property
    def gm_secret(self) -> bytes:
        """Return the secret the roster commits to; Refused in a folder that is not the GM's."""
        if "gm" not in self._secrets:
            raise _missing(Message("archive.folder.gms-secret-is-not-in-this-folder"))
        return bytes.fromhex(self._secrets["gm"])

    def secret_of(self, salt: bytes, committed: bytes | None) -> bytes:
        """Return the secret of a commitment, the owner's or one handed over; Refused if there is none."""
        for secret in self.gm_secrets:
            if H("secret", salt, secret) == committed:
                return secret
        raise _missing(Message("archive.folder.secret-of-gm-before-is-not-in-this-folder"))

    @property
    def gm_secrets(self) -> list[bytes]:
        """Return the owner's secret and those of earlier GMs that were handed over."""
        return [self.gm_secret, *self._handed_over()]

    def _handed_over(self) -> list[bytes]:
        """Return secrets of earlier GMs, from the private sides they handed over."""
        files = sorted((self.side / FORMER.removeprefix(f"{PRIVATE}/")).glob("*/secrets.json"))
        held = (json.loads(path.read_bytes()).get("gm") for path in files)
        return [bytes.fromhex(secret) for secret in held if isinstance(secret, str)]

    # ---- openings --------------------------------------------------------------------------------------

    def openings(self, stage: int, kind: str, rev: int) -> dict[str, Shown]:
        """Return the openings for one revision of the owner's order or standing orders, or {}."""
        return shown_in(self.json(openings_name(stage, kind, rev)))

    def plain_reply(self, sid: str) -> Shown | None:
        """Return the unsigned email that an order was written down from, or None if it is not here."""
        data = self.json(plain_name(sid))
        return Shown.of(data) if data is not None else None

    def ruling(self, sid: str) -> Shown | None:
        """Return the opening of a ruling that I committed to, or None."""
        kept = self.json(ruling_name(sid))
        return Shown.of(kept) if kept is not None else None

    def rulings(self, sids: Iterable[str]) -> dict[str, Json]:
        """Return the changes of rulings that I committed to, by sid of the amendment."""
        known = {sid: self.ruling(sid) for sid in sids}
        return {sid: opening.value for sid, opening in known.items() if opening is not None}

    def json(self, name: str) -> Any:
        """Return a JSON file of the private side, or None if it is not there; Refused if it is damaged."""
        path = self._path(name)
        if not path.exists():
            return None
        try:
            return json.loads(path.read_bytes())
        except (ValueError, RecursionError):
            raise _damaged(name) from None

    def _need(self, name: str) -> bytes:
        path = self._path(name)
        if not path.exists():
            raise _missing(Message("archive.folder.not-in", path=path.name, side=self.side))
        return path.read_bytes()


def ruling_name(sid: str) -> str:
    """Return the name of the opening of a committed ruling."""
    return f"{PRIVATE}/openings/ruling-{sid[:32]}.json"


def plain_name(sid: str) -> str:
    """Return the name of the file with the email that an order was written down from."""
    return f"{PLAIN}/{sid}.json"


def openings_name(stage: int, kind: str, rev: int) -> str:
    """Return the name of the openings of a revision; `kind` is `order` or `standing`."""
    return f"{PRIVATE}/openings/{stage:04d}-{kind}-{rev}.json"


def create(me: Me, salt: bytes, chain_length: int, *, passphrase: str | None = None) -> NewKeys:
    """Create new secrets for one party of one game: seal key, chain, and for the GM the game's secret."""
    import secrets

    seal, start = secrets.token_bytes(32), new_secret()
    held = {"party": me.party, "salt": salt.hex(), "chain": start.hex()}
    if me.role == "gm":
        held["gm"] = secrets.token_bytes(32).hex()
    changes = files(me, seal, held, passphrase)
    anchor = Chain(salt, me.party, start, chain_length).anchor
    secret = bytes.fromhex(held["gm"]) if "gm" in held else None
    return NewKeys(keys.seal_public(seal), anchor, changes, secret)


def files(me: Me, seal: bytes, held: Mapping[str, str], passphrase: str | None) -> Changes:
    """Return the files of a new private side: its owner, seal key and secrets, encrypted by a passphrase."""
    changes = _secret_file(SECRETS.removesuffix(".json"), to_text(held), passphrase)
    changes.write(IGNORE, IGNORE_ALL)
    changes.write(ME, to_text(me.to_json()))
    changes.write(SEAL, keys.seal_file(seal, passphrase))
    return changes


def _secret_file(name: str, text: str, passphrase: str | None) -> Changes:
    """Return a file of secrets: `.json`, or with a passphrase `.asc`."""
    changes = Changes()
    if passphrase is None:
        changes.write(f"{name}.json", text)
        return changes
    from pbem.trust import backup as backups

    changes.write(f"{name}.asc", backups.backup(text.encode(), passphrase))
    return changes


def to_text(value: Json | Mapping[str, Json] | Mapping[str, str]) -> str:
    """Return JSON for files that people may look into: indented, sorted, with a last newline."""
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _damaged(name: str) -> Refused:
    return Refused(Diagnostic("damaged-file", Message("archive.folder.damaged-file", name=name)))


def _missing(message: Message) -> Refused:
    help_ = (Message("archive.folder.restore-it-with-pbem-key-restore"),)
    return Refused(Diagnostic("no-secret", message, help=help_))
