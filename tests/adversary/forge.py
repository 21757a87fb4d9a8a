"""What somebody with a key and bad intentions can say: statements made by hand from the text of the protocol.

Signatures, seals, hashes and chains are made here from the standard library, `cryptography`'s bare Ed25519
and `pyhpke`; nothing of `pbem.trust` is used, so that our own code is not asked about itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

from pbem.trust.armour import Signed
from tests.tools.independent_audit import canonical, hashed, lp, u32
from tests.unit.archive.table import Seat

Data = dict[str, Any]


def key_of(name: str) -> Ed25519PrivateKey:
    """The key that `tests.unit.archive.table` gives to a name."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"pbem test {name}".encode()).digest())


def sshsig(name: str, data: bytes, *, namespace: bytes = b"pbem-v1", algorithm: bytes = b"sha512") -> str:
    """An armoured SSHSIG, section 5.2."""
    key = key_of(name)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    digest = hashlib.new(algorithm.decode(), data).digest()
    signature = key.sign(b"SSHSIG" + lp(namespace) + lp(b"") + lp(algorithm) + lp(digest))
    blob = b"SSHSIG" + u32(1) + lp(lp(b"ssh-ed25519") + lp(public)) + lp(namespace) + lp(b"") + lp(algorithm)
    text = base64.b64encode(blob + lp(lp(b"ssh-ed25519") + lp(signature))).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def signed(name: str, statement: Data | bytes) -> Signed:
    """A statement with a good signature of that name."""
    data = statement if isinstance(statement, bytes) else canonical(statement)
    return Signed(data, (sshsig(name, data),))


def sid_of(found: Signed) -> str:
    return hashed("statement", found.data).hex()


def parsed(found: Signed) -> Data:
    data: Data = json.loads(found.data)
    return data


def commitment(game: str, stage: int, party: str, decision: str, nonce: str, value: Any) -> str:
    fields = (bytes.fromhex(game), u32(stage), party, decision, bytes.fromhex(nonce), canonical(value))
    return hashed("commit", *fields).hex()


def sealed(data: bytes, public: str, game: str, stage: int, kind: str, sender: str, to: str) -> bytes:
    """HPKE with the info and padding of 8.2, by another implementation than ours."""
    block = {"openings": 256, "view": 4096}[kind]
    padded = lp(data) + bytes(-len(lp(data)) % block)
    fields = (bytes.fromhex(game), u32(stage), kind.encode(), sender.encode(), to.encode())
    info = lp(b"pbem/v1/seal") + b"".join(map(lp, fields))
    suite = CipherSuite.new(KEMId.DHKEM_X25519_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.CHACHA20_POLY1305)
    key = KEMKey.from_jwk({"kty": "OKP", "crv": "X25519", "x": _b64url(bytes.fromhex(public))})
    enc, context = suite.create_sender_context(key, info=info)
    return bytes(enc + context.seal(padded))


