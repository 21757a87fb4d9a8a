"""The errors of keys, signatures, seals, links and statements.

All of them are refusals with one sentence for the user: lower case, what was found, what was wanted.
"""

from __future__ import annotations

from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message

Path = tuple[str | int, ...]


class TrustError(PbemError):
    """A failed proof."""


class BadKey(TrustError):
    """A signing or seal key that is malformed, refused by protocol 4.1 or cannot be opened."""


class NoSigner(TrustError):
    """No agent, file or program at hand can sign for the wanted public key."""


class BadSignature(TrustError):
    """A signature that is malformed, by another key, or not over these bytes."""


class BadLink(TrustError):
    """A chain link that does not lead to its anchor."""


class BadSeal(TrustError):
    """A sealed blob that does not open, or holds something else than it should."""


class BadBackup(TrustError):
    """A key backup that is damaged, or whose passphrase is another one."""


class BadShape(TrustError):
    """JSON data with a missing, unknown, empty or ill-formed member; `path` leads to it."""

    def __init__(self, message: str, path: Path = ()) -> None:
        """Prefix the message with the path in dotted form, as in `body.commits.bid: ...`."""
        what = ".".join(map(str, path))
        super().__init__(Message("text.diagnostics.about", what=what, message=message) if path else message)
        self.reason = message
        self.path = path


class BadStatement(BadShape):
    """A statement that protocol 5.1 refuses."""


class BadRecord(BadShape):
    """A stage record that protocol 12.1 refuses."""


class BadView(TrustError):
    """A view that does not belong to the state the record commits to (protocol 11.2)."""


class BadRoster(TrustError):
    """A roster, invitation or join that protocol 4 refuses."""


class NotAccepted(TrustError):
    """A signed statement that protocol 5.3 does not accept.

    `code` is a word that names the step that failed.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep the code: one of size, signer, signature, canonical, schema, sender, game, role."""
        super().__init__(message)
        self.code = code
        self.signature = ""
        """The good signature under it, if a party signed what does not count."""


class BadOpening(TrustError):
    """An opening that is missing, not asked for, or does not fit its commitment (protocol 8.1)."""


# --- what a home of cryptography says (primitives.py); its callers put it into words ---


class NotOpened(Exception):
    """Encrypted data that do not open: another key, another passphrase, or they were altered."""


class NoKey(Exception):
    """Data that hold no key that can be read."""


class OtherKind(Exception):
    """A key, but not of the kind that is wanted."""


class NotHere(Exception):
    """A form of key file that this home does not open."""
