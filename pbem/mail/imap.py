"""Email on a server (IMAP): it is read without the mark "read", and accepted email gets a keyword.

Nothing is deleted. An email moves into another folder only if asked for, and only where the server can move.
"""

from __future__ import annotations

import imaplib
import re
import selectors
import ssl
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pbem.mail.boxes import MAX_MESSAGE, Message
from pbem.mail.carriers import PATIENCE, NotHanded, context, said
from pbem.mail.logging_in import Tokens, for_imap, mechanism
from pbem.mail.settings import Server
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message as Sentence

KEYWORD = "pbem"
"""Set on emails in which something was found that was taken."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONGEST_IDLE = 25 * 60.0  # seconds; servers hang up after 30 minutes (RFC 2177)
_CHUNK = 200  # uids in one command
_SIZE = re.compile(rb"UID (\d+)[^()]*RFC822\.SIZE (\d+)|RFC822\.SIZE (\d+)[^()]*UID (\d+)")


class NoWay(PbemError):
    """A server that cannot be reached, rejects the login, or does not do what was asked."""


class Broken(NoWay):
    """A broken connection; `uid` is the email that was being fetched then, if any."""

    def __init__(self, message: str, uid: int | None = None) -> None:
        super().__init__(message)
        self.uid = uid


class MissingLibrary(PbemError):
    """The missing library for IMAP, which is an extra."""


class Imap:
    """One folder of a mailbox on a server; use it with `with`."""

    def __init__(self, server: Server, password: str, folder: str) -> None:
        self._server = server
        self._password = password
        self._wanted = folder
        self._box: Any = None
        self._number: dict[int, int] = {}
        self.validity = 0

    def __repr__(self) -> str:
        return f"Imap({self._server.host!r}, {self._wanted!r})"

    @property
    def name(self) -> str:
        """Return the name of this mailbox for books and messages."""
        return f"{self._server.user}@{self._server.host}/{self._wanted}"

    def __enter__(self) -> Imap:
        try:
            self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._box is None:
            return
        try:
            self._box.logout()
        except (OSError, imaplib.IMAP4.error, Exception):  # it is over either way
            self._box.client.shutdown()
        self._box = None

    def new(self, after: int, since: str = "") -> list[int]:
        """Return the numbers (UIDs) of emails after one, ascending.

        With `since` ("2026-11-20") only those of that day and later, as the server dates them.
        """
        words = [f"UID {after + 1}:*"]
        if since:
            year, month, day = map(int, since.split("-"))
            words.append(f"SINCE {day}-{_MONTHS[month - 1]}-{year}")
        data = self._asked("SEARCH", *words)
        uids = [int(word) for part in data if isinstance(part, bytes) for word in part.split()]
        return sorted(uid for uid in uids if uid > after)  # a search up to * always returns the last message

    @property
    def announces(self) -> bool:
        """Return True if the server can say that an email came (IDLE). Broken if the line is."""
        return self._can("IDLE")

    def look(self) -> None:
        """Let the server say what has come since the last question. Broken if the line is."""
        try:
            self._box.client.noop()
        except (OSError, imaplib.IMAP4.error) as fault:
            raise self._broken(fault) from None

    def messages(self, uids: Sequence[int]) -> Iterator[tuple[int, Message]]:
        """Yield the emails of these numbers.

        One that is too large is not fetched, one that is gone is left out, one that the server does not give
        has its `fault`. `Broken` names the email it broke at.
        """
        for start in range(0, len(uids), _CHUNK):
            chunk = uids[start : start + _CHUNK]
            sizes = self._sizes(chunk)
            for uid in chunk:
                if uid in sizes:
                    yield uid, self._message(uid, sizes[uid])

    def _message(self, uid: int, size: int) -> Message:
        name = Sentence("mail.imap.mail-in-box", box=self.name, uid=uid)
        data, fault = None, ""
        try:
            data = self._fetched(uid, size)
        except Broken as broken:
            raise Broken(str(broken), uid) from None
        except NoWay as refused:
            fault = Sentence("mail.imap.could-not-be-fetched", reason=refused)
        return Message(name, data, size, fault)

    def mark(self, uids: Sequence[int]) -> None:
        """Set the keyword; a server that has no keywords is left alone."""
        for start in range(0, len(uids), _CHUNK):
            chunk = ",".join(map(str, uids[start : start + _CHUNK]))
            try:
                self._box.client.uid("STORE", chunk, "+FLAGS.SILENT", f"({KEYWORD})")
            except (OSError, imaplib.IMAP4.error) as fault:
                raise self._broken(fault) from None

    def move(self, uids: Sequence[int], folder: str) -> str:
        """Move emails into a folder, made if it is not there, and return why not, or ""."""
        if not self._can("MOVE"):
            return Sentence("mail.imap.host-cannot-move-mails", host=self._server.host)
        name = self._spelt(folder)
        try:
            if not self._box.folder.exists(name):
                self._box.folder.create(name)
            for start in range(0, len(uids), _CHUNK):
                chunk = ",".join(map(str, uids[start : start + _CHUNK]))
                answer, words = self._box.client.uid("MOVE", chunk, self._encoded(name))
                if answer != "OK":
                    return Sentence(
                        "mail.imap.host-does-not-move-mails",
                        host=self._server.host,
                        name=name,
                        said=_shown(words),
                    )
        except (OSError, imaplib.IMAP4.error) as fault:
            raise self._broken(fault) from None
        except Exception as fault:  # the library has exceptions of its own for every answer
            return Sentence(
                "mail.imap.host-has-no-folder", host=self._server.host, name=name, said=said(fault)
            )
        return ""

    def _hears(self) -> bool:
        """Return True if the server has said something that nobody has read; waits for nothing.

        This looks into the memory too: what came together with an earlier line wakes no one at the socket.
        """
        client = self._box.client
        client.sock.settimeout(0)
        try:
            return bool(client._get_line())
        except (OSError, imaplib.IMAP4.abort):  # nothing to read; a line that broke shows itself at once
            return False
        finally:
            client.sock.settimeout(PATIENCE)

    def _can(self, what: str) -> bool:
        """Return True if the server has a capability.

        It is asked again, because many servers list it only after the login.
        """
        try:
            _, data = self._box.client.capability()
        except (OSError, imaplib.IMAP4.error) as fault:
            raise self._broken(fault) from None
        return any(what in str(part, "ascii", "replace").upper().split() for part in data if part)

    def _open(self) -> None:
        try:
            import imap_tools
        except ImportError:
            message = Sentence("mail.imap.reading-mail-from-server-needs-library")
            raise MissingLibrary(message) from None
        server = self._server
        try:
            secure = context(server) if server.security != "none" else None
            if server.security == "tls":
                self._box = imap_tools.MailBox(server.host, server.port, PATIENCE, ssl_context=secure)
            elif server.security == "starttls":
                self._box = imap_tools.MailBoxStartTls(server.host, server.port, PATIENCE, ssl_context=secure)
            else:
                self._box = imap_tools.MailBoxUnencrypted(server.host, server.port, PATIENCE)
        except NotHanded as fault:
            raise NoWay(str(fault)) from None
        except (OSError, imaplib.IMAP4.error, ssl.SSLError, Exception) as fault:
            raise NoWay(
                Sentence("mail.carriers.no-way-to-host", host=server.host, port=server.port, said=said(fault))
            ) from None
        self._log_in()
        self._select()

    def _log_in(self) -> None:
        server, why = self._server, ""
        try:
            if server.oauth:
                why = self._token()
            elif self._password.isascii():
                self._box.login(server.user, self._password, initial_folder=None)
            else:
                self._box.login_utf8(server.user, self._password, initial_folder=None)
        except Exception:  # the server's answer may quote the password
            raise NoWay(
                Sentence("mail.imap.host-does-not-let-user-in", host=server.host, user=server.user)
            ) from None
        if why:
            raise NoWay(
                Sentence(
                    "mail.carriers.host-does-not-let-user-in-because",
                    host=server.host,
                    user=server.user,
                    why=why,
                )
            )

    def _token(self) -> str:
        """Log in with a token, and return why not, or ""."""
        server = self._server
        _, data = self._box.client.capability()
        words = " ".join(str(part, "ascii", "replace") for part in data if part).upper().split()
        how = mechanism(word.removeprefix("AUTH=") for word in words if word.startswith("AUTH="))
        if how is None:
            return Sentence("mail.carriers.it-takes-no-tokens")
        tokens = Tokens(how, server.user, self._password, server.host, server.port)
        try:
            self._box.client.authenticate(how, for_imap(tokens))
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            return tokens.why
        return ""

    def _select(self) -> None:
        name = self._spelt(self._wanted)
        try:
            self._box.folder.set(name)
            _, data = self._box.client.response("UIDVALIDITY")
            self.validity = int(data[0]) if data and data[0] else 0
        except (OSError, imaplib.IMAP4.abort) as fault:
            raise self._broken(fault) from None
        except Exception:
            raise NoWay(Sentence("mail.imap.there-is-no-folder", name=name, host=self._server.host)) from None

    def _spelt(self, folder: str) -> str:
        """Return the folder's name with the server's own separator for /."""
        try:
            _, data = self._box.client.list('""', '""')
            separator = re.search(rb'\) "(.)" ', data[0] or b"")
        except (OSError, imaplib.IMAP4.error, TypeError, IndexError):
            separator = None
        sign = separator[1].decode("ascii", "replace") if separator else "/"
        return folder if sign == "/" else folder.replace("/", sign)

    def _encoded(self, name: str) -> Any:
        from imap_tools.imap_utf7 import utf7_encode

        return b'"' + utf7_encode(name).replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'

    def _sizes(self, uids: Sequence[int]) -> dict[int, int]:
        data = self._asked("FETCH", ",".join(map(str, uids)), "(UID RFC822.SIZE)")
        sizes = {}
        for part in data:
            match = _SIZE.search(part) if isinstance(part, bytes) else None
            if match:
                uid, size = (match[1], match[2]) if match[1] else (match[4], match[3])
                sizes[int(uid)] = int(size)
        return sizes

    def _fetched(self, uid: int, size: int) -> bytes | None:
        if size > MAX_MESSAGE:
            return None
        data = self._asked("FETCH", str(uid), "(BODY.PEEK[])")
        body = next((part[1] for part in data if isinstance(part, tuple) and len(part) > 1), None)
        if body is None:
            raise NoWay(Sentence("mail.imap.host-gives-nothing-for-it", host=self._server.host))
        return body if len(body) <= MAX_MESSAGE else None

    def _asked(self, command: str, *words: str) -> list[Any]:
        try:
            answer, data = self._box.client.uid(command, *words)
        except (OSError, imaplib.IMAP4.abort) as fault:
            raise self._broken(fault) from None
        except imaplib.IMAP4.error as fault:
            raise self._unanswered(command, said(fault)) from None
        if answer != "OK":
            raise self._unanswered(command, _shown(data))
        return list(data or [])

    def _unanswered(self, command: str, said: str) -> NoWay:
        id = "mail.imap.host-does-not-answer-command"
        return NoWay(Sentence(id, host=self._server.host, command=command, said=said))

    def _broken(self, fault: Exception) -> Broken:
        return Broken(Sentence("mail.imap.connection-broke", host=self._server.host, said=said(fault)))


def wait(lines: Collection[Imap], seconds: float) -> bool:
    """Wait until one of these servers announces something (IDLE), at most so long; True if one did.

    Broken if a line is.
    """
    asked: list[Imap] = []
    line: Imap | None = None
    try:
        try:
            for line in lines:
                line._box.idle.start()
                asked.append(line)
            return _wait(lines, min(seconds, _LONGEST_IDLE))
        finally:
            for line in asked:
                line._box.idle.stop()
    except Exception as fault:  # the library has exceptions of its own; a new line is as good
        assert line is not None
        raise line._broken(fault) from None


def _wait(lines: Collection[Imap], seconds: float) -> bool:
    if any(line._hears() for line in lines):  # it came while the server was asked
        return True
    with selectors.DefaultSelector() as all_:
        for line in lines:
            all_.register(line._box.client.sock, selectors.EVENT_READ)
        all_.select(seconds)
    return any(line._hears() for line in lines)


def _shown(data: object) -> str:
    return said(Exception(str(data)))
