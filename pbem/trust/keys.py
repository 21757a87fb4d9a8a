"""Private keys: the available signers in the order of protocol 4.1, and the seal keys of a game.

All ways to sign give the same bytes, because Ed25519 is deterministic. The caller passes files, the agent's
socket and a way to ask for a passphrase; nothing here looks into the environment.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.backup import backup, restore
from pbem.trust.errors import (
    BadBackup,
    BadKey,
    BadSignature,
    NoKey,
    NoSigner,
    NotHere,
    OtherKind,
    TrustError,
)
from pbem.trust.hashing import Reader
from pbem.trust.primitives import home

Passphrase = Callable[[str], str | None]
"""Asked with the name of what is to be opened; None if the user gives up."""

_PEM_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_PEM_END = b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_SHUT = b"-----BEGIN PBEM KEY BACKUP-----"
"""In a key file that a browser has encrypted, which has no bcrypt: the format of a key backup (scrypt)."""
_MAX_FILE = 64 * 1024
_KEYGEN_SECONDS = 300  # ssh-keygen may ask for a passphrase or a touch


class Signer(Protocol):
    """A signer for one public key."""

    @property
    def public(self) -> bytes:
        """Return the 32 bytes of the public key."""

    def sign(self, message: bytes) -> str:
        """Return the armoured SSHSIG over the message (protocol 5.2)."""


class FileSigner:
    """A signer with an OpenSSH private key that was read from a file."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.public = home().public_of(seed)

    @property
    def seed(self) -> bytes:
        """Return the private half, for a handover."""
        return self._seed

    def __repr__(self) -> str:
        return f"FileSigner({sshsig.fingerprint(self.public)})"

    @classmethod
    def load(
        cls, data: bytes, passphrase: Passphrase | None = None, name: str = "the key file"
    ) -> FileSigner:
        """Open a private key; BadKey if it is no key, of another type, or the passphrase is wrong.

        An encrypted key asks `passphrase` with `name`. UnreadableKey means that ssh-keygen may still open it.
        """
        if _SHUT in data:
            data, passphrase = _unshut(data, passphrase, name), None
        header = _header(data, name)
        secret = _ask(passphrase, name) if header.encrypted else None
        try:
            return cls(home().read_signing_key(data, secret))
        except NotHere as fault:
            raise UnreadableKey(
                Message(
                    "trust.keys.encrypted-cannot-opened-here", name=name, cipher=header.cipher, fault=fault
                )
            ) from None
        except NoKey:
            what = (
                Message("trust.keys.passphrase-does-not-open")
                if header.encrypted
                else Message("trust.keys.no-whole-private-key-in")
            )
            raise BadKey(f"{what} {name}") from None
        except OtherKind:
            raise BadKey(Message("trust.keys.not-ed25519-key-make-one", name=name)) from None

    @classmethod
    def from_seed(cls, seed: bytes) -> FileSigner:
        """Return the key whose private half is this 32-byte seed (RFC 8032)."""
        return cls(seed)

    def sign(self, message: bytes) -> str:
        """Return the armoured signature."""
        return sshsig.encode(self.public, home().sign(self._seed, sshsig.signed_blob(message)))


class UnreadableKey(BadKey):
    """A private key in a form that is not opened here; ssh-keygen may."""


