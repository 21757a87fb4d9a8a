"""The order in which options are listed, as snapshots; `python -m pbem.testing` writes them.

The order shows in order files, and bots choose by it. It may change, but not by accident: a person looks at
the difference before it is committed.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Collection
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.system import System, find
from pbem.model.codec import from_json
from pbem.testing.examples import examples
from pbem.testing.playing import asked_at_start
from pbem.testing.runner import prepare
from pbem.text.canonical import dumps

SHOWN, MOST, EACH = 12, 2000, 4
STRIDE = SHOWN // 3
"""Of the options shown, every fourth is gone on from: each costs a whole list."""


def listed(decision: Decision[Any], game: Game, so_far: Any = None) -> dict[str, Any]:
    """Return the first options, their number, and the hash of all of them in order.

    `longer` is the hash of those that go on from some of the first ones, for answers that grow.
    """
    answers = _answers(decision, game, so_far)
    longer = [
        _answers(decision, game, from_json(decision.answer, answer)) for answer in answers[:SHOWN:STRIDE]
    ]
    return {
        "count": len(answers),
        "sha256": _hash(answers),
        "longer": _hash([longer_answer for longer_answer in longer if longer_answer != answers]),
        "first": answers[:SHOWN],
    }


def _answers(decision: Decision[Any], game: Game, so_far: Any) -> list[Any]:
    options = decision.options(game, so_far) if isinstance(decision, Growing) else decision.options(game)
    return [option.answer for option in islice(options, MOST)]


def _hash(answers: list[Any]) -> str:
    return sha256(dumps(answers)).hexdigest()


def at_start(system: System) -> dict[str, Any]:
    """Return the options of every question that the scenarios ask first, on the player's view."""
    return {
        f"{scenario}: {decision.kind} of {decision.player}": listed(decision, view)
        for scenario in system.scenarios()
        for decision, _, view in asked_at_start(system, scenario)
    }


def in_examples(system: System, names: Collection[str] | None = None) -> dict[str, Any]:
    """Return options of decisions in examples: of those named, or a few of each kind."""
    options: dict[str, Any] = {}
    counts: Counter[str] = Counter()
    for name, example in examples(system):
        asked = example.get("options") or example.get("check")
        if not asked:
            continue
        title, kind = name.removeprefix(f"{system.name}: "), asked["decision"]
        if counts[kind] >= EACH if names is None else title not in names:
            continue
        counts[kind] += 1
        game = prepare(system, example.get("given", {}))
        decision = system.decision(asked["decision"], asked["player"], asked.get("fields", {}))
        so_far = from_json(decision.answer, asked["so_far"]) if "so_far" in asked else None
        options[title] = listed(decision, game, so_far)
    return options


def snapshot(system: System) -> str:
    """Return the text for the snapshot file of a system."""
    parts = {"at the start": at_start(system), "in examples": in_examples(system)}
    lines = ["{"]
    for n, (part, entries) in enumerate(parts.items()):
        lines.append(f"{_text(part)}: {{")
        for m, (name, entry) in enumerate(entries.items()):
            lines.append(f" {_text(name)}: {{")
            lines += [f"  {_text(key)}: {_text(entry[key])}," for key in ("count", "sha256", "longer")]
            lines.append('  "first": [')
            lines.append(",\n".join(f"   {_text(answer)}" for answer in entry["first"]))
            lines.append(" ]}" + ("," if m + 1 < len(entries) else ""))
        lines.append("}" + ("," if n + 1 < len(parts) else ""))
    return "\n".join([*lines, "}"]) + "\n"


def file_of(system: System, folder: Path) -> Path:
    """Return the path of a system's snapshot in a folder of snapshots."""
    return folder / f"{system.name}-options.json"


def system_of(name: str) -> System:
    """Return an installed system by its name, or one in a package: `my_package:SYSTEM`."""
    package, colon, attribute = name.partition(":")
    if not colon:
        return find(name)
    system = getattr(importlib.import_module(package), attribute)
    assert isinstance(system, System), f"{name} is no System"
    return system


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
