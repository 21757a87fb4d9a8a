"""Translations lie beside the package of a system: what a game pins is not theirs (decision 31)."""

from __future__ import annotations

import shutil
from copy import copy
from pathlib import Path

from pbem.engine.installed import entry_points
from pbem.engine.system import System, find

SYSTEMS = sorted(entry_points("pbem.systems"))


def afresh(system: System, words: Path) -> System:
    """The same system with nothing read yet, and its translations in another folder."""
    made = copy(system)
    for name in ("file_hashes", "digest"):
        made.__dict__.pop(name, None)
    made._translations = {}
    made.__dict__["words_folder"] = words
    return made


def test_a_word_mended_or_a_language_added_leaves_the_digest_as_it_is(tmp_path: Path) -> None:
    system = find("victory")
    words = tmp_path / "victory_words"
    shutil.copytree(system.words_folder, words)
    (words / "nl").mkdir()
    (words / "nl" / "some.yaml").write_text("values: {red: Rood}\n", "utf-8")
    (words / "de" / "zz.yaml").write_text("values: {red: Knallrot}\n", "utf-8")
    changed = afresh(system, words)
    assert changed.digest == system.digest
    assert changed.languages() == ["de", "nl"]
    assert changed.wording_in("de")["values"]["red"] == "Knallrot"
    assert changed.wording_in("nl")["events"] == system.wording["events"], "the rest is English"
