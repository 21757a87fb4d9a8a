"""Loading and saving a state of many counters, beside the YAML libraries on the same bytes."""

from __future__ import annotations

import importlib
import json
from typing import Any

from pbem.board.position import Position
from pbem.model.state import GameState, dump, from_json
from pbem.text.json_first import read_state_text
from tests.benchmarks.timing import best, row


def state(counters: int) -> GameState:
    """An invented position."""
    position = Position(
        {
            f"R-IN{n}": {
                "owner": "red",
                "type": "IN",
                "cv": 1 + n % 4,
                "hex": f"{1 + n % 60:02}{1 + n % 40:02}",
            }
            for n in range(counters)
        },
        {"turn": 3},
    )
    rules: dict[str, Any] = {"system": "bench", "edition": "1", "revision": 1, "digest": "0" * 64}
    return GameState(rules, "bench", {}, ("red", "blue"), [], position)


def main(smoke: bool = False) -> None:
    for counters in (100, 1000) if smoke else (1000, 2000, 5000, 10_000, 20_000):
        game = state(counters)
        text = dump(game.to_json())
        data = text.encode()
        saving = best(lambda game=game: dump(game.to_json()))
        loading = best(lambda data=data: from_json(read_state_text(data, "state.yaml").data))
        row(f"{counters} counters: save and load together ({len(data) // 1024} kB)", saving + loading)
    row("  of this, load", loading)
    plain = best(lambda: json.loads(data))
    row("  json.loads alone, the least possible", plain)
    for name, load in yaml_peers():
        row(f"  load, beside {name}", loading, best(lambda load=load: load(text), 1), name)


def yaml_peers() -> list[tuple[str, Any]]:
    """YAML libraries that are here, each as a function from text to data."""
    peers: list[tuple[str, Any]] = []
    from ruamel.yaml import YAML

    peers.append(("ruamel.yaml (C)", lambda text: YAML(typ="safe").load(text)))
    try:
        pyyaml = importlib.import_module("yaml")
        loader = getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)
        peers.append(("PyYAML (C)", lambda text: pyyaml.load(text, Loader=loader)))
    except ImportError:
        print("  (PyYAML is not installed: left out)")
    return peers


if __name__ == "__main__":
    main()
