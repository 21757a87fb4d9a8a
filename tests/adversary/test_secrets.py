"""Whoever reads all that a folder shows, mails or prints learns nothing that he may not know."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive.folder import layout
from pbem.cli.games.table import Table as DemoTable
from pbem.cli.main import cli
from tests.adversary.forge import Party, bytes_of, parsed, sealed
from tests.adversary.play import Game, everything_outside_private
from tests.tools.independent_audit import canonical
from tests.unit.archive.table import Seat, begun, chooser

PLAYERS = ("red", "blue", "green")
SIDES = (("red",), ("blue", "green"))


def _party(table: DemoTable, name: str) -> Party:
    return Party(Seat(table.seats[name].root, name))


def _decoded(data: bytes) -> Iterator[bytes]:
    """The bytes, and whatever in them is base64, at any depth: armours, attachments, seals."""
    yield data
    lines = re.findall(rb"(?:[A-Za-z0-9+/]{4}){6,}[A-Za-z0-9+/=]{0,4}(?:\r?\n[A-Za-z0-9+/=]+)*", data)
    for line in lines:
        try:
            inner = base64.b64decode(re.sub(rb"\s", b"", line))
        except ValueError:
            continue
        yield inner
        if inner.startswith(b"{"):
            yield from _decoded(inner)


def _found(files: Mapping[str, bytes], secrets: Mapping[str, str]) -> list[str]:
    """Which secrets are in which files, written as text or as the bytes of a hex number."""
    wanted = {name: [text.encode()] for name, text in secrets.items()}
    for name, text in secrets.items():
        if re.fullmatch(r"[0-9a-f]{64}", text):
            wanted[name].append(bytes.fromhex(text))
    hits = []
    for file, data in files.items():
        parts = list(_decoded(data))
        # the scenario with its order of battle is everybody's before the first move (17.34)
        public = file.endswith("scenario.json") or any(b'"type":"invitation"' in part for part in parts)
        hits += [
            f"{name} in {file}"
            for name, forms in wanted.items()
            if not (public and name.startswith("block/"))
            if any(form in part for form in forms for part in parts)
        ]
    return hits


def _keys(party: Party) -> dict[str, str]:
    """Seal key, chain start, links of stages to come, the GM's secret, the signing key."""
    from pbem.trust.keys import load_seal_key

    name = party.name
    found = {f"chain start of {name}": party.secrets["chain"]}
    found |= {f"link {stage} of {name}": party.link(stage) for stage in range(party.stage, party.stage + 60)}
    found[f"seal key of {name}"] = load_seal_key((party.root / "private/seal.pem").read_bytes()).hex()
    pem = (party.root / "private/seal.pem").read_text().splitlines()
    found[f"seal key file of {name}"] = pem[1]
    if "gm" in party.secrets:
        found["secret of the GM"] = party.secrets["gm"]
    signing = (party.root / "private/id_ed25519").read_text().splitlines()
    found |= {f"line {n} of the signing key of {name}": line for n, line in enumerate(signing[3:-1])}
    return found


def _unopened(party: Party) -> dict[str, str]:
    """Nonces of commitments that no record has opened."""
    shown = set()
    for stage in range(1, party.last + 1):
        for entries in party.record(stage).get("openings", {}).values():
            shown |= {entry["nonce"] for entry in entries.values()}
    found = {}
    for path in sorted((party.root / "private/openings").glob("*.json")):
        for decision, entry in json.loads(path.read_bytes()).items():
            if entry["nonce"] not in shown:
                found[f"nonce of {party.name} for {decision} in {path.name}"] = entry["nonce"]
    return found


def _blocks(gm: Party, audience: tuple[str, ...]) -> dict[str, str]:
    """Ids of blocks that only these players may know."""
    facts = json.loads((gm.root / "private/facts.json").read_bytes())["facts"]
    mine = sorted({"gm", *audience})
    return {
        key: json.dumps(key.split("/")[1])[1:-1] for key, _, to in facts if to == mine and key[:6] == "block/"
    }


def test_no_secret_is_in_anything_outside_private(battle: DemoTable) -> None:
    gm = _party(battle, "gm")
    parties = [gm, *(_party(battle, name) for name in PLAYERS)]
    secrets: dict[str, str] = {}
    for party in parties:
        secrets |= _keys(party)
    for party in parties[1:]:
        secrets |= _unopened(party)
    assert any(name.startswith("nonce") for name in secrets)
    for side in SIDES:
        blocks = _blocks(gm, side)
        assert blocks, side
        secrets |= blocks
    for party in parties:
        files = everything_outside_private(party.root)
        assert any(name.startswith("outbox/") for name in files)
        assert _found(files, secrets) == []
    mails = {path.name: path.read_bytes() for path in (battle.root / "mails").iterdir()}
    assert _found(mails, secrets) == []


