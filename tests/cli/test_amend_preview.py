"""What `pbem amend` shows before it is signed."""

from __future__ import annotations

import pytest

from pbem.text.messages import Message


@pytest.mark.parametrize(
    ("signers", "said"), [((), "  not signed yet"), (("red", "blue"), "  signed by red, blue")]
)
def test_who_has_signed_an_amendment_is_told_and_nobody_as_nobody(
    signers: tuple[str, ...], said: str
) -> None:
    assert Message("cli.amend.signed-by", signers=signers) == said
