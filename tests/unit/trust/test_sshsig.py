"""Detached OpenSSH signatures: the bytes, and everything that is refused."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.trust import sshsig
from pbem.trust.errors import BadKey, BadSignature
from pbem.trust.hashing import lp, u32
from pbem.trust.keys import FileSigner
from pbem.trust.roster import Roster


def armoured(blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join([sshsig.BEGIN, *lines, sshsig.END, ""])


def blob(
    public: bytes = bytes(32),
    signature: bytes = bytes(64),
    *,
    version: int = 1,
    namespace: bytes = b"pbem-v1",
    reserved: bytes = b"",
    algorithm: bytes = b"sha512",
    kind: bytes = b"ssh-ed25519",
    rest: bytes = b"",
) -> bytes:
    key, value = lp(kind) + lp(public), lp(kind) + lp(signature)
    return (
        b"SSHSIG" + u32(version) + lp(key) + lp(namespace) + lp(reserved) + lp(algorithm) + lp(value) + rest
    )


# --- the vectors ----------------------------------------------------------------------------------------


def test_the_signed_blob_and_signature_of_the_small_statement(
    vectors: dict[str, Any], signers: dict[str, FileSigner]
) -> None:
    small = vectors["small"]
    message = small["canonical"].encode()
    assert sshsig.signed_blob(message).hex() == small["tbs_hex"]
    assert signers["north"].sign(message) == small["signature"]
    assert sshsig.public_line(signers["north"].public) == small["north_sign"]
    sshsig.verify(sshsig.parse_public_line(small["north_sign"]), small["signature"], message)


def test_the_other_signatures_of_the_vectors(vectors: dict[str, Any], signers: dict[str, FileSigner]) -> None:
    by = [
        ("north", vectors["statement_canonical"], vectors["statement"]["signature"]),
        ("south", vectors["statement_south"]["canonical"], vectors["statement_south"]["signature"]),
        *(
            (who, vectors["amend"]["canonical"], armour)
            for who, armour in vectors["amend"]["signatures"].items()
        ),
    ]
    for who, text, armour in by:
        sshsig.verify(signers[who].public, armour, text.encode())
        assert signers[who].sign(text.encode()) == armour


def test_a_signature_is_not_good_for_other_bytes_or_keys(
    vectors: dict[str, Any], signers: dict[str, FileSigner]
) -> None:
    message = vectors["small"]["canonical"].encode()
    armour = vectors["small"]["signature"]
    with pytest.raises(BadSignature, match="other bytes were signed"):
        sshsig.verify(signers["north"].public, armour, message + b" ")
    with pytest.raises(BadSignature, match="not by SHA256:"):
        sshsig.verify(signers["south"].public, armour, message)


def test_a_signature_with_its_scalar_not_reduced_is_refused(signers: dict[str, FileSigner]) -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    public, signature = sshsig.decode(signers["north"].sign(b"x"))
    scalar = int.from_bytes(signature[32:], "little") + order
    again = sshsig.encode(public, signature[:32] + scalar.to_bytes(32, "little"))
    with pytest.raises(BadSignature):
        sshsig.verify(public, again, b"x")


# --- the form -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (blob(version=2), "version 2"),
        (blob(namespace=b"file"), "for 'file'"),
        (blob(reserved=b"x"), "reserved"),
        (blob(algorithm=b"sha256"), "'sha256'"),
        (blob(kind=b"ssh-rsa"), "type 'ssh-rsa'"),
        (blob(public=bytes(31)), "not 31"),
        (blob(signature=bytes(63)), "not 63"),
        (blob(rest=b"\0"), "after its end"),
        (blob()[:-1], "ends too early"),
        (b"SSHSIG", "ends too early"),
        (b"", "ends too early"),
        (b"SSHSIX" + blob()[6:], "not an SSH signature"),
        (blob()[:10] + u32(2**32 - 1), "ends too early"),
    ],
)
def test_any_other_form_of_signature_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(BadSignature, match=why):
        sshsig.decode(armoured(data))


def test_the_armour_has_one_form_only(vectors: dict[str, Any]) -> None:
    good = vectors["small"]["signature"]
    assert sshsig.encode(*sshsig.decode(good)) == good
    others = (
        good.rstrip("\n"),
        good.replace("\n", "\r\n"),
        good + "\n",
        " " + good,
        good.replace("\nU1NI", "\n U1NI"),
        good.replace("SSH SIGNATURE", "PGP SIGNATURE"),
        good.replace("U1NIU0lH", "U1NIU0l*"),
        "\n".join([sshsig.BEGIN, "".join(good.split("\n")[1:-2]), sshsig.END, ""]),
        good.replace("\n-----END", "A===\n-----END"),
        "",
        sshsig.BEGIN,
        good + "x" * 10_000,
    )
    for other in others:
        with pytest.raises(BadSignature):
            sshsig.decode(other)


def test_keys_and_signatures_of_other_lengths_are_not_written() -> None:
    for public, signature in ((bytes(31), bytes(64)), (bytes(32), bytes(65))):
        with pytest.raises(BadSignature):
            sshsig.encode(public, signature)


# --- keys -----------------------------------------------------------------------------------------------


def test_keys_of_small_order_are_refused_with_either_sign(vectors: dict[str, Any]) -> None:
    assert len(vectors["refused_sign_keys"]) == 7
    for text in vectors["refused_sign_keys"]:
        key = bytes.fromhex(text)
        for one in (key, key[:31] + bytes([key[31] | 0x80])):
            with pytest.raises(BadKey):
                sshsig.check_key(one)
            with pytest.raises(BadKey):
                sshsig.parse_public_line(sshsig.public_line(one))
            with pytest.raises(BadKey):
                sshsig.verify(one, sshsig.encode(one, bytes(64)), b"anything")


def test_a_key_not_below_the_prime_is_refused() -> None:
    with pytest.raises(BadKey, match="canonical"):
        sshsig.check_key((2**255 - 19 + 5).to_bytes(32, "little"))
    with pytest.raises(BadKey, match="not 31"):
        sshsig.check_key(bytes(31))


def test_a_public_key_has_two_fields_and_canonical_base64(signers: dict[str, FileSigner]) -> None:
    line = sshsig.public_line(signers["north"].public)
    assert sshsig.parse_public_line(line) == signers["north"].public
    kind, text = line.split(" ")
    rsa = base64.b64encode(lp(b"ssh-rsa") + lp(bytes(32))).decode()
    for other in (
        line + " north@home",
        line + " ",
        line + "\n",
        " " + line,
        kind,
        "",
        f"{kind}  {text}",
        f"ssh-rsa {text}",
        f"{kind} {rsa}",
        f"{kind} {text[:-4]}",
        f"{kind} {text}AAAA",
        f"{kind} {text[:8]}\n{text[8:]}",
        f"{kind} {text}=",
        f"{kind} {text}====",
        f"{kind} ärger",
    ):
        with pytest.raises(BadKey):
            sshsig.parse_public_line(other)
    assert sshsig.read_public_file(line + " north@home of mine\n") == signers["north"].public


# --- ssh-keygen as oracle -------------------------------------------------------------------------------


def keygen() -> str:
    program = shutil.which("ssh-keygen")
    if program is None:
        pytest.skip("no ssh-keygen here to compare with")
    return program


def test_ssh_keygen_verifies_with_the_generated_allowed_signers(
    vectors: dict[str, Any], roster: Roster, tmp_path: Path
) -> None:
    (tmp_path / "allowed").write_text(roster.allowed_signers())
    (tmp_path / "sig").write_text(vectors["statement"]["signature"])

    def check(principal: str, namespace: str, data: str) -> int:
        command = [keygen(), "-Y", "verify", "-f", "allowed", "-I", principal, "-n", namespace, "-s", "sig"]
        return subprocess.run(command, input=data.encode(), cwd=tmp_path, capture_output=True).returncode

    data = vectors["statement_canonical"]
    assert roster.principal("north") == "north@94901e555ec7"
    assert check("north@94901e555ec7", "pbem-v1", data) == 0
    assert check("north@94901e555ec7", "pbem-v1", data + " ") != 0
    assert check("south@94901e555ec7", "pbem-v1", data) != 0
    assert check("north@94901e555ec7", "file", data) != 0


def test_the_fingerprint_is_that_of_ssh_keygen(signers: dict[str, FileSigner], tmp_path: Path) -> None:
    (tmp_path / "key.pub").write_text(sshsig.public_line(signers["gm"].public) + "\n")
    shown = subprocess.run(
        [keygen(), "-lf", "key.pub"], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    assert shown.stdout.split()[1] == sshsig.fingerprint(signers["gm"].public)


# --- outside vectors ------------------------------------------------------------------------------------


def test_every_answer_of_wycheproof(shared_data: Path) -> None:
    data = json.loads((shared_data / "ed25519" / "ed25519_test.json").read_text("utf-8"))
    count = 0
    for group in data["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        for case in group["tests"]:
            count += 1
            message, signature = bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"])
            valid = True
            try:
                sshsig.check_raw(public, signature, message)
            except BadSignature:
                valid = False
            assert valid == (case["result"] == "valid"), f"test {case['tcId']}: {case['comment']}"
    assert count == data["numberOfTests"] == 151


def test_where_libraries_disagree_the_answers_are_pinned(shared_data: Path) -> None:
    cases = json.loads((shared_data / "ed25519" / "cases.json").read_text("utf-8"))
    answers = {}
    for i, case in enumerate(cases):
        public, signature, message = (
            bytes.fromhex(case[name]) for name in ("pub_key", "signature", "message")
        )
        try:
            sshsig.check_raw(public, signature, message)
            answers[i] = "good"
        except BadKey:
            answers[i] = "key"
        except BadSignature:
            answers[i] = "signature"
    refused_keys = {i for i, answer in answers.items() if answer == "key"}
    assert refused_keys == {0, 1, 10, 11}
    assert {i for i, answer in answers.items() if answer == "good"} == {2, 3}