def _b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Party:
    """One party of a game, who may say whatever he likes."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.name = seat.name
        self.root = seat.root
        self.roster: Data = json.loads((self.root / "roster.json").read_bytes())
        self.game = hashed("game", (self.root / "roster.json").read_bytes()).hex()
        self.entries = {entry["id"]: entry for entry in self.roster["parties"]}
        self.secrets: dict[str, str] = json.loads((self.root / "private/secrets.json").read_bytes())
        self._chain: list[bytes] = []

    # what he knows

    def record(self, stage: int) -> Data:
        data: Data = json.loads((self.root / f"stages/{stage:04}/record.json").read_bytes())
        return data

    @property
    def last(self) -> int:
        return max(int(path.parent.name) for path in self.root.glob("stages/*/record.json"))

    @property
    def stage(self) -> int:
        """The open stage."""
        return self.last + 1

    @property
    def head(self) -> str:
        head: str = hashed("record", canonical(self.record(self.last))).hex()
        return head

    def link(self, stage: int) -> str:
        """c(N - stage) of his own chain, section 4.2."""
        length = self.roster["chain_length"]
        if not self._chain:
            self._chain = [bytes.fromhex(self.secrets["chain"])]
            salt = bytes.fromhex(self.secrets["salt"])
            for i in range(1, length + 1):
                self._chain.append(hashed("chain", salt, self.name, u32(i), self._chain[-1]))
        found: str = self._chain[length - stage].hex()
        return found

    # what he says

    def says(self, type_: str, body: Data, **members: Any) -> Signed:
        """A statement for the open stage; `members` replace those of the envelope (`from_` for `from`)."""
        data: Data = {"pbem": 1, "type": type_, "game": self.game, "from": self.name, "rev": 1}
        data |= {"stage": self.stage, "prev": self.head, "body": body}
        by = members.pop("by", self.name)
        data |= {name.rstrip("_"): value for name, value in members.items()}
        return signed(by, {name: value for name, value in data.items() if value is not None})

    def seals(self, content: Any, stage: int | None = None, to: str = "gm", kind: str = "openings") -> str:
        """Base64 of something sealed to a party, as if by himself."""
        data = content if isinstance(content, bytes) else canonical(content)
        stage = self.stage if stage is None else stage
        return base64.b64encode(
            sealed(data, self.entries[to]["seal"], self.game, stage, kind, self.name, to)
        ).decode()

    def order(
        self,
        answers: list[Any] | None = None,
        secret: Mapping[str, Any] | None = None,
        *,
        standing: list[Any] | None = None,
        change: Callable[[Data, Data], None] | None = None,
        **members: Any,
    ) -> Signed:
        """An order in swift. `change` may spoil the body and what will be sealed before they are closed."""
        stage = members.get("stage", self.stage)
        body, inside = self.committed(secret or {}, stage)
        body["orders"] = answers or []
        inside["link"] = self.link(stage)
        if standing is not None:
            body["standing"] = standing
        if change is not None:
            change(body, inside)
        body.setdefault("sealed", {"gm": self.seals(inside, stage)})
        return self.says("order", {k: v for k, v in body.items() if v is not None}, **members)

    def committed(self, secret: Mapping[str, Any], stage: int) -> tuple[Data, Data]:
        """Commitments, and what opens them."""
        commits, openings = {}, {}
        for n, (decision, value) in enumerate(sorted(secret.items())):
            nonce = hashlib.sha256(f"{self.name} {stage} {decision} {n}".encode()).hexdigest()
            commits[decision] = commitment(self.game, stage, self.name, decision, nonce, value)
            openings[decision] = {"nonce": nonce, "value": value}
        return ({"commits": commits}, {"openings": openings}) if secret else ({}, {})

    def later(self, orders: Any, *, hidden: bool = False, **members: Any) -> Signed:
        """A standing statement."""
        if not hidden:
            return self.says("standing", {"standing": orders}, **members)
        body, inside = self.committed({"standing/later": orders}, members.get("stage", self.stage))
        return self.says("standing", {**body, "sealed": {"gm": self.seals(inside)}}, **members)


# --- the GM ---------------------------------------------------------------------------------------------


def group_salt(gm: Party, stage: int, audience: list[str]) -> bytes:
    if audience == sorted(e["id"] for e in gm.roster["parties"] if e["role"] != "observer"):
        return bytes(32)
    secret = bytes.fromhex(gm.secrets["gm"])
    return hashed("group-salt", secret, bytes.fromhex(gm.game), u32(stage), canonical(audience))


def group_hash(gm: Party, stage: int, audience: list[str], facts: Data) -> str:
    fields = (bytes.fromhex(gm.game), u32(stage), canonical(audience))
    return hashed("group", *fields, group_salt(gm, stage, audience), canonical(facts)).hex()


class Report:
    """The report of a stage that the GM has run honestly, to be changed before he signs it.

    `facts` are (audience, key) -> value; with them groups, state and views are made anew.
    """

    def __init__(self, gm: Party, mails: list[Signed], stage: int) -> None:
        self.gm = gm
        self.stage = stage
        by_type = [(parsed(mail)["type"], mail) for mail in mails]
        self.others = [one for type_, one in by_type if type_ not in ("report", "view")]
        (report,) = [one for type_, one in by_type if type_ == "report"]
        self.data = parsed(report)
        self.honest = mails
        self.honest_report = report
        self.record: Data = self.data["body"]["record"]
        self.events: list[Any] = self.data["body"].get("events", [])
        noted = json.loads((gm.root / "private/facts.json").read_bytes())
        assert noted["stage"] == stage
        self.facts = {(tuple(audience), key): value for key, value, audience in noted["facts"]}
        self.hidden = "views" in self.data["body"]
        self.blind: set[tuple[str, ...]] = set()
        """Audiences whose groups are left out of the views."""
        self.unlisted: set[tuple[str, ...]] = set()
        """Audiences whose groups are left out of the record, and so of the views."""

    def regroup(self) -> None:
        """Groups and state from the facts."""
        groups = []
        for audience in sorted({a for a, _ in self.facts} - self.unlisted):
            groups.append(
                [list(audience), group_hash(self.gm, self.stage, list(audience), self.of(audience))]
            )
        self.record["groups"] = sorted(groups, key=lambda group: canonical(group[0]))
        self.restate()

    def restate(self) -> None:
        """The state hash of the groups as they stand."""
        fields = (bytes.fromhex(self.gm.game), u32(self.stage), canonical(self.record["groups"]))
        self.record["state"] = hashed("state", *fields).hex()

    def reseed(self) -> None:
        """The seed of the links as they stand."""
        before = self.gm.record(self.stage - 1).get("seed", self.gm.game)
        fields: list[bytes | str] = [bytes.fromhex(self.gm.game), u32(self.stage), bytes.fromhex(before)]
        for entry in self.gm.roster["parties"]:
            if entry["id"] in self.record["links"]:
                fields += [entry["id"], bytes.fromhex(self.record["links"][entry["id"]])]
        self.record["seed"] = hashed("seed", *fields).hex()

    def of(self, audience: tuple[str, ...]) -> Data:
        return {key: value for (a, key), value in self.facts.items() if a == audience}

    def mail(self, *, views: bool = True, **members: Any) -> list[Signed]:
        """All statements of the GM's mail, signed anew. `members` go into the report's envelope."""
        if "events" in self.data["body"]:
            self.data["body"]["events"] = self.events
            self.record["events"] = hashed("events", canonical(self.events)).hex()
        head = hashed("record", canonical(self.record)).hex()
        common = {"stage": self.stage, "prev": self.data["prev"]}
        made: list[Signed] = []
        if self.hidden:
            self.data["body"]["views"] = {}
            for entry in self.gm.roster["parties"]:
                if entry["role"] == "player":
                    blob = self.view(entry["id"])
                    self.data["body"]["views"][entry["id"]] = hashed("view", blob).hex()
                    body = {"head": head, "view": base64.b64encode(blob).decode()}
                    made.append(self.gm.says("view", body, **common))
        report = self.gm.says("report", self.data["body"], **{**common, **members})
        return [*self.others, report, *(made if views else [])]

    def view(self, party: str) -> bytes:
        shown = [
            {
                "audience": list(audience),
                "salt": group_salt(self.gm, self.stage, list(audience)).hex(),
                "facts": self.of(audience),
            }
            for audience in sorted({a for a, _ in self.facts} - self.blind - self.unlisted)
            if party in audience
        ]
        packed = zlib.compress(canonical({"stage": self.stage, "groups": shown}))
        to = self.gm.entries[party]["seal"]
        return sealed(packed, to, self.gm.game, self.stage, "view", self.gm.name, party)


def bytes_of(root: Path) -> dict[str, bytes]:
    """Every file below a folder but the lock."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "lock"
    }
