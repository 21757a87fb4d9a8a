"""Facilities in a place beside its counters: dumps, air bases, hedgehogs, damage to a port."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Facility:
    """A facility in a location (by id) that belongs to `owner` and is no counter.

    The sections `facilities` and `facilities-short` of the wording say it by its `kind`; `fields` are what
    their sentences may name: those that the reader may know.
    """

    place: str
    owner: str
    kind: str
    fields: Mapping[str, Any]
