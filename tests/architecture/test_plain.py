"""Sentences that people read keep to the house style: no forbidden word, none of more than 25 words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.text.messages import catalogue
from pbem.text.yaml import load
from tests.architecture.test_messages import names

ROOT = Path(__file__).parents[2]


def _read(path: Path) -> Any:
    return load(path.read_bytes(), path.name).data


DATA: Mapping[str, Any] = _read(Path(__file__).with_name("plain.yaml"))
LANGUAGES = {"en": "english", "de": "german"}
SKIPPED = {"answers", "standing", "values", "map", "luck", "counters", "names"}
"""Sections that are no sentences, or that name what records hold."""
CONDITION = re.compile(r"\[\[[a-z_]+(?:=[^?!\]]*)?[?!]|\[\[|\]\]")
FIELD = re.compile(r"\{[a-z_]+[^}]*\}|`[^`]*`")
END = re.compile(r"[.;:?!](?:\s|$)|\n")


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in SKIPPED:
                yield from _flat(f"{name}.{key}", inner)


@cache
def sentences(language: str) -> dict[str, str]:
    """Return every sentence of a language by its id, or by its file and key."""
    found = {id: text for name in names() for id, text in catalogue(name, language).items()}
    files = [ROOT / f"pbem/report/words/{language}.yaml", ROOT / f"pbem/cli/web/words/{language}.yaml"]
    files += sorted((ROOT / "pbem" / "systems").glob(f"*/words/{language}/*.yaml"))
    for file in files:
        found |= _flat(str(file.relative_to(ROOT)), _read(file))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_word_that_the_style_forbids(language: str) -> None:
    recorded = set(DATA["recorded"])
    said = {id: text for id, text in sentences(language).items() if id not in recorded}
    assert len(said) > 4000
    wrong = [
        f"{id}: write {instead}: {text}"
        for id, text in sorted(said.items())
        for pattern, instead in DATA[LANGUAGES[language]].items()
        if re.search(pattern, FIELD.sub("X", text))
    ]
    assert not wrong, "\n".join(wrong[:30])


def test_no_sentence_is_longer_than_the_style_allows() -> None:
    wrong = []
    for id, text in sentences("en").items():
        plain = re.sub(r"`[^`]*`", "X", CONDITION.sub("", text.partition("Example:")[0]))
        long = [part for part in END.split(plain) if len(part.split()) > DATA["longest"]]
        wrong += [f"{id}: {part}" for part in long if id not in DATA["recorded"]]
    assert not wrong, "\n".join(wrong)


def test_what_records_hold_is_still_said() -> None:
    assert set(DATA["recorded"]) <= set(sentences("en")), "an id in the list of exceptions that nobody says"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("whoever stops here", "english"),
        ("you sent two mails", "english"),
        ("the answers sent ahead", "english"),
        ("Red fell back from 0606", "english"),
        ("found 3, wanted a list", "english"),
        ("Mein Glied geben", "german"),
        ("der Spielleiter öffnet", "german"),
    ],
)
def test_what_is_forbidden_would_be_found(text: str, language: str) -> None:
    found = [pattern for pattern in DATA[language] if re.search(pattern, text, re.IGNORECASE)]
    assert found
