"""Certificates: what holds, and that no part can be exchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.league.certificate import check
from pbem.text.canonical import dumps, loads
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed, read, write
from pbem.trust.keys import FileSigner
from tests.cli.play import pbem
from tests.unit.league.games import SAMPLE, certificate

STRANGER = FileSigner.from_seed(b"7" * 32)


@pytest.fixture(scope="module")
def parts() -> list[Signed]:
    return [Signed(one.statements[0], one.signatures) for one in read(certificate())]


def test_a_certificate_says_who_played_and_who_was_first(tmp_path: Path) -> None:
    file = tmp_path / "certificate.txt"
    file.write_text(certificate(), "utf-8")
    said = pbem("certificate", "--check", file).out
    assert "The certificate of The Sarn Strait holds." in said
    assert "In first place: Bert Example (blue), Gisela Example (green)" in said
    assert "SHA256:" in said and "after it nobody is asked" in said
    assert "Die Urkunde" in pbem("--lang", "de", "certificate", "--check", file).out


def test_mangled_by_mail_it_still_holds(parts: list[Signed]) -> None:
    quoted = "".join(f"> {line}\n" for line in certificate().splitlines())
    assert check(quoted).issuer == "gm"


def test_no_part_can_be_exchanged(parts: list[Signed]) -> None:
    claims = loads(parts[0].data)
    assert isinstance(claims, dict)
    forged = dumps({**claims, "result": ["Red won."]})
    for changed in (
        [Signed.by(STRANGER, forged), *parts[1:]],
        [Signed(forged, parts[0].signatures), *parts[1:]],
        [parts[0], Signed(parts[1].data, parts[1].signatures[:-1]), parts[2]],
        [parts[0], Signed.by(STRANGER, parts[1].data), parts[2]],
        [parts[0], parts[1], Signed.by(STRANGER, parts[2].data)],
        [parts[0], parts[2], parts[1]],
        parts[:2],
        [Signed.by(STRANGER, b"[]"), *parts[1:]],
        [Signed.by(STRANGER, dumps({**claims, "by": "nobody"})), *parts[1:]],
    ):
        with pytest.raises(Refused):
            check(write("", changed))
    assert check(write("", parts)).issuer == "gm"


def test_a_report_after_which_somebody_is_asked_ends_nothing(parts: list[Signed]) -> None:
    gm = FileSigner.load((Path(__file__).parents[2] / "data/keys/gm").read_bytes(), lambda _: "")
    claims = loads(parts[0].data)
    assert isinstance(claims, dict)
    early = next(
        one
        for file in sorted((SAMPLE / "stages/0005").glob("*.json"))
        if len(file.stem) == 64 and (one := statements.parse(file.read_bytes())).type == "report"
    )
    signature = (SAMPLE / f"stages/0005/{early.sid}.sig").read_text("ascii")
    head = early.report.record.head
    false = Signed.by(gm, dumps({**claims, "head": head, "stage": 5}))
    with pytest.raises(Refused, match="the game continues"):
        check(write("", [false, parts[1], Signed(early.bytes, (signature,))]))


def test_what_is_no_certificate_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "c.txt"
    file.write_bytes(b"\xff\x00 hello")
    assert "error[bad-certificate]" in pbem("certificate", "--check", file, code=1).err
