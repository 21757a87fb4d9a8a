"""Logging in with a token instead of a password (OAuth): the two forms that mail servers take.

XOAUTH2 is the form of Google and Microsoft, OAUTHBEARER the standard (RFC 7628).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Literal, overload

from pbem.text.messages import Message

Mechanism = Literal["OAUTHBEARER", "XOAUTH2"]
_STATUS = re.compile(r"[A-Za-z0-9_]{1,40}")


def mechanism(offered: Iterable[str]) -> Mechanism | None:
    """Return the form to use of those a server offers; None if it accepts no tokens."""
    names = {name.upper() for name in offered}
    if "OAUTHBEARER" in names:
        return "OAUTHBEARER"
    return "XOAUTH2" if "XOAUTH2" in names else None


class Tokens:
    """A login with a user's token.

    `refused` is the word with which a server refused, "" if none.
    """

    def __init__(self, how: Mechanism, user: str, token: str, host: str, port: int) -> None:
        self.refused = ""
        self._how = how
        self._end = "" if how == "XOAUTH2" else "\x01"
        if how == "XOAUTH2":
            self._first = f"user={user}\x01auth=Bearer {token}\x01\x01"
        else:
            name = user.replace("=", "=3D").replace(",", "=2C")
            self._first = f"n,a={name},\x01host={host}\x01port={port}\x01auth=Bearer {token}\x01\x01"

    def __repr__(self) -> str:
        return f"Tokens({self._how!r})"

    def answer(self, challenge: bytes | None) -> str:
        """Return the reply to a challenge.

        A server that refuses sends its reason as one and waits for an end.
        """
        if not challenge:
            return self._first
        try:
            answer_data = json.loads(challenge)
            status = answer_data.get("status") if isinstance(answer_data, dict) else None
        except ValueError:
            status = None
        self.refused = status if isinstance(status, str) and _STATUS.fullmatch(status) else "refused"
        return self._end

    @property
    def why(self) -> str:
        """Return why the server refused, for people; never quotes what was sent."""
        return Message("mail.logging-in.it-does-not-take-token", said=self.refused)


class ForSmtp:
    """The callback as `smtplib` wants it."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    @overload
    def __call__(self, challenge: None = None, /) -> str | None: ...
    @overload
    def __call__(self, challenge: bytes, /) -> str: ...
    def __call__(self, challenge: bytes | None = None, /) -> str | None:
        return self._tokens.answer(challenge)


def for_imap(tokens: Tokens) -> Callable[[bytes], bytes]:
    """Return the callback as `imaplib` wants it."""
    return lambda challenge: tokens.answer(challenge).encode()
