"""Steps of a leaf that the outline lists and procedures name: those that either lacks are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.testing.stepping import steps
from tests.unit.testing.test_gate import made as made
from tests.unit.testing.test_gate import system_in

LISTED = "{leaf: guessing, steps: [{id: T.a.1, segment: One}, {id: T.a.2, segment: Two}], "


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('game.at("1")\n    game.at("T.a.2")', []),
        ('game.at("1")', ["'T.a.2'"]),
        ('game.at("1")\n    game.at("2")\n    game.at("3")', ["'3'"]),
        ('game.at("1")\n    game.at("2")\n    game.at(".2")', ["'.2'"]),
        ("game.at(str(1))", []),
        ('game.at(str(1))\n    game.at("3")', ["'3'"]),
        ('await steps(game, [("1", None), "2"])', []),
        ('await kit.steps(game, [("1", None)])', ["'T.a.2'"]),
        ("await steps(game, every)", []),
        ('other.at("3")\n    game.at("1")\n    game.at("a.2")', []),
    ],
)
def test_steps_that_one_of_both_lacks_are_told(made: Path, code: str, said: list[str]) -> None:
    outline, rules = made / "sequence.yaml", made / "rules.py"
    outline.write_text(outline.read_text("utf-8").replace("{leaf: guessing, ", LISTED), "utf-8")
    text = rules.read_text("utf-8").replace(
        'game.tracks["turn"] += 1', f'{code}\n    game.tracks["turn"] += 1'
    )
    rules.write_text(text, "utf-8")
    told = list(steps(system_in(made)))
    assert [fault.message.count(name) for fault, name in zip(told, said, strict=True)] == [1] * len(said)
    for fault in told:
        assert (fault.code == "unused") is (fault.span is None)
        assert fault.span is None or (fault.span.file, fault.help != ()) == (f"{made.name}/rules.py", True)
