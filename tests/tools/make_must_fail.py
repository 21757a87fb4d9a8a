"""Makes the archives that must fail, `tests/data/must_fail`: `python -m tests.tools.make_must_fail`.

Small games of the primer are played with published keys and with chance that is none, so that the same files
come out every time; then each is damaged or forged in one way after another, by someone who might have the
keys for it. What must be said of it is written down beside what was done, by the tables of
`tests/unit/archive` that say what each forgery is, not by what `verify` answered.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.ordering import order_file
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.trust import native
from pbem.trust.seal import check_seal_key
from tests.adversary.forge import _b64url
from tests.fixtures.foundation.primer import FOG, SYSTEM
from tests.fixtures.murmur import SYSTEM as MURMUR
from tests.unit.archive.forger import Forger
from tests.unit.archive.table import Table, chooser
from tests.unit.archive.tampering_pages import ON_PAGES, say
from tests.unit.archive.tampering_readers import READERS
from tests.unit.archive.tampering_results import RESULTS
from tests.unit.archive.tampering_said import SAID
from tests.unit.archive.test_tampering_ends import LAST, ROSTER

HERE = Path(__file__).parents[1] / "data/must_fail"
LEFT_OUT = ("private", "outbox", "inbox", "lock", ".gitattributes", ".gitignore")
NO_FILES = ("a file is a pipe that never ends", "a statement is huge")
"""Not every system can have these in a file of a list."""
BEFORE = -1
"""Stands for what is found before the first stage."""
SEATS = ["east", "north", "south"]
OF_A_READER = ("me.json", "secrets.json", "seal.pem")
Tree = dict[str, Any]

_spec = importlib.util.spec_from_file_location("unpack", HERE / "unpack.py")
assert _spec is not None and _spec.loader is not None
unpack: Any = importlib.util.module_from_spec(_spec)  # the program that goes with the collection
_spec.loader.exec_module(unpack)


# --- chance that is none --------------------------------------------------------------------------------


@contextmanager
def _no_chance(name: str) -> Iterator[None]:
    """Make keys, nonces, secrets and seals from a name, so that every run gives the same bytes."""
    count = iter(range(1 << 30))

    def drawn(size: int) -> bytes:
        return hashlib.shake_256(f"pbem must fail {name} {next(count)}".encode()).digest(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", drawn)
        patch.setattr(native, "_suite", lambda: _Suite(drawn))
        # trying a key draws: each time, whether or not this process has tried it before
        patch.setattr("pbem.trust.roster.check_seal_key", check_seal_key.__wrapped__)
        yield


class _Suite:
    """HPKE as in 8.2 with an ephemeral key that is drawn."""

    def __init__(self, drawn: Callable[[int], bytes]) -> None:
        self.drawn = drawn
        self.suite = CipherSuite.new(
            KEMId.DHKEM_X25519_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.CHACHA20_POLY1305
        )

    def encrypt(self, data: bytes, public: Any, info: bytes) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        key = KEMKey.from_jwk({"kty": "OKP", "crv": "X25519", "x": _b64url(raw)})
        pair = self.suite.kem.derive_key_pair(self.drawn(32))
        enc, context = self.suite.create_sender_context(key, info=info, eks=pair)
        return bytes(enc + context.seal(data))

    def decrypt(self, blob: bytes, private: Any, info: bytes) -> bytes:
        from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

        whole = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
        return whole.decrypt(blob, private, info=info)


# --- the games ------------------------------------------------------------------------------------------


def play(name: str, root: Path) -> Path:
    """Play one of the valid games; return its archive as a player would hand it over."""
    system, dice = {
        "open": (SYSTEM, "swift"),
        "fog": (FOG, "swift"),
        "pair": (SYSTEM, "pair"),
        "locked": (SYSTEM, "locked"),
    }[name]
    with _no_chance(name), installed():
        terms: dict[str, Any] = {"chain_length": 64, "dice": dice, "options": {"turns": 1}}
        if dice == "swift":
            terms["absent"] = "skip"
        table = Table(root / "table", system, "ford", ["north", "south"], **terms)
        table.start()
        if dice == "swift":
            table.play(chooser(4))
            unseal(table.gm.folder, table.gm.signer)
            table.post()
        else:
            for _ in range(2):
                table.play_stage(chooser(4))
        return handed_over(table, root / name)


def play_notes(root: Path) -> Path:
    """Play a game of three in which north wrote to south, unsealed as agreed; return its archive."""
    with _no_chance("notes"), installed():
        opened = Agreement(press=Press(opened=True))
        table = Table(root / "table", MURMUR, "three", SEATS, chain_length=64, agreed=opened)
        table.start()
        for bid in (1, 2):
            for seat in table.asked():
                (question,) = order_file.questions(seat.folder)
                note = {"note": {"to": ["south"], "text": "I go south."}} if seat.name == "north" else {}
                seat.order({question.key: bid, **note})
            table.post()
            table.run()
        unseal(table.gm.folder, table.gm.signer)
        table.post()
        return handed_over(table, root / "notes")


def handed_over(table: Table, to: Path) -> Path:
    """Return the archive of a game as a player would hand it over."""
    shutil.copytree(table.everybody[0].root, to, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return to


@contextmanager
def installed() -> Iterator[None]:
    """Make the rules of these games appear installed."""
    known: dict[str, System] = {one.name: one for one in (SYSTEM, FOG, MURMUR)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(systems, "find", lambda name: known[name])
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


# --- what is done to them -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A forgery: in which game, what is done, and what must be said. `change` gives the stage in which it
    must be found; None: the first one that it touched.
    """

    name: str
    base: str
    change: Callable[[Path], int | None]
    code: str
    party: str | None = None
    rules: bool = False
    """Only who has the rules of the game, and plays it again, can see it."""
    reader: str = ""
    """Only who has the private side of this player, `reader.json`, can see it."""


