"""Bad input of any kind gets one clear answer and exit code 1, and no file changes (product, 6)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from tests.cli.play import Seat, Table, order_file, pbem, tree

MIB = 1 << 20


def _asked(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat.status["mine"])


def _good(seat: Seat) -> str:
    """An order file that would be taken."""
    options = seat.pbem("orders", "legal", "--json").json
    return order_file(seat, {one["decision"]: one["answer"] for one in reversed(options)})


# name -> (the good file made bad, words of the diagnostic)
FILES: dict[str, tuple[Callable[[str], bytes], str]] = {
    "empty": (lambda good: b"", ""),
    "truncated": (lambda good: good[: len(good) // 2].encode(), ""),
    "huge": (lambda good: (good + "# x\n" * MIB).encode(), "at most 262144"),
    "duplicate keys": (lambda good: good.replace('"stage": 1', '"stage": 1, "stage": 1').encode(), "stage"),
    "alias bomb": (
        lambda good: b"a: &a [x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (n, n) for n in range(30)),
        "anchor",
    ),
    "tag": (lambda good: b"game: !!python/object:os.system x\n", "tag"),
    "a million brackets": (lambda good: b"answers: " + b"[" * MIB, ""),
    "two hundred thousand brackets": (lambda good: b"answers: " + b"[" * 200_000, "deep"),
    "binary": (lambda good: bytes(range(256)) * 8, ""),
    "two documents": (lambda good: good.encode() + b"---\n" + good.encode(), "document"),
    "escape sequence": (lambda good: good.replace('"game"', '"\\u001b[2J": 1, "game"').encode(), ""),
    "a list": (lambda good: b"- a\n- b\n", ""),
    "another game": (lambda good: good.replace(json.loads(good)["game"], "0" * 12).encode(), "game"),
    "another stage": (lambda good: good.replace('"stage": 1', '"stage": 7').encode(), "stage 7"),
    "a stage that is no number": (
        lambda good: good.replace('"stage": 1', '"stage": "soon"').encode(),
        "stage",
    ),
    "unknown decision": (
        lambda good: good.replace('"answers": {', '"answers": {"crad": 1,').encode(),
        "crad",
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("verb", ["check", "sign"])
def test_a_bad_order_file_is_refused_with_its_reason(
    table: Table, name: str, verb: str, tmp_path: Path
) -> None:
    seat = _asked(table)
    make, words = FILES[name]
    file = tmp_path / "orders.yaml"
    file.write_bytes(make(_good(seat)))
    before = tree(seat.root)
    said = seat.pbem("orders", verb, file, code=1)
    assert "error[" in said.err and words in said.err, said.err
    assert len(said.err) < 20_000, "one clear answer, not a flood"
    assert "\x1b" not in said.err + said.out
    assert said.out == ""
    assert tree(seat.root) == before


def _order_of(table: Table) -> tuple[Seat, Path]:
    seat = _asked(table)
    table.answer(seat)
    return seat, next((seat.root / "outbox").glob("*orders*.pbem.txt"))


def _resigned(text: str, change: Callable[[bytes], bytes], key: FileSigner) -> bytes:
    """The statement in a file, changed, and signed by some key."""
    (signed,) = armour.sound(armour.read(text))
    data = change(signed.data)
    return armour.write("", [Signed(data, (key.sign(data),))]).encode()


STRANGER = FileSigner.from_seed(b"nobody who plays in this game!!!")
MAILS: dict[str, tuple[Callable[[str], bytes], str]] = {
    "empty": (lambda good: b"", "nothing signed"),
    "truncated": (lambda good: good[: len(good) * 2 // 3].encode(), "nothing signed"),
    "huge": (lambda good: good.encode() + b"x" * (26 * MIB), "larger than 25 MiB"),
    "binary": (lambda good: bytes(range(256)) * 64, "nothing signed"),
    "a million brackets": (lambda good: b"[" * MIB, "nothing signed"),
    "only words": (lambda good: b"Subject: orders\n\nI storm the ford.\n", "no signed orders or report"),
    "one byte changed": (lambda good: _flip(good), "damaged or changed"),
    "signed by a stranger": (
        lambda good: _resigned(good, lambda data: data, STRANGER),
        "nobody in this game",
    ),
    "signed nonsense by a stranger": (
        lambda good: _resigned(good, lambda _: b"{}", STRANGER),
        "which is not a key of this game",
    ),
    "open tags": (lambda good: b"Content-Type: text/html\n\n" + b"<a " * 100_000, "nothing signed"),
    "deep multiparts": (
        lambda good: b"".join(
            b"Content-Type: multipart/mixed; boundary=a%d\n\n--a%d\n" % (n, n) for n in range(3000)
        ),
        "nothing signed",
    ),
}


def _flip(text: str) -> bytes:
    """Another letter in the middle of the statement's base64."""
    at = text.index("BEGIN PBEM STATEMENT-----\n") + 120
    return (text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]).encode()


@pytest.mark.parametrize("name", MAILS)
def test_a_bad_mail_is_refused_with_its_reason(table: Table, name: str, tmp_path: Path) -> None:
    _, mail = _order_of(table)
    make, words = MAILS[name]
    file = tmp_path / "mail"
    file.write_bytes(make(mail.read_text("utf-8")))
    before = tree(table.gm.root)
    said = table.gm.pbem("receive", file, code=1)
    assert words in said.out + said.err, said
    assert len(said.out + said.err) < 2000
    assert tree(table.gm.root) == before


