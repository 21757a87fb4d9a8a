"""Weather by zones: a chart from zone, season and die to the weather that holds until the next roll.

    weather:
      dice: 1d10                      # left out: the weather of a season is fixed
      each: once                      # one die for all zones (default), or `zone`: one die for each
      codes: {B: blizzard, F: fine}   # where rows are words with a letter for each face
      zones:
        arctic: {JF: BBBBBFFFFF, any: FFFFFFFFFF}
        desert: {any: {1-2: rain, 3-10: fine}}
        inland: {any: fine}           # always the same: no die

A season that a zone does not name is its `any`. What weather does is in the system's data and rules;
which zone a hex is in is a layer of areas of the map. Rule of thumb: keep what was rolled in a public track
{zone: weather}, and let movement, supply and combat read nothing but that track.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.requests import roll
from pbem.kit.faults import bad_data
from pbem.model.events import Roll
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

ANY = "any"
KEYS = ("dice", "each", "codes", "zones")


@dataclass(frozen=True)
class Weather:
    """The chart, where `rows[zone][season]` has the weather by total of the dice.

    One entry 0 means fixed weather.
    """

    dice: str
    each_zone: bool
    rows: Mapping[str, Mapping[str, Mapping[int, str]]]

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the zones in the order of the chart."""
        return tuple(self.rows)

    @property
    def kinds(self) -> frozenset[str]:
        """Return every possible weather."""
        return frozenset(
            kind for zone in self.rows.values() for row in zone.values() for kind in row.values()
        )

    def at(self, zone: str, season: str, die: int = 0) -> str:
        """Return the weather of a zone in a season with this total; `KeyError` if the chart lacks it."""
        row = self._row(zone, season)
        return row[0] if 0 in row else row[die]

    def _row(self, zone: str, season: str) -> Mapping[int, str]:
        seasons = self.rows[zone]
        return seasons[season] if season in seasons else seasons[ANY]

    async def roll(self, season: str, *words: str | int) -> tuple[dict[str, str], tuple[Roll, ...]]:
        """Roll the weather of a season: the weather by zone, and the dice. `words` begin their labels."""
        dice: dict[str, Roll] = {}
        if self.dice and self.each_zone:
            for zone in list(self.zones):
                if 0 not in self._row(zone, season):
                    dice[zone] = await roll(self.dice, *words, zone)
        elif self.dice:
            die = await roll(self.dice, *words)
            dice = dict.fromkeys(self.zones, die)
        totals = {zone: dice[zone].total if zone in dice else 0 for zone in self.zones}
        rolled = tuple(dice.values()) if self.each_zone else tuple(dice.values())[:1]
        return {zone: self.at(zone, season, totals[zone]) for zone in self.zones}, rolled

    @classmethod
    def from_data(cls, data: Mapping[str, Any], path: DataPath = ()) -> Weather:
        """Read a chart. Raises `Refused` with every fault: unknown keys, faces without weather, bad codes."""
        faults: list[Diagnostic] = [
            bad_data(
                "unknown-key", Message("kit.weather.unknown-key", key=key), *path, key, name=key, names=KEYS
            )
            for key in data
            if key not in KEYS
        ]
        dice = data.get("dice", "")
        faces = _totals(dice)
        if faces is None:
            faults.append(
                bad_data("wrong-type", Message("kit.weather.wrong-type", dice=repr(dice)), *path, "dice")
            )
        if data.get("each", "once") not in ("once", "zone"):
            faults.append(
                bad_data("not-one-of", Message("kit.weather.not-one-of", data=repr(data["each"])), *path)
            )
        codes = data.get("codes", {})
        rows: dict[str, dict[str, dict[int, str]]] = {}
        for zone, seasons in data.get("zones", {}).items():
            rows[zone] = {}
            for season, row in seasons.items():
                entry = _row(row, faces or (), codes)
                if isinstance(entry, Message):
                    faults.append(bad_data("bad-row", entry, *path, "zones", zone, season))
                else:
                    rows[zone][season] = entry
        if not rows:
            faults.append(bad_data("missing-key", Message("kit.weather.missing-key"), *path))
        if faults:
            raise Refused(faults)
        return cls(dice, data.get("each") == "zone", rows)


def _totals(dice: object) -> tuple[int, ...] | None:
    """Return the totals that dice can show; () for no dice, None if `dice` is malformed."""
    if dice == "":
        return ()
    count, _, sides = str(dice).partition("d")
    if not (count.isdigit() and sides.isdigit() and int(count) and int(sides)):
        return None
    return tuple(range(int(count), int(count) * int(sides) + 1))


def _row(row: object, faces: tuple[int, ...], codes: Mapping[str, str]) -> dict[int, str] | Message:
    """Return the weather by total, or a fault in words."""
    if isinstance(row, str) and codes and faces and row not in codes.values():
        if len(row) != len(faces):
            return Message("kit.weather.letters-one-each-face", count=len(row), count_2=len(faces))
        if unknown := sorted(set(row) - set(codes)):
            return Message("kit.weather.not-among-codes", unknown=" ".join(unknown))
        return {face: codes[letter] for face, letter in zip(faces, row, strict=True)}
    if isinstance(row, str):
        return {0: row}
    if not isinstance(row, Mapping):
        return Message("kit.weather.weather-mapping-from-faces", row=repr(row))
    columns: dict[int, str] = {}
    for span, kind in row.items():
        low, _, high = str(span).partition("-")
        if not (low.isdigit() and (high or low).isdigit()):
            return Message("kit.weather.face-such-3-faces-such", span=repr(span))
        columns |= {face: str(kind) for face in range(int(low), int(high or low) + 1)}
    if set(columns) != set(faces):
        wrong = sorted(set(faces) ^ set(columns))
        return Message("kit.weather.faces-no-weather-no-such", map=tuple(map(str, wrong)))
    return columns