def test_a_player_s_private_side_holds_nothing_of_his_opponents(battle: DemoTable) -> None:
    gm = _party(battle, "gm")
    for side, other in (SIDES, SIDES[::-1]):
        secrets = _blocks(gm, other) | _keys(gm)
        for name in other:
            secrets |= _unopened(_party(battle, name)) | _keys(_party(battle, name))
        for name in side:
            assert _found(bytes_of(battle.seats[name].root), secrets) == []


COMMANDS = (
    ("status", "--json"),
    ("report", "--json"),
    ("report", "--format", "html"),
    ("map",),
    ("dice", "--json"),
    ("dice", "--how"),
    ("sequence",),
    ("orders", "legal", "--json"),
    ("verify", "--json"),
)


def test_no_command_prints_a_secret(battle: DemoTable) -> None:
    """Not to an opponent, not to somebody who was handed the folder, and keys not even to their owner."""
    gm = _party(battle, "gm")
    keys = {name: text for p in ("gm", *PLAYERS) for name, text in _keys(_party(battle, p)).items()}
    foreign = _blocks(gm, SIDES[1])
    for name in SIDES[1]:
        foreign |= _unopened(_party(battle, name))
    said = {
        "red": _said(battle.seats["red"].root, COMMANDS),
        "gm": _said(gm.root, COMMANDS[:-2]),
    }
    assert _found(said["red"], keys | foreign) == []
    assert _found(said["gm"], keys) == []


def test_a_folder_without_its_private_side_tells_what_is_public_and_no_more(
    battle: DemoTable, tmp_path: Path
) -> None:
    gm = _party(battle, "gm")
    shutil.copytree(gm.root, tmp_path / "copy", ignore=shutil.ignore_patterns("private", "outbox"))
    said = _said(tmp_path / "copy", COMMANDS)
    secrets = {**_blocks(gm, SIDES[0]), **_blocks(gm, SIDES[1])}
    assert _found(said, secrets) == []


def _said(root: Path, commands: tuple[tuple[str, ...], ...]) -> dict[str, bytes]:
    said = {}
    for args in commands:
        done = CliRunner().invoke(cli, ["-C", str(root), *args])
        assert "Traceback" not in done.output
        said[" ".join(args)] = done.output.encode()
    return said


def test_git_takes_nothing_private(battle: DemoTable, tmp_path: Path) -> None:
    for name in ("gm", "red"):
        root = tmp_path / name
        shutil.copytree(battle.seats[name].root, root)
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
        for args in (("init", "-q"), ("add", "-A")):
            subprocess.run(["git", *args], cwd=root, check=True, env=quiet, capture_output=True)
        listed = subprocess.run(
            ["git", "ls-files"], cwd=root, check=True, env=quiet, capture_output=True, text=True
        ).stdout.split()
        assert "roster.json" in listed
        assert not [path for path in listed if path.split("/")[0] in ("private", "outbox")]


# --- how big, how open ------------------------------------------------------------------------------------


def test_the_size_of_a_seal_does_not_tell_what_is_in_it(battle: DemoTable) -> None:
    sizes: dict[str, set[int]] = {"order": set(), "view": set()}
    for path in battle.seats["gm"].root.glob("stages/*/*.json"):
        if len(path.stem) == 64:
            body = json.loads(path.read_bytes())["body"]
            for blob in body.get("sealed", {}).values():
                sizes["order"].add(len(base64.b64decode(blob)) - 48)
    for path in battle.seats["gm"].root.glob("stages/*/views/*.bin"):
        sizes["view"].add(path.stat().st_size - 48)
    assert sizes["order"] and sizes["order"] <= {256, 1024, 4096, 16384}
    assert sizes["view"] and {size % 4096 for size in sizes["view"]} == {0}


def test_bids_of_any_size_make_orders_of_one_size(fog: Game) -> None:
    sizes = {len(fog.south.order(secret={"bid": bid}).data) for bid in (0, 3, 10, 2**31)}
    assert len(sizes) == 1
    seat = fog.seat("north")
    written = {
        len(max(seat.order({"card": card}).read_text().split("-----"), key=len)) for card in ("calm", "storm")
    }
    assert len(written) == 1


