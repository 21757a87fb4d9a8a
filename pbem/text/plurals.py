"""Plural forms: how many a language has, and which one goes with a number.

The forms of a sentence stand in the order of the rule: `{n|block|blocks}` in English, and
`{n|blok|bloki|bloków}` in Polish. The rules are those of Unicode (CLDR) for whole numbers.
"""

from collections.abc import Callable
from typing import NamedTuple


class Plural(NamedTuple):
    """The rule of a language: `form(number)` is the index of one of the `forms`."""

    forms: int
    form: Callable[[int], int]


def _slavic(number: int) -> int:
    """Return the form in Russian and its neighbours: 1 and 21, 2 to 4 and 22 to 24, the rest."""
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


def _polish(number: int) -> int:
    return 0 if number == 1 else 1 if _slavic(number) == 1 else 2


def _czech(number: int) -> int:
    return 0 if number == 1 else 1 if number in (2, 3, 4) else 2


def _lithuanian(number: int) -> int:
    if 11 <= number % 100 <= 19 or number % 10 == 0:
        return 2
    return 0 if number % 10 == 1 else 1


def _romanian(number: int) -> int:
    return 0 if number == 1 else 1 if number == 0 or 1 <= number % 100 <= 19 else 2


def _slovenian(number: int) -> int:
    return {1: 0, 2: 1, 3: 2, 4: 2}.get(number % 100, 3)


ONE_OR_MANY = Plural(2, lambda number: 0 if number == 1 else 1)
"""English, German, Dutch and most others."""
_NONE_OR_MANY = Plural(2, lambda number: 0 if number in (0, 1) else 1)
_ALWAYS_ONE = Plural(1, lambda number: 0)
_RULES: dict[str, Plural] = {
    **dict.fromkeys(("fr", "pt"), _NONE_OR_MANY),
    **dict.fromkeys(("ja", "ko", "th", "vi", "zh", "id"), _ALWAYS_ONE),
    **dict.fromkeys(("be", "bs", "hr", "ru", "sr", "uk"), Plural(3, _slavic)),
    **dict.fromkeys(("cs", "sk"), Plural(3, _czech)),
    "pl": Plural(3, _polish),
    "lt": Plural(3, _lithuanian),
    "ro": Plural(3, _romanian),
    "sl": Plural(4, _slovenian),
}


def rule(language: str) -> Plural:
    """Return the rule of a language by its tag (`pl`, `pt-BR`); two forms where none is listed."""
    return _RULES.get(language.split("-")[0], ONE_OR_MANY)
