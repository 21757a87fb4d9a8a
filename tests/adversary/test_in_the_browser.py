"""Hostile emails do no more in the Python of a site than on a computer: the same list, the same page.

It needs what tests/browser/test_site.py needs.
"""

from __future__ import annotations

import base64
import inspect
import json
from pathlib import Path

import pytest

from pbem.trust.armour import write
from tests.adversary import at_a_table
from tests.adversary.at_a_table import judged
from tests.adversary.play import Game
from tests.adversary.test_orders import REFUSED, UNREADABLE
from tests.browser.sites import in_wasm
from tests.primer import SYSTEM

PRIMER = Path(__file__).parents[1] / "primer"
THERE = """
import json, sys
from pathlib import Path
for name, text in json.loads({modules!r}).items():
    path = Path("/home/modules/tests/primer") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
sys.path.append("/home/modules")
from tests.primer import SYSTEM
from pbem.engine import system as systems
usual = systems.find
systems.find = lambda name: SYSTEM if name == SYSTEM.name else usual(name)
json.dumps(judged("/home/pbem", *json.loads({given!r})))
"""


@pytest.mark.parametrize("reader", ["gm", "north"])
def test_what_a_computer_refuses_is_refused_there(still: Game, reader: str, tmp_path: Path) -> None:
    attacks = {name: make(still.south, still.north) for name, (make, _) in REFUSED.items()}
    if reader == "gm":  # nobody else can open the seal
        attacks |= {name: make(still.south, still.north) for name, make in UNREADABLE.items()}
    mails = {name: "From: south@example.org\n\n" + write("", [one]) for name, one in attacks.items()}
    root = still.seat(reader).root
    files = {
        path.relative_to(root).as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    told, before, after = judged(str(tmp_path / "home"), files, mails)
    assert before == after and isinstance(told, dict) and told.keys() == attacks.keys()
    for name in REFUSED:
        assert told[name][0] == 200 and REFUSED[name][1] in told[name][1], (name, told[name])
    modules = {
        path.relative_to(PRIMER).as_posix(): path.read_text("utf-8")
        for path in sorted(PRIMER.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    program = inspect.getsource(at_a_table) + THERE.format(
        modules=json.dumps(modules), given=json.dumps([files, mails])
    )
    assert SYSTEM.name == "primer"
    assert in_wasm(tmp_path, program) == [told, before, after]