class KeygenSigner:
    """A signer that runs `ssh-keygen -Y sign`.

    Its file is a private key, or a public one whose key an agent holds.
    """

    def __init__(self, public: bytes, key_file: Path, program: str = "ssh-keygen") -> None:
        self.public = public
        self._key_file = key_file
        self._program = program

    def __repr__(self) -> str:
        return f"KeygenSigner({str(self._key_file)!r}, {sshsig.fingerprint(self.public)})"

    def sign(self, message: bytes) -> str:
        """Return the armoured signature.

        NoSigner if the program is absent or fails, BadSignature if it signs nonsense.
        """
        import subprocess

        command = [
            self._program,
            "-Y",
            "sign",
            "-q",
            "-f",
            str(self._key_file),
            "-n",
            sshsig.NAMESPACE.decode(),
        ]
        try:
            done = subprocess.run(
                command, input=message, capture_output=True, timeout=_KEYGEN_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise NoSigner(Message("trust.keys.could-not-sign", program=self._program, fault=fault)) from None
        if done.returncode:
            output = done.stderr.decode("utf-8", "replace").strip().splitlines() or [
                Message("trust.keys.no-reason-given")
            ]
            raise NoSigner(
                Message(
                    "trust.keys.would-not-sign",
                    program=self._program,
                    key_file=self._key_file,
                    said=repr(output[-1]),
                )
            )
        armour = done.stdout.decode("ascii", "replace").replace("\r\n", "\n")
        sshsig.verify(self.public, armour, message)
        return armour


def find_signer(
    public: bytes,
    *,
    files: Sequence[Path] = (),
    agent_socket: str | None = None,
    passphrase: Passphrase | None = None,
    ssh_keygen: str | None = "ssh-keygen",
) -> Signer:
    """Return a signer for `public`.

    The agent, else a private key file, else ssh-keygen (protocol 4.1).

    Only a file that holds the wanted key is opened, so a passphrase is asked for that one alone. NoSigner
    says what was tried; BadKey means the right file was found and does not open.
    """
    tried: list[str] = []
    if agent_socket:
        from pbem.trust.agent import AgentSigner, agent_keys

        try:
            if public in agent_keys(agent_socket):
                return AgentSigner(agent_socket, public)
            tried.append(Message("trust.keys.ssh-agent-does-not-hold"))
        except (NoSigner, BadSignature) as fault:
            tried.append(str(fault))
    for path in files:
        try:
            data = _read(path)
            holds = public_of(data, str(path)) == public
        except TrustError as fault:
            tried.append(str(fault))
            continue
        if not holds:
            tried.append(Message("trust.keys.another-key", path=path))
            continue
        if data.lstrip().startswith(_PEM_BEGIN) or _SHUT in data:
            try:
                return FileSigner.load(data, passphrase, str(path))
            except UnreadableKey as fault:
                tried.append(str(fault))
        if ssh_keygen:
            return KeygenSigner(public, path, ssh_keygen)
    tried_words = "; ".join(dict.fromkeys(tried)) or Message("trust.keys.no-ssh-agent-no-key")
    raise NoSigner(
        Message("trust.keys.nothing-hand-signs", fingerprint=sshsig.fingerprint(public), said=tried_words)
    )


def public_of(data: bytes, name: str = "the key file") -> bytes:
    """Return the public key of an OpenSSH key file, private (no passphrase needed) or `.pub`.

    BadKey if there is none.
    """
    if _SHUT in data:
        data = data.partition(b"\n")[0]
    if data.lstrip().startswith(_PEM_BEGIN):
        return _header(data, name).public
    try:
        return sshsig.read_public_file(data.decode("ascii"))
    except UnicodeDecodeError:
        raise BadKey(Message("trust.keys.no-openssh-key-private-public", name=name)) from None
    except BadKey as fault:
        raise BadKey(f"{name} has {fault}") from None


def make_key(passphrase: str | None = None) -> bytes:
    """Return a new signing key in the format of OpenSSH, encrypted if there is a passphrase."""
    return key_file(secrets.token_bytes(32), passphrase)


def key_file(seed: bytes, passphrase: str | None = None) -> bytes:
    """Return the file of a signing key.

    A browser encrypts it in its own way, with the public key in the first line.
    """
    secret = _encryption(passphrase)
    try:
        return home().write_signing_key(seed, secret)
    except NotHere:
        line = sshsig.public_line(home().public_of(seed))
        return f"{line}\n{backup(home().write_signing_key(seed, None), passphrase or '')}".encode()


def _unshut(data: bytes, passphrase: Passphrase | None, name: str) -> bytes:
    """Return a key file that was encrypted as a backup is; BadKey for another passphrase."""
    words = _ask(passphrase, name).decode()
    try:
        return restore(data.decode("ascii", "replace"), words)
    except BadBackup:
        raise BadKey(f"{Message('trust.keys.passphrase-does-not-open')} {name}") from None


# --- seal keys ------------------------------------------------------------------------------------------


def is_locked(data: bytes) -> bool:
    """Return True if a private key file needs a passphrase.

    Raises BadKey if it holds no key.
    """
    return _SHUT in data or _header(data, "the key file").encrypted


def locked(data: bytes, passphrase: str) -> bytes:
    """Return an open signing key, encrypted."""
    return key_file(home().read_signing_key(data, None), passphrase)


def seal_file(private: bytes, passphrase: str | None = None) -> bytes:
    """Return the file of a seal key (X25519), as PKCS#8 PEM, encrypted if there is a passphrase."""
    secret = _encryption(passphrase)
    try:
        return home().write_agreeing_key(private, secret)
    except NotHere:
        return backup(home().write_agreeing_key(private, None), passphrase or "").encode()


def load_seal_key(pem: bytes, passphrase: Passphrase | None = None, name: str = "the seal key") -> bytes:
    """Return the 32 private bytes of a seal key; BadKey if it is no key or the passphrase is wrong."""
    if _SHUT in pem:
        pem = _unshut(pem, passphrase, name)
    encrypted = b"-----BEGIN ENCRYPTED PRIVATE KEY-----" in pem
    secret = _ask(passphrase, name) if encrypted else None
    try:
        return home().read_agreeing_key(pem, secret)
    except NoKey:
        what = (
            Message("trust.keys.passphrase-does-not-open")
            if encrypted
            else Message("trust.keys.no-private-key-in")
        )
        raise BadKey(f"{what} {name}") from None
    except OtherKind:
        raise BadKey(Message("trust.keys.not-x25519-key", name=name)) from None
    except NotHere as fault:
        raise BadKey(Message("trust.keys.not-opened-here", name=name, fault=fault)) from None


def seal_public(private: bytes) -> bytes:
    """Return the public half of a seal key's 32 private bytes."""
    return home().agreed_public_of(private)


# --- helpers --------------------------------------------------------------------------------------------


class _Header:
    """The unencrypted head of an OpenSSH private key."""

    def __init__(self, cipher: str, public: bytes) -> None:
        self.cipher = cipher
        self.encrypted = cipher != "none"
        self.public = public


def _header(data: bytes, name: str) -> _Header:
    begin, end = data.find(_PEM_BEGIN), data.find(_PEM_END)
    if begin < 0 or end < begin:
        raise BadKey(Message("trust.keys.no-openssh-private-key", name=name))
    try:
        blob = base64.b64decode(b"".join(data[begin + len(_PEM_BEGIN) : end].split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadKey(Message("trust.keys.damaged-base64-does-not-decode", name=name)) from None
    reader = Reader(blob, BadKey, Message("trust.keys.damaged-private-key", name=name))
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise BadKey(Message("trust.keys.no-openssh-private-key", name=name))
    cipher, _kdf, _options = (reader.string() for _ in range(3))
    keys, public = reader.number(), reader.string()
    if keys != 1 or public != sshsig.public_blob(public[-32:]):
        raise BadKey(Message("trust.keys.not-ed25519-key-make-one", name=name))
    return _Header(cipher.decode("ascii", "replace"), public[-32:])


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
    except OSError as fault:
        raise BadKey(Message("trust.keys.cannot-read", path=path, strerror=fault.strerror)) from None
    if len(data) > _MAX_FILE:
        raise BadKey(Message("trust.keys.too-long-key", path=path))
    return data


def _ask(passphrase: Passphrase | None, name: str) -> bytes:
    text = passphrase(name) if passphrase else None
    if not text:
        raise BadKey(Message("trust.keys.encrypted-no-passphrase-given-terminal", name=name))
    return text.encode()


def _encryption(passphrase: str | None) -> bytes | None:
    """Return the passphrase for a new key file; BadKey if it is empty."""
    if passphrase is None:
        return None
    if not passphrase:
        raise BadKey(Message("trust.backup.empty-passphrase-one-least-character"))
    return passphrase.encode()
