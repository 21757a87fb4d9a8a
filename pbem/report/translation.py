"""Faults of a translation of a system's wording."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.sentences import used

# sections that are not language
SIGNS = ("hexsides", "links", "map", "luck", "comes", "news", "scores", "standing", "answers", "spoken")
Sections = Mapping[str, Mapping[str, str]]


def translation_faults(english: Sections, other: Sections) -> list[Diagnostic]:
    """Return sentences without a translation, unused translations, and fields that only one has."""
    faults: list[Diagnostic] = []
    for section, texts in english.items():
        if section not in SIGNS:
            for key, text in texts.items():
                faults += _differences(section, key, text, other.get(section, {}).get(key))
    for section, texts in other.items():
        for key, text in texts.items():
            if section == "values":
                faults += _differences(section, key, key, text)
            elif key not in english.get(section, {}):
                message = Message("report.translation.unknown-name", section=section, key=key)
                faults.append(Diagnostic("unknown-name", message, path=(section, key)))
    return faults


def _differences(section: str, key: str, text: str, to: str | None) -> list[Diagnostic]:
    path = (section, key)
    if to is None:
        return [
            Diagnostic(
                "no-sentence", Message("report.translation.no-sentence", section=section, key=key), path=path
            )
        ]
    wanted, there = set(used(text)), set(used(to))
    if wanted == there:
        return []
    message = Message(
        "report.translation.bad-sentence",
        section=section,
        key=key,
        fields=_named(there),
        wanted=_named(wanted),
    )
    return [Diagnostic("bad-sentence", message, path=path)]


def _named(fields: set[str]) -> str:
    return ", ".join(sorted(fields)) or "none"
