"""What is fuzzed: each target takes any bytes, lets through only the refusals that its reader promises, and
checks what must hold of everything that was read.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.archive.adjudicating.by_hand import load_state
from pbem.archive.folder import statement_words
from pbem.archive.verifying.verify import verify
from pbem.engine import schemas
from pbem.engine import system as systems
from pbem.mail.read import read as read_mail
from pbem.model import state as states
from pbem.stages.receipts import words_for
from pbem.text import canonical
from pbem.text.canonical import NotCanonical
from pbem.text.chars import FORBIDDEN
from pbem.text.diagnostics import Refused
from pbem.text.yaml import load as load_yaml
from pbem.trust import armour, records, sshsig, statements
from pbem.trust.errors import BadRecord, BadRoster, BadSeal, BadShape, BadSignature, BadStatement, BadView
from pbem.trust.roster import Roster
from pbem.trust.seal import Openings, unpack_view
from tests.fixtures.foundation.primer import FOG, SYSTEM

HERE = Path(__file__).parent
FOUNDATION = HERE.parent / "fixtures/foundation"
KEYS = {one.name: one for one in (SYSTEM, FOG)}


@dataclass(frozen=True)
class Target:
    """`run` raises on a find. `dictionary` are words that the format uses."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    dictionary: tuple[bytes, ...] = ()


# --- seeds: what the first revision wrote ----------------------------------------------------------------


@cache
def games() -> Path:
    """The games of the first revision, unpacked once."""
    where = Path(tempfile.mkdtemp(prefix="pbem-fuzz-"))
    with tarfile.open(FOUNDATION / "ford.tar.xz") as archive:
        archive.extractall(where, filter="data")
    return where


def files(*patterns: str, most: int = 12) -> list[bytes]:
    """Some files of these games, the short ones first."""
    found = [path for pattern in patterns for path in games().glob(pattern) if path.is_file()]
    return [path.read_bytes() for path in sorted(found, key=lambda path: (path.stat().st_size, path))[:most]]


# --- targets ---------------------------------------------------------------------------------------------


def run_armour(data: bytes) -> None:
    """What is found can be written again and is found again."""
    text = data.decode("utf-8", "replace")
    for signed in armour.sound(armour.read(text)):
        assert armour.sound(armour.read(armour.write("", [signed]))) == (signed,)


def run_signature(data: bytes) -> None:
    """A signature that is accepted is written in one way only."""
    text = data.decode("utf-8", "replace")
    try:
        public, signature = sshsig.decode(text)
    except BadSignature:
        return
    assert sshsig.encode(public, signature) == text


def run_canonical(data: bytes) -> None:
    """What is canonical is the only text of its value."""
    try:
        value = canonical.loads(data)
    except NotCanonical:
        return
    assert canonical.dumps(value) == data
    assert json.loads(data) == value


def run_statement(data: bytes) -> None:
    """A statement keeps its bytes, and what is said of it can be printed."""
    try:
        statement = statements.parse(data)
    except (BadStatement, NotCanonical):
        return
    assert statement.bytes == data
    if statement.kind.rendered:
        assert not FORBIDDEN.search(statement_words.text(statement))
        assert statement.sender in words_for(statement)


def run_roster(data: bytes) -> None:
    try:
        roster = Roster.parse(data)
    except (BadStatement, BadRoster, NotCanonical):
        return
    assert roster.allowed_signers() and roster.terms.data()


def run_record(data: bytes) -> None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        record = records.check(value)
    except (BadRecord, BadShape):
        return
    assert len(record.head) == 64


def run_orders(data: bytes) -> None:
    """What both scanners read of an order file they read alike (what one refuses is a debt)."""
    schema = schemas.orders(SYSTEM, {"T1/cards/card": "card"}, "orders")
    try:
        document = load_yaml(data, "orders.yaml", schema)
    except Refused as refused:
        assert refused.diagnostics and all(one.message for one in refused.diagnostics)
        document = None
    try:
        pure = load_yaml(data, "orders.yaml", schema, pure=True)
    except Refused:
        pure = None
    if document is not None and pure is not None:
        assert document.data == pure.data


def run_state(data: bytes) -> None:
    """A state file given by hand, if it is read, is written and read again."""
    path = games() / "state.yaml"
    path.write_bytes(data)
    try:
        state = load_state(path)
    except Refused:
        return
    path.write_text(states.dump(state.to_json()))
    assert load_state(path).to_json() == state.to_json()


def run_mail(data: bytes) -> None:
    """No message stops the reading, and what is found in it has a good signature."""
    for signed in read_mail(data).signed:
        assert armour.sound([armour.Found((signed.data,), signed.signatures)])


def run_openings(data: bytes) -> None:
    try:
        found = Openings.unpack(data)
    except BadSeal:
        return
    assert isinstance(dict(found.openings), dict)


