"""Handing mail over: to an SMTP server, to a program like sendmail, or into a folder.

The caller has to know afterwards whether it left. `NotHanded` is sure that it did not, so it may be
tried again; `Unsure` means that the other side may have it. No message ever quotes a password.
"""

from __future__ import annotations

import base64
import hashlib
import smtplib
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from pbem.mail.logging_in import ForSmtp, Tokens, mechanism
from pbem.mail.settings import Server
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message, in_turn
from pbem.text.writing import NotWritten, write_new

PATIENCE = 60  # seconds to wait for a silent server or program
_GREETING = "[127.0.0.1]"  # the name of this machine is nobody's business
_UNIQUE = 12  # hex digits of an email's hash in the name of its file
_TEMPORARY = 75  # sysexits.h: try again later


class NotHanded(PbemError):
    """An email that was not sent.

    `for_good`: trying again later will not help.
    """

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


class Unsure(PbemError):
    """The connection broke at the one moment when nobody can tell whether the email was taken."""


class Carrier(Protocol):
    """A carrier of email."""

    def hand_over(self, name: str, sender: str, to: Sequence[str], data: bytes) -> Mapping[str, str]:
        """Send an email, and return the rejected addresses with reasons; raises NotHanded or Unsure."""

    def close(self) -> None:
        """Close the connection after the last email."""


def context(server: Server) -> ssl.SSLContext:
    """Return TLS settings as browsers use them: certificate and name are checked.

    Raises NotHanded for a bad file of certificates.
    """
    made = ssl.create_default_context()
    if server.certificates:
        try:
            made.load_verify_locations(cafile=server.certificates)
        except (OSError, ssl.SSLError) as fault:
            raise NotHanded(
                Message(
                    "mail.carriers.no-certificates-can-be-read",
                    certificates=server.certificates,
                    fault=fault,
                )
            ) from None
    return made


class Smtp:
    """A mail server. One connection for all emails of a run, made with the first."""

    def __init__(self, server: Server, password: str | None) -> None:
        self._server = server
        self._password = password
        self._client: smtplib.SMTP | None = None

    def __repr__(self) -> str:
        return f"Smtp({self._server.host!r}, {self._server.port})"

    def hand_over(self, name: str, sender: str, to: Sequence[str], data: bytes) -> Mapping[str, str]:
        """Send in one transaction; a server may accept some addresses and reject others."""
        client = self._connected()
        try:
            refused = self._addressed(client, sender, to)
        except (OSError, smtplib.SMTPException) as fault:
            self._drop()
            raise NotHanded(
                Message("mail.carriers.server-did-not-take-addresses", said=said(fault))
            ) from None
        if len(refused) == len(set(to)):
            self._reset()
            soft = any(reason.startswith("4") for reason in refused.values())
            raise NotHanded(
                Message("mail.carriers.server-refused-every-address", pairs=in_turn(_pairs(refused))),
                for_good=not soft,
            )
        self._deliver(client, data)
        return refused

    def knock(self) -> None:
        """Connect and log in, and nothing else. NotHanded if that cannot be done."""
        self._connected()

    def _deliver(self, client: smtplib.SMTP, data: bytes) -> None:
        """Send the data; from here on nobody knows whether a broken connection delivered the email."""
        try:
            code, words = client.data(data)
        except smtplib.SMTPDataError as fault:  # the server did not ask for the data
            self._reset()
            raise NotHanded(
                Message("mail.carriers.server-does-not-want", said=said(fault)),
                for_good=fault.smtp_code >= 500,
            ) from None
        except (OSError, smtplib.SMTPException) as fault:
            self._drop()
            raise Unsure(
                Message("mail.carriers.connection-broke-while-it-was-sent", said=said(fault))
            ) from None
        if 200 <= code < 300:  # any 2xx (251 too) means that it was taken
            return
        if not 400 <= code < 600:  # no valid answer, or a torn one
            self._drop()
            raise Unsure(
                Message("mail.carriers.servers-answer-to-whole-mail-is-none", said=_words(words) or code)
            )
        self._reset()
        raise NotHanded(
            Message("mail.carriers.server-refused", code=code, said=_words(words)), for_good=code >= 500
        )

    def _addressed(self, client: smtplib.SMTP, sender: str, to: Sequence[str]) -> dict[str, str]:
        code, words = client.mail(sender)
        if code != 250:
            self._reset()
            raise NotHanded(
                Message("mail.carriers.server-refused-sender", sender=sender, code=code, said=_words(words)),
                for_good=code >= 500,
            )
        refused = {}
        for address in dict.fromkeys(to):
            code, words = client.rcpt(address)
            if code not in (250, 251):
                refused[address] = f"{code} {_words(words)}"
        return refused

    def _connected(self) -> smtplib.SMTP:
        if self._client is not None:
            return self._client
        server = self._server
        try:
            secure = context(server) if server.security != "none" else None
            if server.security == "tls":
                self._client = smtplib.SMTP_SSL(
                    server.host, server.port, _GREETING, timeout=PATIENCE, context=secure
                )
            else:
                self._client = smtplib.SMTP(server.host, server.port, _GREETING, timeout=PATIENCE)
            self._client.ehlo()
            if server.security == "starttls":
                self._client.starttls(context=secure)
                self._client.ehlo()
        except (OSError, smtplib.SMTPException, UnicodeError) as fault:
            self._drop()
            raise NotHanded(
                Message("mail.carriers.no-way-to-host", host=server.host, port=server.port, said=said(fault))
            ) from None
        if server.user and self._password is not None:
            self._log_in(self._client, self._password)
        return self._client

    def _log_in(self, client: smtplib.SMTP, secret: str) -> None:
        """Log in; messages quote neither side, because the text may contain the password."""
        server, why = self._server, ""
        try:
            if server.oauth:
                why = self._token(client, secret)
            elif secret.isascii():
                client.login(server.user, secret)
            else:
                self._plain_utf8(client, secret)
        except smtplib.SMTPAuthenticationError as fault:
            why = Message("mail.carriers.code", code=fault.smtp_code)
        except smtplib.SMTPNotSupportedError:
            why = Message("mail.carriers.it-offers-no-way-of-logging")
        except (OSError, smtplib.SMTPException, UnicodeError) as fault:
            why = type(fault).__name__
        if why:
            self._drop()
            raise NotHanded(
                Message(
                    "mail.carriers.host-does-not-let-user-in-because",
                    host=server.host,
                    user=server.user,
                    why=why,
                )
            )

    def _token(self, client: smtplib.SMTP, secret: str) -> str:
        """Log in with a token, and return why not, or ""."""
        server = self._server
        how = mechanism(str(client.esmtp_features.get("auth", "")).split())
        if how is None:
            return Message("mail.carriers.it-takes-no-tokens")
        tokens = Tokens(how, server.user, secret, server.host, server.port)
        try:
            client.auth(how, ForSmtp(tokens))
        except smtplib.SMTPAuthenticationError:
            return tokens.why
        return ""

    def _plain_utf8(self, client: smtplib.SMTP, secret: str) -> None:
        """Log in with a password outside ASCII, which the library does not send (RFC 4616 says UTF-8)."""
        if "PLAIN" not in str(client.esmtp_features.get("auth", "")).upper().split():
            raise smtplib.SMTPNotSupportedError
        words = base64.b64encode(f"\0{self._server.user}\0{secret}".encode()).decode()
        code, _ = client.docmd("AUTH", f"PLAIN {words}")
        if code not in (235, 503):  # 503: it knows this client already
            raise smtplib.SMTPAuthenticationError(code, b"")

    def _reset(self) -> None:
        try:
            if self._client is not None:
                self._client.rset()
        except (OSError, smtplib.SMTPException):
            self._drop()

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        """Say goodbye. The emails have left, whatever the server answers."""
        try:
            if self._client is not None:
                self._client.quit()
        except (OSError, smtplib.SMTPException):
            pass
        self._drop()


