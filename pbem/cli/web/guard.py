"""The guard: only the user of this computer may ask the table's server (loopback only).

A link has a token for one use, which lets one browser in; a cookie with another secret keeps it in.
Host and Origin are checked in every request, so that neither a page of another origin nor a name
that leads here (DNS rebinding) gets anything; nothing is changed by GET.
"""

from __future__ import annotations

import hmac
import html
import secrets
from collections.abc import Mapping
from dataclasses import field

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

MOST = 32 << 20
"""Bytes of a request: an email with everything in it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
)
"""The policy of a page: what it may load; who may show it in a frame comes last."""
HEADERS = {
    "Content-Security-Policy": POLICY + "'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers hide the origin of forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def onward(address: str) -> str:
    """Return a page that leads to an address at once, without a script."""
    to = html.escape(address)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>pbem</title>'
        '<link rel="icon" href="data:,">'
        f'<meta http-equiv="refresh" content="0;url={to}"></head><body><a href="{to}">pbem</a></body></html>'
    )


@dataclass(frozen=True)
class Guard:
    """The rules of one start: its port, the secret of its cookie, and the unused tokens."""

    port: int
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    tokens: list[str] = field(default_factory=list)

    @property
    def cookie(self) -> str:
        """Return the cookie's name, which differs for another table on another port."""
        return f"pbem-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the names under which this server answers."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers of every answer."""
        return HEADERS

    def link(self) -> str:
        """Return an address to open, with a new token. It lets one browser in, once."""
        self.tokens.append(secrets.token_urlsafe(32))
        return f"http://{self.hosts[0]}/?token={self.tokens[-1]}"

    def admits(self, token: str) -> bool:
        """Return True if nobody has used this token yet; from now on somebody has."""
        for known in tuple(self.tokens):
            if _same(token, known):
                try:
                    self.tokens.remove(known)
                except ValueError:  # another thread was quicker
                    return False
                return True
        return False

    def fault(self, method: str, headers: Mapping[str, str], cookie: str | None) -> str | None:
        """Return why a request is not answered, or None."""
        if headers.get("Host", "") not in self.hosts:
            return Message("cli.web.own-address-only")
        if cookie is None or not _same(cookie, self.session):
            return Message("cli.web.link-opened-a-table-already")
        if method == "GET":
            return None
        if method != "POST":
            return Message("cli.web.only-get-and-post")
        origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
        own = {f"http://{host}" for host in self.hosts}
        if origin is not None and origin not in own:
            return Message("cli.web.came-from-another-page")
        if origin is None and site != "same-origin":
            return Message("cli.web.came-from-nowhere")
        return None


def _same(first: str, other: str) -> bool:
    return hmac.compare_digest(first.encode(), other.encode())