def run_view(data: bytes) -> None:
    try:
        unpack_view(data)
    except (BadView, BadSeal):
        return


@cache
def _archive() -> tuple[Path, list[str], str]:
    """A scratch copy of an archive, its files, and its last head."""
    systems.find = lambda name: KEYS[name]
    root = Path(tempfile.mkdtemp(prefix="pbem-fuzz-")) / "game"
    ignore = shutil.ignore_patterns("private", "outbox", "inbox")
    shutil.copytree(games() / "primer-fog/gm", root, ignore=ignore)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    found = verify(root)
    assert found.ok and found.head
    return root, names, found.head


def run_archive(data: bytes) -> None:
    """The first bytes choose a file and a place, the rest goes there: no other history verifies."""
    if len(data) < 4:
        return
    root, names, head = _archive()
    path = root / names[data[0] % len(names)]
    before = path.read_bytes()
    at = (data[1] * 256 + data[2]) % (len(before) + 1)
    length = data[3]
    try:
        path.write_bytes(before[:at] + data[4:] + before[at + length :])
        try:
            found = verify(root)
        except Refused:
            return
        assert not found.ok or found.head == head or path.read_bytes() == before, names[data[0] % len(names)]
    finally:
        path.write_bytes(before)


def _states() -> list[bytes]:
    return [*files("*/gm/state.yaml", "*/gm/private/state.yaml"), *ORDERS]


def _pieces() -> list[bytes]:
    return [bytes([n, 0, n, 1]) + piece for n, piece in enumerate((b"", b"0", b"{}", b"\n", b'"x"', b"\xff"))]


def _unpacked() -> list[bytes]:
    opened = Openings(bytes(32), {"bid": records.Shown("00" * 32, 3)}).pack()
    return [opened, Openings(None, {}).pack(), opened + bytes(64)]


def _views() -> list[bytes]:
    from pbem.trust.seal import pack_view

    group = {"audience": ["gm", "north"], "salt": "00" * 32, "facts": {"unit/n": {"hex": "0101"}}}
    return [pack_view({"stage": 1, "groups": [group]}), pack_view({"stage": 0, "groups": []})]


_JSON = (b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"-0", b"1e3", b"\\u0000", b"NaN")
_ARMOUR = (
    b"-----BEGIN PBEM STATEMENT-----",
    b"-----END PBEM STATEMENT-----",
    b"-----BEGIN SSH SIGNATURE-----",
    b"-----END SSH SIGNATURE-----",
    b"> ",
    b"=\n",
    b"&gt;",
)
_YAML = (
    b"- ",
    b": ",
    b"? ",
    b"&a ",
    b"*a",
    b"!!x ",
    b"<<",
    b"|\n",
    b">\n",
    b"---\n",
    b"...\n",
    b"%YAML 1.1\n",
    b"# ",
)
_MAIL = (
    b"Content-Type: ",
    b"multipart/mixed; boundary=x",
    b"\n--x\n",
    b"format=flowed",
    b"charset=",
    b"base64",
)
ORDERS = [
    b"game: 0123456789ab\nstage: 1\nanswers:\n  T1/cards/card: calm\n",
    b"standing:\n  - {decision: bid, when: {turn: {at_least: 2}}, answer: 1}\n\n",
    b'{"game": "0123456789ab", "stage": 1, "answers": {"card": "storm"}}\n',
    b"answers:\n  card: |\n    calm\n  next-move: {unit: N-1, to: 0201}\n",
]

TARGETS: dict[str, Target] = {
    "armour": Target(run_armour, lambda: files("*/*/outbox/*.pbem.txt"), _ARMOUR),
    "signature": Target(run_signature, lambda: files("*/gm/roster.*.sig"), _ARMOUR[2:4]),
    "canonical": Target(run_canonical, lambda: files("*/gm/stages/*/*.json"), _JSON),
    "statement": Target(run_statement, lambda: files("*/*/stages/*/????????????????*.json", most=20), _JSON),
    "roster": Target(run_roster, lambda: files("*/gm/roster.json"), _JSON),
    "record": Target(run_record, lambda: files("*/gm/stages/*/record.json"), _JSON),
    "orders": Target(run_orders, lambda: ORDERS, _YAML),
    "state": Target(
        run_state, lambda: [*files("*/gm/state.yaml", "*/gm/private/state.yaml"), *ORDERS], _YAML
    ),
    "mail": Target(run_mail, lambda: files("*/*/outbox/*.eml"), _ARMOUR + _MAIL),
    "openings": Target(run_openings, _unpacked, _JSON),
    "view": Target(run_view, _views),
    "archive": Target(run_archive, _pieces, _JSON),
}


def finds(name: str) -> list[Path]:
    """What once broke a target: kept for good, and run with every suite."""
    return sorted((HERE / "finds" / name).glob("*"))
