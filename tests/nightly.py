"""Seeds of the random games that are played by the hundred at night; the first dozen CI plays too."""

from __future__ import annotations

from typing import Any

import pytest


def by_the_hundred() -> list[Any]:
    """The seeds, for `parametrize`."""
    first = [pytest.param(seed, marks=pytest.mark.dozens) for seed in range(12)]
    return [*first, *range(12, 120)]
