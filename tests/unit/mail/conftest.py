"""A signed statement to carry through the mail, and the folder of outside mails where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner

ROOT = Path(__file__).parents[3]
OUTSIDE = ROOT.parent / "shared" / "data" / "mails"
SIGNER = FileSigner.from_seed(b"a key of the mail tests, no more")


def signed(text: str = "an order that nobody may change") -> Signed:
    """Some bytes and their signature; reading mail does not care what they say."""
    data = ('{"text":"' + text * 12 + '"}').encode()
    return Signed(data, (SIGNER.sign(data),))


@pytest.fixture(scope="session")
def order() -> Signed:
    return signed()


@pytest.fixture(scope="session")
def letter(order: Signed) -> str:
    """The text of a `.pbem.txt`, with umlauts in the readable part."""
    return armour.write("Sarn Strait, stage 12\nZüge von Rot: Einheit „A1“ nach 0305", [order])


@pytest.fixture(scope="session")
def outside() -> Path:
    if not OUTSIDE.is_dir():
        pytest.skip(f"outside mails are not at {OUTSIDE}")
    return OUTSIDE
