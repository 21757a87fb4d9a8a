"""A game with an opponent whose every text is an attack: each page of the table shows it as plain text."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.games.table import Table
from pbem.cli.web.desk import Desk, name_of
from pbem.engine.system import find
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, Step, says, serving, sit
from tests.cli.test_letters import pbem, send

TAG = '"><script>window.hacked=1</script><img src=x onerror=window.hacked=2><b class=hostile>'
# what turns the direction of writing is in no statement; an email that is dropped on the page may have it
TURNED = "\u202egnihtyna syas ti\u2066"
LONG = "W" * 10_000
TEXTS = (TAG, TAG + LONG, "javascript:window.hacked=3", "{{hacked}} {% raw %} ${hacked}")
CAME = "[window.hacked || 0, document.querySelectorAll('.hostile, img[src=x]').length]"
TURNS = r"/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)"
PAGES = ("", "orders", "standing", "post", "letters", "trust", "settings", "desk")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Red's opponents and the game master write whatever does most harm, wherever they may write."""
    browser()
    table = Table(tmp_path_factory.mktemp("hostile"), find("victory"), "sarn_strait", seed="hostile")
    table.ahead = False
    table.sit_down(f"War {TAG}", options={}, people={"blue": TAG, "gm": f"G {TAG[:80]}"})
    for text in TEXTS:
        send(table, "blue", "--to", "red", "--text", text)
        send(table, "green", "--public", "--text", text)
    assert pbem(table, "blue", "protest", TAG).exit_code == 0
    ruled = pbem(table, "gm", "rule", "--set", "B-IN1.cv=3", "--reason", TAG, "--yes")
    assert ruled.exit_code == 0, ruled.output
    for seat in ("blue", "gm"):
        for mail in sorted((table.root / seat / "outbox").glob("*.eml")):
            pbem(table, "red", "receive", str(mail))
    return table


def test_no_text_of_others_acts_on_any_page_of_the_table(game: Table, tmp_path: Path) -> None:
    red = game.seats["red"].root
    dropped = tmp_path / f"{TAG.replace('/', '')}.eml"
    dropped.write_text(f"From: {TAG}\nSubject: {TURNED}{TAG}\n\n{TAG}\n{LONG}\n", "utf-8")
    looks: list[Step] = [says(CAME), says(TURNS), {"wide": True}]
    here = f"/g/{name_of(red)}/"
    steps: list[Step] = [{"goto": f"{here}table"}, {"wait": IDLE}, *looks, {"click": "#grip"}]
    for tab in ("news", "units", "orders", "rules", "now"):
        steps += [{"click": f"#tab-{tab}"}, {"wait": IDLE}, *looks]
    steps += [
        {"click": "#pages details:last-of-type summary"},
        {"fill": ["#pages details[open] textarea", TAG]},
        {"click": "#pages details[open] button"},
        {"wait": IDLE},
        *looks,
    ]
    for page in PAGES:
        steps += [{"goto": here + page}, *looks]
    steps += [{"goto": "/"}, *looks]
    steps += [{"goto": f"{here}post"}, {"files": ["#file", str(dropped)]}, {"click": "form.drop button"}]
    steps += [{"wait": "document.getElementById('h-done') || document.querySelector('.faults')"}, *looks]
    with serving(Desk(red)) as link:
        (found,) = sit([{"link": link(), "steps": steps, "width": 390, "height": 844}], {})
    acted = found["values"][::2]
    assert len(acted) > 12 and all(one == [0, 0] for one in acted)
    assert not any(found["values"][1::2]), "no text turns the direction of others"
    assert found["errors"] == [] and found["requests"] == [] and found["wide"] == []


def test_the_texts_are_there_as_they_were_written(game: Table) -> None:
    """Letters are shown on their page, tags and all: a text that is shown nowhere would prove nothing."""
    assert pbem(game, "blue", "letter", "--to", "red", "--text", TURNED).exit_code == 1
    told = pbem(game, "red", "letters", "--all").output
    assert "<script>window.hacked=1</script>" in told and "\u202e" not in told
