"""A mail server in this process, with whatever manners a test wants of it."""

from __future__ import annotations

import base64
import datetime
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiosmtpd")

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass
class Manners:
    """What it does and what it got. `refuse`: address -> answer; `on_data`: the answer to a whole mail;
    `sends_on`: addresses of other servers that it takes all the same (251)."""

    refuse: dict[str, str] = field(default_factory=dict)
    sends_on: tuple[str, ...] = ()
    on_data: Callable[[], str] = lambda: "250 taken"
    mails: list[tuple[tuple[str, ...], bytes]] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    secret: str = "open sesame"
    hang_up_after_data: bool = False
    token: str = ""
    without: tuple[str, ...] = ()  # ways of logging in that it has not
    on_login: str = ""  # the answer to a login, whatever the password
    said: list[str] = field(default_factory=list)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)
        return "251 will forward" if address in self.sends_on else "250 fine"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        self.mails.append((tuple(envelope.rcpt_tos), envelope.content))
        if self.hang_up_after_data:
            server.transport.close()  # type: ignore[union-attr]
        return self.on_data()

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult | None:
        return await self._token(server, args)

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult | None:
        return await self._token(server, args)

    async def _token(self, server: SMTP, args: list[str]) -> AuthResult:
        """As Google and Microsoft answer: a reason in base64, an end from the client, then a no."""
        self.said.append(f"{args[0]} {base64.b64decode(args[1]).decode()}")
        if f"auth=Bearer {self.token}\x01" in self.said[-1]:
            return AuthResult(success=True)
        reason = b'{"status":"401","schemes":"bearer"}'
        await server.challenge_auth(reason.decode())
        return AuthResult(success=False, handled=False)

    def log_in(self, server: Any, session: Any, envelope: Any, kind: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login.decode(), data.password.decode()))
        if self.on_login:
            return AuthResult(success=False, handled=False, message=self.on_login)
        return AuthResult(success=data.password.decode() == self.secret, handled=False)


def certificate(folder: Path, name: str = "localhost") -> tuple[Path, ssl.SSLContext]:
    """A fresh certificate that signs itself: the file to trust, and the server's side of it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names if name == "localhost" else names[:1]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "trusted.pem", folder / "server.pem"
    pem = serialization.Encoding.PEM
    public.write_bytes(made.public_bytes(pem))
    form = serialization.PrivateFormat.PKCS8
    private.write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()) + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(private)
    return public, context


@contextmanager
def smtp_server(
    manners: Manners, *, tls: ssl.SSLContext | None = None, starttls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """The server on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options: dict[str, Any] = {"hostname": "127.0.0.1", "port": port}
    if starttls is not None:
        options |= {"tls_context": starttls, "require_starttls": True}
        options |= {"authenticator": manners.log_in, "auth_exclude_mechanism": manners.without}
    controller = Controller(manners, ssl_context=tls, **options)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()
