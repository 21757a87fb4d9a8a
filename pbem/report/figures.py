"""The values and state of a counter in words: `armour (6-5-8), 1 of 2 steps, DG`.

A system declares this as data. Its sentences name the fields of the counter and those that its
`printed_hook` adds, both from the reader's view, so neither has anything hidden.

    types: {INF: infantry, LDR: "leader {name}"} # by `type` or `kind`: what a counter is
    figures: {unit: "{strength}-{move}"}         # by `type` or `kind`, else the first whose fields are known
    figures-mean: {unit: "units: strength-movement"}    # what they mean, for the head of a list
    states: {dg: "DG", load: "{load} T aboard",  # each whose field is there; all of them are told
           unsupplied: "out of supply"}          # (of the counters that an overlay names so)
    facilities: {dump: "dump {t} T"}             # what is in a place, by its kind
    facilities-short: {dump: "{t}T"}             # the same for maps

A system without `types` tells its counters in lists as it does on maps (`counters-short`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.model.facility import Facility
from pbem.report.wording import Wording
from pbem.text.sentences import fill, needed

Fields = Mapping[str, Any]
_NOTHING: tuple[Any, ...] = (None, False, "", 0, (), [], {})


def typed(words: Wording, values: Fields) -> str:
    """Return what a counter is: `infantry`; empty where the system has no word for it."""
    return fill(_own(words.of("types"), values) or "", values, words.value)


def figures(words: Wording, values: Fields) -> str:
    """Return the figures of a counter: `6-5-8`; empty where the reader does not know them."""
    key = figured_by(words, values)
    return fill(words.of("figures")[key], values, words.value) if key else ""


def figured_by(words: Wording, values: Fields) -> str:
    """Return the key of the sentence that tells the figures of a counter; empty where none fits."""
    texts = words.of("figures")
    own = [str(values.get(name)) for name in ("type", "kind") if str(values.get(name)) in texts]
    fitting = (key for key in (*own, *texts) if all(values.get(n) is not None for n in needed(texts[key])))
    return next(fitting, "")


def states(words: Wording, values: Fields) -> list[str]:
    """Return the state of a counter, a text for each thing that holds: `1 of 2 steps`, `DG`."""
    texts = (
        fill(text, values, words.value)
        for key, text in words.of("states").items()
        if values.get(key) not in _NOTHING
    )
    return [text for text in texts if text]


def listed(words: Wording, values: Fields, count: int = 1) -> str:
    """Return a counter for lists, or several that read alike: `2 x armour (6-5-8), DG`."""
    name = typed(words, values)
    name = f"{count} x {name}" if name and count > 1 else name or words.short(values, count)
    return name + worth(words, values)


def worth(words: Wording, values: Fields) -> str:
    """Return figures and state as they follow what a counter is: ` (6-5-8), DG`; empty for none."""
    values_ = figures(words, values)
    return "".join([f" ({values_})" if values_ else "", *(f", {state}" for state in states(words, values))])


def keys(words: Wording, every: Iterable[Fields]) -> list[str]:
    """Return what the figures of some counters mean, a line for each sort of them."""
    used = {figured_by(words, values) for values in every}
    return [text for key, text in words.of("figures-mean").items() if key in used]


def facility(words: Wording, lying: Facility, *, short: bool = False) -> str:
    """Return what is in a place, in words; with `short` for maps. Empty where there is no word for it."""
    text = words.of("facilities-short" if short else "facilities").get(lying.kind)
    return fill(text, lying.fields, words.value) if text else ""


def _own(texts: Mapping[str, str], values: Fields) -> str | None:
    named = (texts.get(str(values.get(name))) for name in ("type", "kind"))
    return next((text for text in named if text is not None), None)
