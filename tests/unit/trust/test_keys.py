"""Private keys: files, agent and ssh-keygen sign alike, and only the right key is opened."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.trust import keys, sshsig
from pbem.trust.agent import AgentSigner, agent_keys
from pbem.trust.errors import BadKey, BadSignature, NoSigner
from pbem.trust.hashing import lp, u32
from pbem.trust.keys import FileSigner, KeygenSigner, find_signer, make_key

MESSAGE = "a statement with an Ü in it".encode()


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here to compare with")
    return found


def keygen_key(folder: Path, passphrase: str = "", *options: str, name: str = "id") -> Path:
    path = folder / name
    command = [
        program("ssh-keygen"),
        "-q",
        "-t",
        "ed25519",
        "-N",
        passphrase,
        "-C",
        "of mine",
        "-f",
        str(path),
    ]
    subprocess.run([*command, *options], check=True, capture_output=True)
    return path


def public_of(path: Path) -> bytes:
    return sshsig.read_public_file(path.with_name(path.name + ".pub").read_text())


@pytest.fixture
def agent() -> Iterator[str]:
    """A real ssh-agent of our own, ended by its process id."""
    path = program("ssh-agent")
    with tempfile.TemporaryDirectory(prefix="pbem") as folder:  # socket paths must be short
        where = f"{folder}/agent"
        process = subprocess.Popen(
            [path, "-D", "-a", where], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            for _ in range(200):
                if os.path.exists(where):
                    break
                threading.Event().wait(0.02)
            yield where
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def add(agent: str, path: Path) -> None:
    environment = {**os.environ, "SSH_AUTH_SOCK": agent}
    subprocess.run([program("ssh-add"), "-q", str(path)], check=True, capture_output=True, env=environment)


# --- files ----------------------------------------------------------------------------------------------


def test_a_new_key_signs_what_ssh_keygen_would_sign(tmp_path: Path) -> None:
    path = tmp_path / "made"
    path.write_bytes(make_key())
    path.chmod(0o600)
    signer = FileSigner.load(path.read_bytes())
    oracle = KeygenSigner(signer.public, path, program("ssh-keygen"))
    assert signer.sign(MESSAGE) == oracle.sign(MESSAGE)
    sshsig.verify(signer.public, signer.sign(MESSAGE), MESSAGE)
    assert make_key() != make_key()


def test_a_key_by_ssh_keygen_loads(tmp_path: Path) -> None:
    path = keygen_key(tmp_path)
    signer = FileSigner.load(path.read_bytes())
    assert signer.public == public_of(path) == keys.public_of(path.read_bytes())
    assert signer.sign(MESSAGE) == KeygenSigner(signer.public, path).sign(MESSAGE)


def test_an_encrypted_key_by_ssh_keygen_asks_for_its_passphrase_by_name(tmp_path: Path) -> None:
    path = keygen_key(tmp_path, "correct horse", "-a", "4")
    asked: list[str] = []

    def answer(name: str) -> str:
        asked.append(name)
        return "correct horse"

    signer = FileSigner.load(path.read_bytes(), answer, "my key")
    assert (signer.public, asked) == (public_of(path), ["my key"])
    with pytest.raises(BadKey, match="the passphrase is wrong for my key"):
        FileSigner.load(path.read_bytes(), lambda name: "wrong", "my key")
    for nothing in (None, lambda name: None, lambda name: ""):
        with pytest.raises(BadKey, match="my key is encrypted, and no passphrase was given"):
            FileSigner.load(path.read_bytes(), nothing, "my key")


def test_our_own_encrypted_key_is_one_that_ssh_keygen_opens(tmp_path: Path) -> None:
    path = tmp_path / "made"
    path.write_bytes(make_key("correct horse"))
    path.chmod(0o600)
    shown = subprocess.run(
        [program("ssh-keygen"), "-y", "-P", "correct horse", "-f", str(path)], capture_output=True, check=True
    )
    signer = FileSigner.load(path.read_bytes(), lambda name: "correct horse")
    assert shown.stdout.decode().split()[:2] == sshsig.public_line(signer.public).split()
    with pytest.raises(BadKey, match="the passphrase is empty"):
        make_key("")


def test_what_is_no_key_is_said_to_be_none(tmp_path: Path) -> None:
    good = make_key()
    lines = good.splitlines(keepends=True)
    for data in (
        b"",
        b"hello",
        lines[0] + lines[-1],
        lines[0] + lines[1][:40] + b"\n" + lines[-1],
        lines[0] + b"AAAA" + b"".join(lines[1:]),
        lines[0] + b"***\n" + lines[-1],
        lines[0] + b"*" + b"".join(lines[1:]),
        b"".join(lines[:-2]) + lines[-1],
        b"\xff\xfe",
    ):
        with pytest.raises(BadKey, match=r"mine"):
            FileSigner.load(data, name="mine")
    rsa = tmp_path / "rsa"
    command = [program("ssh-keygen"), "-q", "-t", "ecdsa", "-N", "", "-f", str(rsa)]
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(BadKey, match="ssh-keygen -t ed25519"):
        FileSigner.load(rsa.read_bytes(), name="mine")


# --- ssh-agent ------------------------------------------------------------------------------------------


def test_an_agent_signs_the_same_bytes(agent: str, tmp_path: Path) -> None:
    assert agent_keys(agent) == ()
    path = keygen_key(tmp_path)
    ecdsa = keygen_key(tmp_path, "", "-t", "ecdsa", name="other")
    add(agent, ecdsa)
    add(agent, path)
    assert agent_keys(agent) == (public_of(path),)
    signer = AgentSigner(agent, public_of(path))
    assert signer.sign(MESSAGE) == FileSigner.load(path.read_bytes()).sign(MESSAGE)


def test_an_agent_without_the_key_would_not_sign(agent: str) -> None:
    with pytest.raises(NoSigner, match="did not sign"):
        AgentSigner(agent, bytes(31) + b"\x40").sign(MESSAGE)


def test_no_agent_is_said_so(tmp_path: Path) -> None:
    for where in (str(tmp_path / "nothing"), str(tmp_path), "/" + "long/" * 60):
        with pytest.raises(NoSigner, match="no ssh-agent answers at"):
            agent_keys(where)


@pytest.fixture
def liar() -> Iterator[tuple[str, list[bytes]]]:
    """Something that listens where an agent should, and gives the answers put into its list."""
    if not hasattr(socket, "AF_UNIX"):
        pytest.skip("doesn't have the sockets that an ssh-agent uses")
    with tempfile.TemporaryDirectory(prefix="pbem") as folder, socket.socket(socket.AF_UNIX) as server:
        answers: list[bytes] = []
        server.bind(f"{folder}/agent")
        server.listen()

        def serve() -> None:
            while True:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    if not answers:
                        return
                    connection.sendall(answers.pop(0))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"{folder}/agent", answers
        answers.clear()
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(f"{folder}/agent")
            last.sendall(b"end")
        thread.join(10)


def test_an_agent_that_talks_nonsense_is_not_believed(liar: tuple[str, list[bytes]]) -> None:
    where, answers = liar
    nonsense = {
        b"": "broke off",
        b"\0\0": "broke off",
        b"\0\0\0\5\x0c": "broke off",
        u32(0): "impossible length",
        u32(2**31): "impossible length",
        lp(b"\x05"): "did not list its keys",
    }
    for answer, why in nonsense.items():
        answers.append(answer)
        with pytest.raises(NoSigner, match=why):
            agent_keys(where)
    for answer in (
        b"\x0c" + u32(2) + lp(b"key") + lp(b""),
        b"\x0c" + u32(2**32 - 1),
        b"\x0c" + u32(0) + b"x",
    ):
        answers.append(lp(answer))
        with pytest.raises(BadSignature):
            agent_keys(where)


def test_an_agent_that_signs_with_another_key_is_found_out(liar: tuple[str, list[bytes]]) -> None:
    where, answers = liar
    mine, other = (FileSigner.load(make_key()) for _ in range(2))
    _, signature = sshsig.decode(other.sign(MESSAGE))
    answers.append(lp(b"\x0e" + lp(lp(b"ssh-ed25519") + lp(signature))))
    with pytest.raises(BadSignature, match="another key signed them"):
        AgentSigner(where, mine.public).sign(MESSAGE)


# --- who signs ------------------------------------------------------------------------------------------


def test_the_agent_comes_before_a_file(agent: str, tmp_path: Path) -> None:
    path = keygen_key(tmp_path)
    signer = find_signer(public_of(path), files=[path], agent_socket=agent)
    assert isinstance(signer, FileSigner)
    add(agent, path)
    signer = find_signer(public_of(path), files=[path], agent_socket=agent)
    assert isinstance(signer, AgentSigner)


def test_only_the_file_with_the_wanted_key_is_opened(tmp_path: Path) -> None:
    other = keygen_key(tmp_path, "secret", name="other")
    wanted = keygen_key(tmp_path, "correct horse", name="wanted")
    (tmp_path / "junk").write_bytes(b"\xff")
    asked: list[str] = []

    def answer(name: str) -> str:
        asked.append(name)
        return "correct horse"

    files = [tmp_path / "absent", tmp_path / "junk", other, wanted]
    signer = find_signer(
        public_of(wanted), files=files, agent_socket=str(tmp_path / "no-agent"), passphrase=answer
    )
    assert (signer.public, asked) == (public_of(wanted), [str(wanted)])


def test_ssh_keygen_signs_with_what_cryptography_does_not_open(tmp_path: Path) -> None:
    path = keygen_key(tmp_path, "correct horse", "-Z", "aes128-ctr")
    with pytest.raises(keys.UnreadableKey, match="aes128-ctr"):
        FileSigner.load(path.read_bytes(), lambda name: "correct horse", "it")
    signer = find_signer(public_of(path), files=[path], passphrase=lambda name: "correct horse")
    assert isinstance(signer, KeygenSigner)
    with pytest.raises(NoSigner, match="aes128-ctr"):
        find_signer(public_of(path), files=[path], passphrase=lambda name: "correct horse", ssh_keygen=None)


def test_a_public_key_file_is_left_to_ssh_keygen(tmp_path: Path) -> None:
    path = keygen_key(tmp_path)
    signer = find_signer(public_of(path), files=[tmp_path / "id.pub"])
    assert isinstance(signer, KeygenSigner)
    assert signer.sign(MESSAGE) == FileSigner.load(path.read_bytes()).sign(MESSAGE)


def test_when_nobody_can_sign_it_says_what_was_tried(tmp_path: Path) -> None:
    path = keygen_key(tmp_path)
    wanted = FileSigner.load(make_key()).public
    with pytest.raises(
        NoSigner, match=r"SHA256:.*: no ssh-agent answers at .*; .*id is another key; .*can't read .*no:"
    ):
        find_signer(wanted, files=[path, tmp_path / "no"], agent_socket=str(tmp_path / "agent"))
    with pytest.raises(NoSigner, match="there is no ssh-agent, and no key file was given"):
        find_signer(wanted)
    with pytest.raises(NoSigner, match="could not sign"):
        KeygenSigner(wanted, path, str(tmp_path / "no-such-program")).sign(MESSAGE)
    with pytest.raises(NoSigner, match="did not sign with"):
        KeygenSigner(wanted, tmp_path / "no", program("ssh-keygen")).sign(MESSAGE)
    with pytest.raises(BadSignature):
        KeygenSigner(wanted, path, program("ssh-keygen")).sign(MESSAGE)


# --- seal keys ------------------------------------------------------------------------------------------


def test_a_seal_key_is_pkcs8_and_may_be_encrypted() -> None:
    plain, locked = (
        keys.seal_file(secrets.token_bytes(32)),
        keys.seal_file(secrets.token_bytes(32), "correct horse"),
    )
    assert plain.startswith(b"-----BEGIN PRIVATE KEY-----")
    assert len(keys.seal_public(keys.load_seal_key(plain))) == 32
    assert len(keys.load_seal_key(locked, lambda name: "correct horse")) == 32
    with pytest.raises(BadKey, match="no passphrase was given"):
        keys.load_seal_key(locked)
    with pytest.raises(BadKey, match="the passphrase is wrong for the seal key"):
        keys.load_seal_key(locked, lambda name: "wrong")
    for other in (b"", b"hello", plain[:60], make_key()):
        with pytest.raises(BadKey):
            keys.load_seal_key(other)


def test_a_signing_key_is_no_seal_key() -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(BadKey, match="not an X25519 key"):
        keys.load_seal_key(pem)
