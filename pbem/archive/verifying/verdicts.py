"""Codes and severities of what `verify` says: the table that programs may rely on (docs/auditing.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pbem.text.loading import load_data

Severity = Literal["error", "warning", "note"]


@cache
def verdicts() -> Mapping[str, Mapping[str, Any]]:
    """Return, by code, the severity in each class, the meaning, and the place in the protocol."""
    name = "verdicts.yaml"
    source = files("pbem.archive.verifying").joinpath(name).read_bytes()
    table: Mapping[str, Mapping[str, Any]] = load_data(source, name)
    return table


def severity(kind: str, code: str) -> Severity:
    """Return the severity of a finding; a false one is always an error."""
    if kind == "false":
        return "error"
    known: Severity = verdicts().get(code, {}).get(kind, "warning")
    return known
