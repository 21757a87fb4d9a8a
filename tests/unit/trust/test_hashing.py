"""The hash of the protocol and its encoding."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.trust.hashing import H, is_hex32, lp, u32


def test_the_hash_of_the_protocol_document(vectors: dict[str, Any]) -> None:
    assert H("test").hex() == vectors["H_empty"]
    assert H("test", "ab", "").hex() == vectors["H_two"]
    assert H("test", b"a", b"b").hex() == vectors["H_two_other_split"]


def test_lengths_are_four_bytes_big_endian() -> None:
    assert lp(b"abc") == b"\0\0\0\3abc"
    assert u32(2**32 - 1) == b"\xff" * 4
    with pytest.raises(OverflowError):
        u32(2**32)


@pytest.mark.parametrize(
    "odd", ["", "A" * 64, "a" * 63, "a" * 65, "g" * 64, "a" * 64 + "\n", 7, None, b"a" * 64]
)
def test_only_64_lower_case_digits_are_a_hash(odd: object) -> None:
    assert not is_hex32(odd)
    assert is_hex32("0f" * 32)
