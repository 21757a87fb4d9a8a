"""Pictures of emails at a tenth of their size: they take half of a game, and few tests look at them.

A `conftest.py` that imports `small_pictures` has them small for all tests of its folder.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.report import mail_page


@pytest.fixture(scope="package", autouse=True)
def small_pictures() -> Iterator[None]:
    draw = mail_page._rendered
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mail_page, "_rendered", lambda drawn, scale: draw(drawn, scale / 10))
        yield
