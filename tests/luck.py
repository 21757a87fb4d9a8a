"""The luck of the suite: keys, nonces and chains are drawn anew in each test, but the same in every run.

A test that plays a game by commands draws its own keys, and with them its own dice. What holds for all dice
must not hang on them, and what fails for some must fail again when somebody looks. So each test and each
fixture has a stream of its own, by its name alone: the order of tests and the number of processes change
nothing. `PBEM_LUCK=WORD` draws other streams; `PBEM_LUCK=` (empty) is chance itself.
"""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

_WORD = os.environ.get("PBEM_LUCK", "usual")
_streams = [random.Random(_WORD)]


@contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """A stream of its own for a test or a fixture; afterwards that of the one around it goes on."""
    _streams.append(random.Random(f"{_WORD}/{name}"))
    try:
        yield
    finally:
        _streams.pop()


@contextmanager
def patched() -> Iterator[None]:
    """In this process, whatever asks for random bytes gets them from the stream."""
    if not _WORD:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda size=32: _streams[-1].randbytes(size or 32))
        for kind in (Ed25519PrivateKey, X25519PrivateKey):
            patch.setattr(kind, "generate", classmethod(_generate))
        yield


def _generate(kind: type[Ed25519PrivateKey | X25519PrivateKey]) -> Ed25519PrivateKey | X25519PrivateKey:
    return kind.from_private_bytes(_streams[-1].randbytes(32))