class Sendmail:
    """A program that takes an email on standard input: sendmail, msmtp, or what stands in for them."""

    def __init__(self, program: Sequence[str]) -> None:
        self._program = tuple(program)

    def hand_over(self, name: str, sender: str, to: Sequence[str], data: bytes) -> Mapping[str, str]:
        """Run `program -i -f SENDER -- ADDRESS...`; exit code 0 means that it has the email."""
        command = [*self._program, "-i", "-f", sender, "--", *dict.fromkeys(to)]
        text = data.replace(b"\r\n", b"\n")
        try:
            done = subprocess.run(command, input=text, capture_output=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise Unsure(
                Message(
                    "mail.carriers.program-did-not-come-to-an-end", program=self._program[0], seconds=PATIENCE
                )
            ) from None
        except OSError as fault:
            raise NotHanded(
                Message("mail.carriers.program-cannot-be-started", program=self._program[0], said=said(fault))
            ) from None
        if done.returncode < 0:
            raise Unsure(
                Message("mail.carriers.program-was-killed", program=self._program[0], signal=-done.returncode)
            )
        if done.returncode:
            words = _words(done.stderr.strip().rpartition(b"\n")[2])
            hard = done.returncode != _TEMPORARY
            message = Message(
                "mail.carriers.program-exits", program=self._program[0], code=done.returncode, said=words
            )
            raise NotHanded(message, for_good=hard)
        return {}

    def close(self) -> None:
        """Do nothing: no connection is open."""


class IntoFolder:
    """A folder of files for a mail program; a Maildir gets them as new email."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def hand_over(self, name: str, sender: str, to: Sequence[str], data: bytes) -> Mapping[str, str]:
        """Write an email as one file, once.

        No other file is ever overwritten: a name belongs to one email, whatever games share the folder.
        """
        digest = hashlib.sha256(data).hexdigest()[:24]
        maildir = (self._folder / "new").is_dir() and (self._folder / "tmp").is_dir()
        try:
            if maildir:
                place, draft = (
                    self._folder / "new" / f"{digest}.pbem",
                    self._folder / "tmp" / f"{digest}.pbem",
                )
                write_new(place, data.replace(b"\r\n", b"\n"), draft)
            else:
                write_new(self._folder / f"{name}-{digest[:_UNIQUE]}.eml", data)
        except FileExistsError as fault:
            raise NotHanded(
                Message("mail.carriers.another-file-has-this-name", file=fault.filename), for_good=True
            ) from None
        except NotWritten as fault:
            raise NotHanded(str(fault)) from None
        except OSError as fault:
            raise NotHanded(
                Message("mail.carriers.cannot-write-into-folder", folder=self._folder, said=said(fault))
            ) from None
        return {}

    def close(self) -> None:
        """Do nothing: no connection is open."""


def said(fault: Exception) -> str:
    """Return the fault on one short line that a terminal can show."""
    if isinstance(fault, smtplib.SMTPResponseException):
        return f"{fault.smtp_code} {_words(fault.smtp_error)}"
    if isinstance(fault, ssl.SSLCertVerificationError):
        return Message("mail.carriers.its-certificate-is-not-to-be-trusted", reason=fault.verify_message)
    words = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return _words(str(words).encode("utf-8", "replace"))


def _words(text: bytes | str) -> str:
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return " ".join("".join(c if c.isprintable() else " " for c in shown).split())[:200]


def _pairs(refused: Mapping[str, str]) -> list[str]:
    return [
        Message("text.diagnostics.about", what=address, message=reason) for address, reason in refused.items()
    ]