def test_everything_private_is_its_owner_s_alone_whatever_the_umask(tmp_path: Path) -> None:
    from tests.primer import FOG

    before = os.umask(0)
    try:
        table = begun(tmp_path, FOG)
        table.play_stage(chooser(1))
        found = [path for seat in table.everybody for path in (seat.root / "private").rglob("*")]
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in found}
    assert len(modes) > 30
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    for seat in table.everybody:
        assert stat.S_IMODE((seat.root / "private").stat().st_mode) == 0o700


# --- what is said of what is wrong ------------------------------------------------------------------------

MARK = "hush4711"

LEAKS: dict[str, Any] = {
    "a value of the wrong shape": {"link": "00" * 32, "openings": {"x": MARK}},
    "a decision nobody committed to": {
        "link": "00" * 32,
        "openings": {MARK: {"nonce": "00" * 32, "value": 1}},
    },
    "an unknown member": {"link": "00" * 32, MARK: 1},
    "a link that is none": {"link": MARK},
    "a nonce that is none": {"openings": {"x": {"nonce": MARK, "value": 1}}},
    "a value that is not canonical": f'{{"link":"{MARK}" }}'.encode(),
    "text": MARK.encode(),
    "a number with a point": f'{{"{MARK}":1.5}}'.encode(),
    "a name twice": f'{{"{MARK}":1,"{MARK}":2}}'.encode(),
    "a name with a blank": f'{{"{MARK} {MARK}":1}}'.encode(),
}


@pytest.mark.parametrize("name", LEAKS)
def test_what_is_in_a_bad_seal_is_not_quoted(fog: Game, name: str) -> None:
    """The reason lies in `inbox/`, which may be pushed, and goes out by mail."""

    def spoil(body: dict[str, Any], inside: dict[str, Any]) -> None:
        content = LEAKS[name]
        if isinstance(content, dict) and content.get("link") == "00" * 32:
            content = content | {"link": inside["link"]}
        body["sealed"] = {"gm": fog.south.seals(content)}

    receipt = fog.one("gm", fog.south.order(change=spoil))
    assert receipt.outcome == "unreadable" and receipt.reason
    assert MARK not in receipt.reason
    assert not [file for file, data in bytes_of(fog.gm.root).items() if MARK.encode() in data]


VIEWS: dict[str, Any] = {
    "facts of no shape": [{"audience": ["gm", "north"], "salt": "00" * 32, "facts": MARK}],
    "a key that is none": [{"audience": ["gm", "north"], "salt": "00" * 32, "facts": {MARK * 20: 1}}],
    "a salt that is none": [{"audience": ["gm", "north"], "salt": MARK, "facts": {}}],
    "an unknown member": [{"audience": ["gm", "north"], "salt": "00" * 32, "facts": {}, MARK: 1}],
    "no list": MARK,
}


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_in_a_bad_view_is_not_quoted(fog: Game, name: str) -> None:
    import zlib

    fog.answer()
    report = fog.report()
    packed = zlib.compress(canonical({"stage": 1, "groups": VIEWS[name]}))

    def view(party: str) -> bytes:
        return sealed(packed, fog.gm.entries[party]["seal"], fog.gm.game, 1, "view", "gm", party)

    report.view = view  # type: ignore[method-assign]
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and MARK not in told[0].reason
    assert not [file for file, data in bytes_of(fog.north.root).items() if MARK.encode() in data]


def test_an_illegal_sealed_answer_is_told_to_its_owner_alone(fog: Game) -> None:
    order = fog.north.order(secret={"T1/cards/card": MARK})
    for name in ("gm", "north", "south"):
        assert fog.one(name, order).outcome == "taken"
    fog.answer("south")
    fog.run()
    for name in ("gm", "north", "south"):
        root = fog.seat(name).root
        opened = fog.north.record(1).get("openings", {}).get("north", {})
        if "T1/cards/card" in opened:
            return  # the card was called for in this very stage: then all may read it
        assert not [file for file, data in everything_outside_private(root).items() if MARK.encode() in data]
    assert not [file for file, data in bytes_of(fog.south.root).items() if MARK.encode() in data]


def test_refused_statements_lie_where_the_archive_is_not_looked_for(fog: Game) -> None:
    """17.16: late and refused ones in `inbox/`, early ones in `inbox/early/`, the rest in its stage."""
    early = fog.south.order(stage=2, prev="00" * 32)
    bad = fog.south.order(prev="00" * 32)
    fog.give("gm", early, bad)
    assert len(list((fog.gm.root / layout.EARLY).glob("*.json"))) == 1
    assert len(list((fog.gm.root / layout.INBOX).glob("*.json"))) == 1
    assert parsed(early)["stage"] == 2
    assert fog.verify() == []
