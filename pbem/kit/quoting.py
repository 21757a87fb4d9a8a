"""Orders as their owners wrote them, for reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.text.flow import flow

_SORTS = ("decision", "once", "name", "seal", "subject", "on_illegal")


def as_filed(order: Mapping[str, Any]) -> str:
    """Return an order on one line as an order file has it, without the words that only sort it."""
    return flow(_plain(order))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items() if key not in _SORTS}
    return [_plain(part) for part in value] if isinstance(value, list) else value
