"""Texts for named readers beside the orders of a page, such as a note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken

if TYPE_CHECKING:
    from pbem.cli.web.draft import OrderDraft
    from pbem.engine.system import System

FORM = {"to", "text"}
"""The parts of an answer that the page has a form for; others are written in the order file."""


def enclosed(orders: OrderDraft) -> list[dict[str, Any]]:
    """Return each kind of text that may go with these orders: its question, who may read it, what it says."""
    from pbem.archive import order_form
    from pbem.engine.resolve import question_of

    folder, system = orders.folder, orders.folder.system
    roster, me = folder.need_roster(), folder.need_me()
    if roster.terms.arbiter is None or me not in folder.progress.asked:
        return []
    others = [player for player in roster.players if player != me and player not in roster.dropped]
    entries = []
    for kind in kinds(system):
        question = question_of(system.decision(kind, me, {}), kind, hidden=system.hidden)
        given = orders.answers.get(kind)
        text_given = given if isinstance(given, dict) else {}
        entries.append(
            {
                "kind": kind,
                "ask": order_form.sentence(system, question, code()),
                "others": [{"id": other, "seat": spoken(other)} for other in others],
                "to": text_given.get("to", []),
                "text": text_given.get("text", ""),
            }
        )
    return entries


def kinds(system: System) -> list[str]:
    """Return the decisions for named readers that the page has a form for."""
    from dataclasses import fields

    decisions = system.registry.decisions
    return sorted(
        kind
        for kind, decision in decisions.items()
        if decision.secrecy == "readers" and {field.name for field in fields(decision.answer)} == FORM
    )


def enclose(orders: OrderDraft, kind: str, to: Sequence[str], text: str) -> None:
    """Put a text for these readers into the order file, in the place of the one before; empty: none."""
    if kind in kinds(orders.folder.system):
        orders.answers.pop(kind, None)
        if text.strip():
            orders.answers[kind] = {"to": list(to), "text": " ".join(text.split())}


def said_of(data: Mapping[str, Any]) -> tuple[str, list[str], str]:
    """Return the kind, readers and text of a question of the page."""
    from pbem.cli.web import asked

    return asked.text(data, "kind") or "", asked.texts(data, "to", 99), asked.text(data, "text") or ""
