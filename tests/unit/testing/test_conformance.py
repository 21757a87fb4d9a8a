"""The conformance suite finds what is wrong in a system: the primer with one change fails one test."""

from __future__ import annotations

import importlib
import inspect
import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.testing import conformance
from pbem.testing.conformance.over import EACH
from pbem.text import messages
from pbem.text.yaml import load
from tests.architecture.code import ROOT
from tests.imported import forget

NUMBER = itertools.count()
README = """\
# The ford

## Coverage

| rule | what |
|---|---|
| 2.0-2.3 | cards |
| 3.0, 3.1 | bids |
| 4.1, 4.3 | moves |
| 5.0, 6.0 | the end of a turn |
"""
RULING = """\
rulings:
  - {id: R-1, rule: "3.1", question: "Who bids first?", ruling: Both at once., source: the designer}
  - {id: R-2, rule: "4.1", question: "How far?", ruling: One hex., source: the designer}
"""
TABLE = """\
table: winds
rule: "6.0"
rows:
  calm: {from: 2, to: 5}
  storm: {from: 6, to: 12}
"""
GERMAN = """\
decisions:
  card: "Wähle deine Karte für diese Runde"
  resting: "Welche deiner Einheiten ruhen?"
  note: "Welche Notiz geht mit deinen Befehlen?"
  bid: "Wie viel bietest du, um zuerst zu ziehen?"
  next-move: "Zieh eine Einheit, oder beende die Bewegung"
  reaction: "{unit} wird von {origin} angegriffen: bleiben oder weichen?"
events:
  bids-opened: "Gebote: {bids}; {first} zieht zuerst"
  rested: "deine {unit} hat alle Stufen wieder"
  noted: "{by} notiert: {text}"
  moved: "{owner} zog nach {hex}"
  moved-unit: "deine {unit} zog von {origin} nach {hex}"
  fought: "{attacker} griff {hex} mit {die} an: {result}"
  retreated: "{owner} wich nach {hex}"
  card-revealed: "{player} spielte {card}"
  weather-turned: "Wetter: {deck} und {wind}"
  omen: "die Spielleitung sah {die}"
facts: {turn: die Runde, origin: woher der Angriff kommt}
values:
  "Game turn {n}": "Runde {n}"
  "{player} player turn": "Zug von {player}"
  Card choice: Kartenwahl
  Initiative: Initiative
  Movement: Bewegung
  Card: Karte
  Weather: Wetter
  how many game turns are played: wie viele Runden gespielt werden
  if card is due: wenn die Karte fällig ist
  north: Nord
  south: Süd
  hit: Treffer
  miss: daneben
  storm: Sturm
  calm: Ruhe
  rain: Regen
  sun: Sonne
  fog: Nebel
"""
ADDED = {
    "README.md": README,
    "rulings.yaml": RULING,
    "rules/tables/winds.yaml": TABLE,
    "words/de/wording.yaml": GERMAN,
}

BROKEN = load((Path(__file__).parent / "broken.yaml").read_bytes(), "broken.yaml").data


@pytest.fixture
def primer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the primer in a package of its own, with a README, rulings and a table."""
    folder = tmp_path / f"primer_{next(NUMBER)}"
    shutil.copytree(ROOT / "tests" / "primer", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in ADDED.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    path = folder / "__init__.py"
    path.write_text(path.read_text("utf-8").replace("tests.primer", folder.name), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(messages, "_HOMES", {**messages._HOMES})
    yield folder
    forget(folder.name)


def complaint(folder: Path, name: str, which: str = "SYSTEM") -> str:
    """Return what a test of the suite says of the system in a folder; "" if it passes."""
    system: System = getattr(importlib.import_module(folder.name), which)
    test: Any = vars(conformance)[name]
    (more,) = [name for name in inspect.signature(test).parameters if name != "system"] or [""]
    values = [getattr(value, "values", (value,))[0] for value in EACH[more](system)] if more else []
    try:
        for value in values:
            test(system, value)
        if not more:
            test(system)
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
    return ""


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["fault"])
def test_a_system_with_a_fault_fails(primer: Path, case: dict[str, Any]) -> None:
    (name,) = [name for name in conformance.__all__ if case["fails"] in name]
    path = primer / case["file"]
    text = case["added"] if "added" in case else path.read_text("utf-8")
    for old, new in case.get("changes", ()):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    said = complaint(primer, name, case.get("system", "SYSTEM"))
    assert said and case["says"] in said


def test_the_system_without_a_fault_passes(primer: Path) -> None:
    wanted = {case["fails"] for case in BROKEN}
    names = [name for name in conformance.__all__ if any(part in name for part in wanted)]
    assert {name: said for name in names if (said := complaint(primer, name))} == {}
