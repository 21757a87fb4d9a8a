"""Faults in the sentences of a rules system: missing, unused, with unknown fields, or no texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import get_args, get_type_hints

from pbem.report.codes import SAID
from pbem.report.wording import SECTIONS
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.sentences import FIELD, PLURAL, used
from pbem.text.suggest import did_you_mean

EXAMPLES = ("standing", "answers", "spoken")  # braces in these are those of YAML


def faults(
    sections: Mapping[str, Mapping[str, str]], events: Mapping[str, type], decisions: Mapping[str, type]
) -> list[Diagnostic]:
    """Return missing and unused sentences, unknown fields, and words that are no texts."""
    faults_ = [_unknown("section", name, SECTIONS, (name,)) for name in sections if name not in SECTIONS]
    for section, kinds in (("events", events), ("decisions", decisions)):
        texts = sections.get(section, {})
        section_name = section[:-1]
        for kind in kinds:
            if kind not in texts:
                message = Message("report.wording.no-sentence", what=section_name, kind=kind)
                faults_.append(Diagnostic("no-sentence", message, path=(section, kind)))
        faults_ += _sentences(section, texts, kinds)
    faults_ += _facts(sections.get("facts", {}), decisions)
    faults_ += _members(sections.get("members", {}), events)
    for section in ("headlines", "cards", "because", "luck", "working", "news"):
        faults_ += _sentences(section, sections.get(section, {}), events)
    for section, texts in sections.items():
        for key, text in texts.items() if section not in EXAMPLES else ():
            faults_ += _braces(section, key, text)
    return faults_


def _members(texts: Mapping[str, str], events: Mapping[str, type]) -> list[Diagnostic]:
    """Return words for a list that no event has."""
    known = [f"{kind}.{name}" for kind, cls in events.items() for name in _fields_of(cls)]
    wrong = [key for key in texts if key not in known and not key.startswith("tracks.")]
    return [_unknown("member", key, known, ("members", key)) for key in wrong]


def _facts(texts: Mapping[str, str], decisions: Mapping[str, type]) -> list[Diagnostic]:
    """Return facts of decisions without words, and words for no fact."""
    known = {name: kind for kind, cls in decisions.items() for name in getattr(cls, "known_facts", dict)()}
    faults_ = [
        Diagnostic(
            "no-sentence",
            Message("report.wording.fact-has-no-words", name=name, kind=kind),
            path=("facts", name),
        )
        for name, kind in known.items()
        if name not in texts
    ]
    return [
        *faults_,
        *(_unknown("fact", name, list(known), ("facts", name)) for name in texts if name not in known),
    ]


def _sentences(section: str, texts: Mapping[str, str], kinds: Mapping[str, type]) -> list[Diagnostic]:
    faults: list[Diagnostic] = []
    for kind, text in texts.items():
        if kind not in kinds:
            faults.append(_unknown(section.rstrip("s"), kind, list(kinds), (section, kind)))
            continue
        names = _fields_of(kinds[kind])
        faults += [
            _unknown(Message("report.wording.field-of-kind", kind=kind), n, names, (section, kind))
            for n in used(str(text))
            if n.removesuffix(SAID) not in names
            and not (section == "luck" and n in _fields_of_records(kinds[kind]))
            and not (section == "cards" and any(n.startswith(f"{name}_") for name in names))
        ]
    return faults


def _braces(section: str, key: str, text: object) -> list[Diagnostic]:
    path = (section, key)
    if not isinstance(text, str):
        return [
            Diagnostic(
                "wrong-type",
                Message("report.wording.wrong-type", section=section, key=key, text=repr(text)),
                path=path,
            )
        ]
    if re.search(r"[{}]", FIELD.sub("", PLURAL.sub("", text))):
        message = Message(
            "report.wording.bad-sentence", section=section, key=key, text=repr(text), field="{field}"
        )
        return [Diagnostic("bad-sentence", message, path=path)]
    return []


def _fields_of(kind: type) -> list[str]:
    assert is_dataclass(kind)
    return [field.name for field in fields(kind)]


def _fields_of_records(kind: type) -> set[str]:
    """Return the fields of the records that an event lists."""
    parts = [part for hint in get_type_hints(kind).values() for part in get_args(hint)]
    return {
        name for part in parts if isinstance(part, type) and is_dataclass(part) for name in _fields_of(part)
    }


def _unknown(kind: str, name: str, known: Sequence[str], path: tuple[str | int, ...]) -> Diagnostic:
    near = did_you_mean(name, list(known))
    help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
    return Diagnostic(
        "unknown-name", Message("report.wording.unknown-name", what=kind, name=name), path=path, help=help_
    )