def test_a_bad_mail_does_not_stop_a_good_one(table: Table, tmp_path: Path) -> None:
    _, good = _order_of(table)
    bad = tmp_path / "bad"
    bad.write_bytes(_flip(good.read_text("utf-8")))
    said = table.gm.pbem("receive", bad, good, code=0)
    assert said.lines[0].startswith("accepted") and "order of" in said.lines[0]
    assert "damaged or changed" in said.err


def test_a_replayed_mail_changes_nothing(table: Table) -> None:
    _, mail = _order_of(table)
    table.gm.pbem("receive", mail)
    before = tree(table.gm.root)
    said = table.gm.pbem("receive", mail)
    assert said.lines[0].startswith("already here")
    assert tree(table.gm.root) == before


def test_a_mail_of_another_game_is_not_taken(table: Table, tmp_path: Path, started_fog: Table) -> None:
    other = started_fog.copy(tmp_path / "other")
    _, mail = _order_of(other)
    before = tree(table.gm.root)
    said = table.gm.pbem("receive", mail, code=1)
    assert "a statement for another game" in said.out
    assert tree(table.gm.root) == before


def test_a_changed_roster_is_not_taken(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "roster.pbem.txt"
    data = (table.gm.root / "roster.json").read_bytes().replace(b"At dawn", b"At dusk")
    file.write_text(armour.write("", [Signed(data, (STRANGER.sign(data),))]))
    for seat in table.everybody:
        before = tree(seat.root)
        assert seat.pbem("receive", file, code=1).code == 1
        assert tree(seat.root) == before


def test_another_key_cannot_sign(table: Table, tmp_path: Path) -> None:
    seat = _asked(table)
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "other")
    file = tmp_path / "orders.yaml"
    file.write_text(_good(seat))
    before = tree(seat.root)
    said = seat.pbem("orders", "sign", file, "--key", tmp_path / "other", code=1)
    assert "is another key" in said.err
    assert tree(seat.root) == before


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 99, b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"])
def test_a_key_that_is_none_cannot_sign(table: Table, tmp_path: Path, content: bytes) -> None:
    seat = _asked(table)
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "orders.yaml").write_text(_good(seat))
    before = tree(seat.root)
    said = seat.pbem("orders", "sign", tmp_path / "orders.yaml", "--key", tmp_path / "key", code=1)
    assert said.err.startswith("error: ") or "error[" in said.err
    assert tree(seat.root) == before


def test_a_state_edited_by_hand_is_noticed_with_the_difference(table: Table) -> None:
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    state = table.gm.root / "state.yaml"
    state.write_text(state.read_text().replace('"steps": 2', '"steps": 9'))
    before = tree(table.gm.root)
    said = table.gm.pbem("adjudicate", code=1)
    assert "error[edited-state]" in said.err and "+" in said.err and '"steps": 9' in said.err
    assert tree(table.gm.root) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("roster.json", b"{"),
        ("roster.json", b"[" * 100_000),
        ("stages/0000/record.json", b"{}"),
        ("stages/0000/record.json", b"\xff\xfe"),
        ("private/facts.json", b"["),
        ("private/me.json", b"null?"),
        ("private/secrets.json", b"{"),
        ("private/seal.pem", b"nothing"),
    ],
)
def test_a_damaged_file_in_the_folder_is_named_or_survived(table: Table, name: str, content: bytes) -> None:
    (table.gm.root / name).write_bytes(content)
    for args in (("status",), ("report",), ("verify",), ("adjudicate",), ("map",)):
        said = table.gm.pbem(*args, code=None)
        assert said.code in (0, 1), said
        if said.code and "waits; nothing was run" not in said.err:
            assert "error" in said.err or "FALSE" in said.out or "FALSE" in said.err, (args, said)


def test_links_in_an_archive_lead_nowhere(table: Table, tmp_path: Path) -> None:
    shutil.copytree(table.gm.root, tmp_path / "archive", ignore=shutil.ignore_patterns("private"))
    secret = tmp_path / "secret.json"
    secret.write_text('{"mine": 1}')
    record = tmp_path / "archive" / "stages" / "0000" / "record.json"
    record.unlink()
    record.symlink_to(secret)
    said = pbem("verify", tmp_path / "archive", code=1)
    assert "mine" not in said.out + said.err
    assert "link" in said.out


INVITATIONS = {
    "empty": b"",
    "no invitation": b"Subject: x\n\nhello\n",
    "binary": bytes(range(256)) * 8,
}


@pytest.mark.parametrize("name", INVITATIONS)
def test_a_bad_invitation_makes_no_folder(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.pbem-invitation"
    file.write_bytes(INVITATIONS[name])
    who = ("--as", "north", "--name", "N", "--mail", "n@example.org")
    said = pbem("join", file, tmp_path / "game", *who, code=1)
    assert "error[no-invitation]" in said.err
    assert not (tmp_path / "game").exists()


BACKUPS = {"empty": b"", "nonsense": b"x" * 1000, "binary": bytes(range(256))}


@pytest.mark.parametrize("name", BACKUPS)
def test_a_bad_backup_changes_nothing(table: Table, tmp_path: Path, name: str) -> None:
    (tmp_path / "backup").write_bytes(BACKUPS[name])
    before = tree(table.gm.root)
    said = table.gm.pbem("key", "restore", tmp_path / "backup", code=1, PBEM_PASSPHRASE="secret")
    assert "error" in said.err
    assert tree(table.gm.root) == before
