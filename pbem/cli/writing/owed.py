"""Open decisions of all parties in words, as far as this folder may know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.cli.shell.language import code

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.resolve import Question


def in_words(
    folder: Folder, asked: Mapping[str, Sequence[str]], known: Iterable[Question], powers: Collection[str]
) -> dict[str, str]:
    """Return what each decision asks; several of one kind and power are told alike, with dots.

    So are those that only their parties may read: the kind and the power in a key are public.
    """
    from pbem.archive import order_form

    questions, words = {question.key: question for question in known}, {}
    for keys in asked.values():
        about = {key: _kind_and_power(folder, key, powers) for key in keys}
        alike = Counter(about.values())
        for key, (kind, power) in about.items():
            if key in questions and alike[kind, power] == 1:
                words[key] = order_form.sentence(folder.system, questions[key], code())
            else:
                asks = order_form.sentence_of_kind(folder.system, kind, code())
                words[key] = f"{power}: {asks}" if power else asks
    return words


def _kind_and_power(folder: Folder, key: str, powers: Collection[str]) -> tuple[str, str]:
    kinds, parts = folder.system.wording.get("decisions", {}), key.split("/")
    index = next((n for n, part in enumerate(parts) if part in kinds), None)
    if index is None:
        return key, ""
    about = parts[index + 1 : index + 2]
    return parts[index], about[0] if about and about[0] in powers else ""
