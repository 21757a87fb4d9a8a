"""Signing through an ssh-agent, which never hands out the key.

Protocol 4.1; SSH Agent Protocol, RFC 9987.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.errors import BadSignature, NoSigner
from pbem.trust.hashing import Reader, lp, u32

_LIST, _LISTED = 11, 12
_SIGN, _SIGNED = 13, 14
_MAX_ANSWER = 256 * 1024
_QUICK, _PATIENT = 5.0, 300.0  # seconds; an agent may ask its user before it signs


class AgentSigner:
    """Signs with one key of the agent behind a socket."""

    def __init__(self, socket_path: str, public: bytes) -> None:
        self.public = public
        self._socket_path = socket_path

    def __repr__(self) -> str:
        return f"AgentSigner({self._socket_path!r}, {sshsig.fingerprint(self.public)})"

    def sign(self, message: bytes) -> str:
        """Return the armoured signature.

        NoSigner if the agent refuses or is gone, BadSignature if it signs nonsense.
        """
        blob = lp(sshsig.public_blob(self.public))
        request = bytes([_SIGN]) + blob + lp(sshsig.signed_blob(message)) + u32(0)
        reader = _ask(self._socket_path, request, _SIGNED, Message("trust.agent.would-not-sign"), _PATIENT)
        signature = sshsig.typed(reader.string(), 64, "signature")
        reader.end()
        sshsig.check_raw(self.public, signature, sshsig.signed_blob(message))
        return sshsig.encode(self.public, signature)


def agent_keys(socket_path: str) -> tuple[bytes, ...]:
    """Return the Ed25519 keys that the agent holds, in its order; NoSigner if no agent answers there."""
    reader = _ask(socket_path, bytes([_LIST]), _LISTED, Message("trust.agent.would-not-list-keys"), _QUICK)
    keys = []
    for _ in range(reader.number()):
        blob, _comment = reader.string(), reader.string()
        if len(blob) == len(sshsig.public_blob(bytes(32))) and blob == sshsig.public_blob(blob[-32:]):
            keys.append(blob[-32:])
    reader.end()
    return tuple(keys)


def _ask(socket_path: str, request: bytes, wanted: int, refusal: str, timeout: float) -> Reader:
    with _connected(socket_path, timeout) as connection:
        connection.sendall(lp(request))
        length = int.from_bytes(_receive(connection, 4), "big")
        if not 1 <= length <= _MAX_ANSWER:
            raise NoSigner(Message("trust.agent.ssh-agent-s-answer-length", length=length))
        answer = _receive(connection, length)
    if answer[0] != wanted:
        raise NoSigner(
            Message("trust.agent.ssh-agent-answer-wanted", refusal=refusal, answer=answer[0], wanted=wanted)
        )
    return Reader(answer[1:], BadSignature, Message("trust.agent.answer-ssh-agent"))


@contextmanager
def _connected(socket_path: str, timeout: float) -> Iterator[socket.socket]:
    family = getattr(socket, "AF_UNIX", None)
    if family is None:
        raise NoSigner(Message("trust.agent.system-no-sockets-kind-ssh"))
    try:
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout)
            connection.connect(socket_path)
            yield connection
    except OSError as fault:
        raise NoSigner(
            Message(
                "trust.agent.no-ssh-agent-answers", socket_path=socket_path, strerror=fault.strerror or fault
            )
        ) from None


def _receive(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        piece = connection.recv(length - len(data))
        if not piece:
            raise NoSigner(Message("trust.agent.ssh-agent-hung-up-in"))
        data += piece
    return data
