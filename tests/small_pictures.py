"""Pictures of emails at a tenth of their size: they take half of a game, and few tests look at them."""

from __future__ import annotations

import pytest

from pbem.report import mail_page


def draw_small(patch: pytest.MonkeyPatch) -> None:
    """Have `patch` draw the pictures of emails small until it ends."""
    draw = mail_page._rendered
    patch.setattr(mail_page, "_rendered", lambda drawn, scale: draw(drawn, scale / 10))
