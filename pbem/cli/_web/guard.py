"""Nobody but the user of this computer: who may ask anything of the table's server (loopback only).

A token made for each start comes once in the link and is a cookie from then on; Host and Origin are looked
at in every request, so that neither a page of another origin nor a name that leads here (DNS rebinding) gets
anything; nothing is changed by GET.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import field

from pbem.text.dataclass import dataclass

MOST = 32 << 20
"""Bytes of a request: a mail with everything in it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers hide the origin of forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Guard:
    """The rules of one start: its port and its token."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie(self) -> str:
        """The cookie's name: that of another table on another port is another one."""
        return f"pbem-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which this server answers."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def link(self) -> str:
        """The address to open, with the token."""
        return f"http://{self.hosts[0]}/?token={self.token}"

    def welcomes(self, token: str | None) -> bool:
        """Is this the token?"""
        return token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def fault(self, method: str, headers: Mapping[str, str], cookie: str | None) -> str | None:
        """Why a request is not answered; None for one that is."""
        if headers.get("Host", "") not in self.hosts:
            return "this server answers to its own address only"
        if not self.welcomes(cookie):
            return "open the link that `pbem table` printed"
        if method == "GET":
            return None
        if method != "POST":
            return "only GET and POST are known"
        origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
        own = {f"http://{host}" for host in self.hosts}
        if origin is not None and origin not in own:
            return "this came from another page"
        if origin is None and site != "same-origin":
            return "this came from nowhere that is known"
        return None