def cases() -> list[Case]:
    """Return all forged and damaged archives."""
    made: list[Case] = []
    for name, (said, wanted) in {**SAID, **RESULTS}.items():
        if name not in NO_FILES:
            made.append(Case(name, "fog", _by_stage(said), wanted.code, wanted.party))
    for name, (change, if_open, _) in LAST.items():
        made.append(Case(name, "open", _last(change), if_open, rules=if_open == "results"))
    for name, (of_roster, code, party) in ROSTER.items():
        made.append(
            Case(
                name, "open", _of_roster(of_roster), code, party, rules=code == "derived" and "state" in name
            )
        )
    made.append(Case("the GM signs two locks of one stage", "locked", _two_locks, "fork", "gm"))
    made.append(Case("a player answers in the name of the other", "locked", _borrowed_link, "sender"))
    made.append(Case("two players sign two heads of one stage", "pair", _two_heads, "fork"))
    made.append(Case("the record between two is another than was signed", "pair", _other_record, "head"))
    made.append(Case("events.json is missing between two", "pair", _no_events, "record"))
    for name, one in ON_PAGES.items():
        made.append(Case(name, one.base, one.change, one.wanted.code, one.wanted.party))
    for name, of in READERS.items():
        party = "gm" if of.code == "readers" else None
        made.append(Case(name, "notes", of.change, of.code, party, rules=of.rules, reader=of.reader))
    for name, event in INVENTED.items():
        made.append(Case(name, "fog", _invented(event), "event", "gm", rules=True))
    made.append(Case("a report for people says more", "open", _more_text, "derived", rules=True))
    made.append(
        Case("a report for people says more, with hidden units", "fog", _more_text, "derived", rules=True)
    )
    return made


INVENTED: dict[str, Callable[[list[Any]], None]] = {
    "the GM makes up an event of no kind": lambda events: events.append({"event": "meteor", "rule": "9.9"}),
    "the GM makes up a field of an event": lambda events: events[-1].update(moon="full"),
}


def _invented(change: Callable[[list[Any]], None]) -> Callable[[Path], int]:
    """Let the GM sign an invented last report, on which nothing else depends."""

    def done(root: Path) -> int:
        from pbem.trust import records

        forger = Forger(root)
        shutil.rmtree(forger.folder(forger.last + 1))
        stage = forger.last

        def report(data: dict[str, Any]) -> None:
            events = data["body"]["events"] or [{"event": "meteor", "rule": "9.9"}]
            change(events)
            data["body"]["events"] = events
            data["body"]["record"]["events"] = records.events_hash(events).hex()

        forger.report(stage, report)
        (root / "state.yaml").unlink()
        return stage

    return done


def _no_events(root: Path) -> int:
    (root / "stages/0001/events.json").unlink()
    return 1


def _more_text(root: Path) -> int:
    path = root / "stages/0001/report.txt"
    path.write_text(path.read_text() + "The game is annulled.\n")
    return 1


