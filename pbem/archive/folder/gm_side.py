"""The GM's secrets in a folder: the GM's own, or those that a GM handed over to the deputy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pbem.stages.handovers import Handover
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.chain import Chain
from pbem.trust.hashing import H


class GmSide(Protocol):
    """The secrets needed to run a stage: seal keys, the secret of hidden rolls, the chain of the
    dice.
    """

    @property
    def seal_key(self) -> bytes: ...
    @property
    def seal_keys(self) -> list[bytes]: ...
    @property
    def gm_secret(self) -> bytes: ...
    @property
    def gm_secrets(self) -> list[bytes]: ...
    def chain(self, length: int, anchor: bytes | None = None) -> Chain: ...
    def secret_of(self, salt: bytes, committed: bytes | None) -> bytes: ...


@dataclass(frozen=True)
class HandedOver:
    """The handovers that a deputy has taken, the newest first; `gm` is the party whose secrets they are."""

    gm: str
    salt: bytes
    taken: Sequence[Handover]

    @property
    def _all(self) -> list[Handover]:
        return [held for handover in self.taken for held in handover.all()]

    @property
    def seal_key(self) -> bytes:
        """Return the GM's seal key that is in force."""
        return self.taken[0].seal[0]

    @property
    def seal_keys(self) -> list[bytes]:
        """Return all seal keys that the GM and those before ever had, as far as they are here."""
        return list(dict.fromkeys(key for handover in self._all for key in handover.seal))

    @property
    def gm_secret(self) -> bytes:
        """Return the GM's secret."""
        return self.taken[0].secret

    @property
    def gm_secrets(self) -> list[bytes]:
        """Return the GM's secret, then those of GMs before."""
        return list(dict.fromkeys(handover.secret for handover in self._all))

    def chain(self, length: int, anchor: bytes | None = None) -> Chain:
        """Return the GM's chain that leads to an anchor; Refused if it was not handed over."""
        for handover in self._all:
            chain = Chain(self.salt, self.gm, handover.chain, length)
            if anchor is None or chain.anchor == anchor:
                return chain
        raise Refused(Diagnostic("no-secret", Message("archive.folder.chain-was-not-handed-over")))

    def secret_of(self, salt: bytes, committed: bytes | None) -> bytes:
        """Return the secret of a commitment; Refused if it was not handed over."""
        for secret in self.gm_secrets:
            if H("secret", salt, secret) == committed:
                return secret
        raise Refused(
            Diagnostic("no-secret", Message("archive.folder.secret-of-gm-before-is-not-in-this-folder"))
        )
