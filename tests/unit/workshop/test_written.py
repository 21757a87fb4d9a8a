"""Counters that stand in YAML files, as rows: totaler-krieg and wif."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.system import find
from pbem.text.diagnostics import Refused
from pbem.workshop.editing import Opened, open_folder
from pbem.workshop.writing import files_of


def folder(root: Path, system: str) -> Opened:
    for name, text in files_of(find(system), find(system).scenarios()[0]).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return open_folder(root, check=False)


def again(root: Path) -> Opened:
    return open_folder(root, check=False)


def lines(opened: Opened, work: dict[str, tuple[Any, Any]]) -> list[str]:
    """The lines that go and come when a work is saved, by file."""
    found = []
    for name, data in opened.changed(work).items():
        old, new = (text.decode().splitlines() for text in (opened.files[name], data))
        changed = difflib.unified_diff(old, new, n=0, lineterm="")
        found += [f"{name} {line}" for line in changed if line[:2] not in ("--", "++", "@@")]
        (opened.root / name).write_bytes(data)
    return found


def test_a_counter_of_totaler_krieg_moves_in_the_set_up_and_changes_in_the_order_of_battle(
    tmp_path: Path,
) -> None:
    opened = folder(tmp_path, "totaler-krieg")
    assert opened.values["c/counters.yaml/N-PZA/hex"] == "0704"
    assert opened.values["c/counters.yaml/N-PZA/f"] == '{"1": [2, 2, 4]}'
    assert "c/counters.yaml/N-PZ1/hex" not in opened.values, "in no hex: in the tray"
    moved = lines(opened, {"c/counters.yaml/N-PZA/hex": ("0704", "0404")})
    assert moved == [
        'scenario.yaml -  "0704": [N-HQ1/1, N-PZA/1, N-PZB/1]',
        'scenario.yaml +  "0704": [N-HQ1/1, N-PZB/1]',
        'scenario.yaml -  "0404": [N-FO1/1, N-IN3/1]',
        'scenario.yaml +  "0404": [N-FO1/1, N-IN3/1, N-PZA/1]',
    ]
    changed = lines(again(tmp_path), {"c/counters.yaml/N-PZA/f": ("", '{"1": [3, 2, 4]}')})
    assert changed[1:] == ['counters.yaml +    N-PZA: {c: norland, t: armor, f: {"1": [3, 2, 4]}}']
    row = {"owner": "axis", "section": "units", "c": "norland", "t": "infantry", "f": '{"1": [1, 2, 3]}'}
    added = lines(
        again(tmp_path),
        {"r/counters.yaml/N-IN9": (None, {**row, "hex": "0404", "face": "1"})},
    )
    assert 'counters.yaml +    N-IN9: {c: norland, t: infantry, f: {"1": [1, 2, 3]}}' in added
    assert added[-1].endswith("N-PZA/1, N-IN9/1]")
    gone = lines(again(tmp_path), {"r/counters.yaml/N-IN9": (1, None)})
    assert len(gone) == 3 and not any("N-IN9" in line for line in gone if "+" in line)
    assert not open_folder(tmp_path).found.errors


def test_a_counter_of_wif_moves_from_list_to_list(tmp_path: Path) -> None:
    opened = folder(tmp_path, "wif")
    assert opened.values["c/counters.yaml/CW-HQ1/hex"] == "0805"
    assert lines(opened, {"c/counters.yaml/CW-HQ1/hex": ("0805", "0804")}) == [
        'counters.yaml -  "0805":',
        'counters.yaml -    - "CW-HQ1 HQ-A 7-3 reorg 3 cost 8"',
        'counters.yaml +    - "CW-HQ1 HQ-A 7-3 reorg 3 cost 8"',
    ]
    text = {"c/counters.yaml/CW-I1/text": ("INF corps 5-3 cost 3", "INF corps 6-3 cost 3")}
    assert lines(again(tmp_path), text)[1] == 'counters.yaml +    - "CW-I1 INF corps 6-3 cost 3"'
    added = {"r/counters.yaml/CW-I9": (None, {"owner": "CW", "text": "INF corps 4-3 cost 3", "hex": "0705"})}
    assert lines(again(tmp_path), added) == ['counters.yaml +    - "CW-I9 INF corps 4-3 cost 3"']
    assert not open_folder(tmp_path).found.errors


def test_a_text_and_its_counters_change_together(tmp_path: Path) -> None:
    """The file was edited under Text, and a counter dragged before that was saved."""
    opened = folder(tmp_path, "wif")
    text = opened.files["counters.yaml"].decode()
    work = {
        "f/counters.yaml": (text, text.replace("CW-D1 INF division 1-3", "CW-D1 INF division 2-3")),
        "c/counters.yaml/CW-HQ1/hex": ("0805", "0804"),
    }
    now = opened.changed(work)["counters.yaml"].decode()
    assert "CW-D1 INF division 2-3" in now and '"0805"' not in now.partition("USA:")[0]


@pytest.mark.parametrize(
    "work",
    [
        {"c/counters.yaml/CW-HQ1/hex": (None, None)},
        {"c/counters.yaml/CW-HQ1/colour": (None, "red")},
        {"r/counters.yaml/CW-I9": (None, {"owner": "CW"})},
        {"c/counters.yaml/nobody/hex": (None, "0404")},
        {"r/counters.yaml/nobody": (1, None)},
    ],
)
def test_work_that_cannot_be_written_is_refused_or_nothing_and_never_crashes(
    tmp_path: Path, work: dict[str, tuple[Any, Any]]
) -> None:
    opened = folder(tmp_path, "wif")
    try:
        files = opened.changed(work)
    except Refused:
        return
    assert all(b"nobody" not in data for data in files.values())
    open_folder(tmp_path, files)