def _by_stage(change: Callable[[Forger, int], None]) -> Callable[[Path], int | None]:
    def done(root: Path) -> int | None:
        forger = Forger(root)
        change(forger, forger.stage_with("order", "north"))
        return None

    return done


def _last(change: Callable[[Forger, int], None]) -> Callable[[Path], int | None]:
    def done(root: Path) -> int:
        forger = Forger(root)
        shutil.rmtree(forger.folder(forger.last + 1))
        change(forger, forger.last)
        (root / "state.yaml").unlink()
        return forger.last

    return done


def _of_roster(change: Callable[[Path], None]) -> Callable[[Path], int | None]:
    def done(root: Path) -> int:
        change(root)
        return BEFORE

    return done


def _two_locks(root: Path) -> int:
    forger = Forger(root)
    path = forger.find(1, "lock")
    data = forger.data(path)
    other = dict(data, body={**data["body"], "accepted": {**data["body"]["accepted"], "south": None}})
    other["body"]["forfeits"] = ["south"]
    say(root, 1, other, "gm")
    return 1


def _borrowed_link(root: Path) -> int:
    forger = Forger(root)
    forger.write(path := forger.find(2, "link", "north"), forger.data(path), "south")
    return 2


def _two_heads(root: Path) -> int:
    forger = Forger(root)
    stage = 1
    data = forger.data(forger.find(stage, "link"))
    say(root, stage, dict(data, body={**data["body"], "head": "ab" * 32}), data["from"])
    return stage


def _other_record(root: Path) -> int:
    path = root / "stages/0002/record.json"
    data = json.loads(path.read_text())
    data["state"] = "ab" * 32
    path.write_text(json.dumps(data))
    return 2


# --- writing it down ------------------------------------------------------------------------------------


def tree(root: Path) -> Tree:
    """Return files and links below a folder; text as text, everything else in base64."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith("private/"):
            continue
        if path.is_symlink():
            found[name] = {"link": "../" * name.count("/") + "../elsewhere"}
        elif path.is_file():
            found[name] = _content(path.read_bytes())
    return found


def _content(data: bytes) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    return text if len(text) < 100_000 else {"repeat": [text[:1], len(text)]}


def made() -> dict[str, str]:
    """Return {name: text} of the collection, without README and unpacking program."""
    files: dict[str, str] = {}
    bases: dict[str, Tree] = {}
    secrets: dict[str, Path] = {}
    with tempfile.TemporaryDirectory() as where:
        for name in ("open", "fog", "pair", "locked"):
            root = Path(where) / f"of-{name}"
            bases[name] = tree(play(name, root))
            secrets[name] = root / "table" / ("north" if name == "pair" else "gm") / "private/secrets.json"
        bases["notes"] = tree(play_notes(Path(where) / "of-notes"))
        reader = Path(where) / "of-notes/table/south/private"
        secrets["notes"] = reader / "secrets.json"
        kept = {f"private/{name}": (reader / name).read_text("utf-8") for name in OF_A_READER}
        files["reader.json"] = _text(kept)
        files |= {f"base/{name}.json": _text(one) for name, one in bases.items()}
        listed = [_written(case, bases[case.base], secrets[case.base], Path(where)) for case in cases()]
    files["cases.json"] = _text(listed)
    return files


def _written(case: Case, base: Tree, secrets: Path, where: Path) -> dict[str, Any]:
    root = where / "forged"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    unpack.put(root, base)
    (root / "private").mkdir()  # what the forger knows
    shutil.copy(secrets, root / "private/secrets.json")
    if (secrets.parent / "seal.pem").exists() and case.reader:
        shutil.copytree(secrets.parent, root / "private/reader")
    with _no_chance(case.name), installed():
        stage = case.change(root)
    after = tree(root)
    changed = {name: after.get(name) for name in sorted({*base, *after}) if base.get(name) != after.get(name)}
    stages = [int(name.split("/")[1]) for name in changed if name.startswith("stages/")]
    if stage is None:
        stage = min(stages)
    expect = {
        "sound": False,
        "stage": stage if stage != BEFORE else None,
        "code": case.code,
        "party": case.party,
        "needs_rules": case.rules,
        **({"needs_reader": case.reader} if case.reader else {}),
    }
    return {"name": case.name, "base": case.base, "expect": expect, "changes": changed}


def _text(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write them."""
    for name, text in made().items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
