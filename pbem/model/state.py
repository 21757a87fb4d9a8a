"""The saved game: position at the last checkpoint, place in the sequence of play, and open journal.

The text is JSON, so YAML too, laid out for people and for git: one counter, one journal entry, one
question a line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from typing import Any

from pbem.board.position import Position
from pbem.model.migrations import migrate
from pbem.text.canonical import Json, dumps
from pbem.text.dataclass import dataclass

FORMAT = "pbem-state/1"
Entry = dict[str, Json]


@dataclass
class Open:
    """A leaf that waits: what was asked and rolled in it so far, and what it waits for.

    `told` counts the events already reported, `interim` is the digest of the position where it stopped,
    `held` are
    answers of a simultaneous question that others still owe.
    """

    journal: list[Entry] = field(default_factory=list)
    interim: str = ""
    told: int = 0
    pending: list[Entry] = field(default_factory=list)
    held: dict[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        members: dict[str, Json] = {
            "interim": self.interim,
            "told": self.told,
            "pending": list(self.pending),
            "held": self.held,
            "journal": list(self.journal),
        }
        return {key: value for key, value in members.items() if value or key == "interim"}


@dataclass
class GameState:
    """The state of a game, with everything needed to go on.

    `at` is the cursor (engine.cursor), `game` what the protocol needs (id, stage, head, seed), `kept` the
    commitments of earlier leaves that are not opened yet, `rulings` the GM's changes, `spent` the names of
    used advance orders (engine.ahead).
    """

    rules: dict[str, Json]
    scenario: str
    options: dict[str, Json]
    players: tuple[str, ...]
    at: list[Json]
    position: Position
    standing: dict[str, list[Json]] = field(default_factory=dict)
    open: Open | None = None
    kept: list[Entry] = field(default_factory=list)
    game: dict[str, Json] = field(default_factory=dict)
    previous: str = ""
    rulings: list[dict[str, Json]] = field(default_factory=list)
    spent: dict[str, list[str]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        position = self.position.to_json()
        members: dict[str, Json] = {
            "format": FORMAT,
            "rules": self.rules,
            "game": self.game,
            "scenario": self.scenario,
            "options": self.options,
            "players": list(self.players),
            "at": self.at,
            "position": position,
            "standing": dict(self.standing),
            "spent": {party: list(names) for party, names in self.spent.items()},
            "open": self.open.to_json() if self.open else None,
            "kept": list(self.kept) or None,
            "previous": self.previous,
            "rulings": list(self.rulings) or None,
        }
        return {
            key: value for key, value in members.items() if value not in (None, {}, "") or key == "options"
        }

    def digest(self) -> str:
        """Return the SHA-256 of the canonical bytes, in hex."""
        return sha256(dumps(self.to_json())).hexdigest()


def from_json(data: Mapping[str, Any]) -> GameState:
    """Return the state of loaded data that fits `state.schema.json`.

    Raises Refused for another format.
    """
    data = migrate(data, FORMAT)
    opened = data.get("open")
    return GameState(
        rules=dict(data["rules"]),
        scenario=data["scenario"],
        options=dict(data.get("options", {})),
        players=tuple(data["players"]),
        at=list(data.get("at", [])),
        position=Position.from_json(data["position"]),
        standing={party: list(orders) for party, orders in data.get("standing", {}).items()},
        open=_open(opened) if opened is not None else None,
        kept=[dict(entry) for entry in data.get("kept", [])],
        game=dict(data.get("game", {})),
        previous=data.get("previous", ""),
        rulings=[dict(entry) for entry in data.get("rulings", [])],
        spent={party: list(names) for party, names in data.get("spent", {}).items()},
    )


def _open(data: Mapping[str, Any]) -> Open:
    return Open(
        journal=list(data.get("journal", [])),
        interim=data.get("interim", ""),
        told=data.get("told", 0),
        pending=list(data.get("pending", [])),
        held=dict(data.get("held", {})),
    )


def dump(data: Mapping[str, Json]) -> str:
    """Return a state (or its public part) as text.

    Tables of entries get a line for each entry, the rest a line each.
    """
    lines = [f" {_text(key)}: {_value(value, 2)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "}\n"


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _value(value: Json, depth: int) -> str:
    """Return a value as text: mappings of mappings and lists of mappings are broken into lines."""
    pad = " " * depth
    if isinstance(value, dict) and any(isinstance(item, dict | list) and item for item in value.values()):
        ordered: Sequence[str] = sorted(value)
        inner = [f"{pad}{_text(key)}: {_nested(value[key], depth)}" for key in ordered]
        return "{\n" + ",\n".join(inner) + "}"
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(pad + _text(item) for item in value) + "]"
    return _text(value)


def _nested(value: Json, depth: int) -> str:
    """Return a nested value, broken again only if its entries are mappings of mappings or lists."""
    table = isinstance(value, dict) and any(isinstance(item, dict) for item in value.values())
    rows = isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    return _value(value, depth + 1) if depth < 4 and (table or rows) else _text(value)
