"""A text in another language, by texts and patterns with fields: `{a} plays {b}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pbem.text.sentences import FIELD

_LETTERS = re.compile(r"[a-z]{2}")
_NAMED = re.compile(r"(\S*[A-Z0-9][^\s:]*)(:? )(.+)", re.DOTALL)
_ASIDE = re.compile(r"(?:([^()]+) )?\(([^()]+)\)")
_HANGS = re.compile(r"[^\W_]$|[)`']$")
_BEGINS_OPEN = re.compile(r"\{\w+\}(?!; )")
_FEW = 5  # letters
_LAST_OF_A_LIST = (" and ", " or ")
_ID_LIST = re.compile(r"[\w-]+(, [\w-]+)*")
_WORD = re.compile(r"[^\W\d_]+")
_MOST_KNOWN = 20_000
LONGEST = 400  # characters; no phrase of any rules is longer


def translated(text: str, values: Mapping[str, str]) -> str:
    """Return a text in the language of `values`.

    It tries the whole text, then the pattern that says most itself, a list of known parts, a phrase about a
    name, then word by word. A sentence with unknown words stays as it is, and so does an order in braces.
    """
    if text in values or not values or len(text) > LONGEST or (text[:1] == "{" and text[-1:] == "}"):
        return values.get(text, text)
    known = _patterns(values).known
    if text not in known:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[text] = _translated(text, values)
    return known[text]


def _translated(text: str, values: Mapping[str, str]) -> str:
    core = text.strip(" ")
    if core != text:
        start = text.index(core) if core else 0
        return f"{text[:start]}{translated(core, values)}{text[start + len(core) :]}" if core else text
    for key in _patterns(values).fitting(text):
        match = _pattern(key).fullmatch(text)
        if match:
            if any(part.count("(") != part.count(")") for part in match.groups()):
                continue
            if (
                _BEGINS_OPEN.match(key) and "; " in f"{match[1]} "
            ):  # the match would swallow what stands before it
                continue
            parts = {name: translated(part, values) for name, part in match.groupdict().items()}
            pairs = zip(parts.values(), match.groupdict().values(), strict=True)
            if _is_weak(key) and any(new == old and _is_prose(old) for new, old in pairs):
                continue
            return FIELD.sub(lambda field, parts=parts: parts.get(field[1], field[0]), values[key])  # type: ignore[misc]
    if (aside := _with_aside(text, values)) is not None:
        return aside
    for comma in ("; ", ", "):
        listed = text.split(comma)
        if len(listed) > 1:
            translated_parts = [translated(part, values) for part in listed]
            pairs = zip(translated_parts, listed, strict=True)
            if all(new != old or old in values or not _LETTERS.search(old) for new, old in pairs):
                return comma.join(translated_parts)
    for between in _patterns(values).between:
        if between in text and (joined := _joined(text, between, values)) is not None:
            return joined
    named = _NAMED.fullmatch(text)  # `N-IN2: no way`, `N-IN2 is in no land hex`
    if named and not _LETTERS.search(named[1]) and (rest := translated(named[3], values)) != named[3]:
        return f"{named[1]}{named[2]}{rest}"
    words = text.split(" ")
    if any(word not in values and _is_word(word) for word in words):
        return text
    return " ".join(values.get(word, word) for word in words)


def _with_aside(text: str, values: Mapping[str, str]) -> str | None:
    """Return a text with a remark in brackets, translated, or None if a part is unknown.

    `R-F1 to 0606 (2 hexes; 1 against 2 blocks)`: each part must be known or a name.
    """
    match = _ASIDE.fullmatch(text)
    if match is None:
        return None
    parts = [*([match[1]] if match[1] else []), *match[2].split("; ")]
    translated_parts = [translated(part, values) for part in parts]
    if any(new == old and not _is_name(old) for new, old in zip(translated_parts, parts, strict=True)):
        return None
    before = f"{translated_parts.pop(0)} " if match[1] else ""
    return f"{before}({'; '.join(translated_parts)})"


def _joined(text: str, between: str, values: Mapping[str, str]) -> str | None:
    """Return a text of parts joined by such a word, if each is known or a name; None if not."""
    parts = text.split(between)
    ids = between in _LAST_OF_A_LIST  # `red, blue and green` are called so in every language
    translated_parts = [translated(part, values) for part in parts]
    for new, old in zip(translated_parts, parts, strict=True):
        if new == old and old not in values and not (_is_name(old) or (ids and _ID_LIST.fullmatch(old))):
            return None
    return values[between].join(translated_parts)


class _Patterns:
    """The keys with fields, each under the longest word that a text of its kind must have."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values, self.size = values, len(values)
        self.known: dict[str, str] = {}
        """Texts translated so far: parts of a text come again in each way of taking it apart."""
        self.between = [key for key in values if key[:1] in " ," and key.endswith(" ") and key.strip(" ,")]
        """Words that stand between parts: `, then `, ` and `."""
        self.by_word: dict[str, list[str]] = {}
        for key in values:
            if "{" in key and FIELD.search(key):
                self.by_word.setdefault(_needed_word(key), []).append(key)

    def fitting(self, text: str) -> list[str]:
        """Return the patterns that a text may fit, first those that say most themselves."""
        words = {"", *_WORD.findall(text)}
        keys = [key for word in words for key in self.by_word.get(word, ()) if _may_fit(key, text)]
        return sorted(keys, key=lambda key: (-sum(map(len, _solid(key))), key))


_LAST: list[_Patterns] = []
_KEPT = 4  # the words of the program, of a game's rules, of both, and of reports


def _patterns(values: Mapping[str, str]) -> _Patterns:
    """Return the patterns of a mapping, found once while the mapping is in use and unchanged."""
    for patterns in _LAST:
        if patterns.values is values and patterns.size == len(values):
            return patterns
    made = _Patterns(values)
    _LAST.insert(0, made)
    del _LAST[_KEPT:]
    return made


@cache
def _needed_word(key: str) -> str:
    """Return the longest word of a pattern that touches no field, or ""."""
    words = [""]
    for n, part in enumerate(parts := FIELD.split(key)[::2]):
        for word in _WORD.finditer(part):
            opened = (n > 0 and word.start() == 0) or (n < len(parts) - 1 and word.end() == len(part))
            if not opened:
                words.append(word[0])
    return max(words, key=len)


def _may_fit(key: str, text: str) -> bool:
    """Return True if the text has everything that the pattern has beside its fields.

    This is much faster than a match.
    """
    return all(part in text for part in _solid(key))


@cache
def _solid(key: str) -> tuple[str, ...]:
    """Return the parts of a pattern beside its fields, the longest first."""
    return tuple(sorted((part for part in FIELD.split(key)[::2] if part), key=len, reverse=True))


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """Return the expression that a text with fields matches.

    A field right after a word may be empty: `check{file}`. One right after another field may be empty too,
    and else begins with a sign: `in {hex}{fate}`.
    """
    parts = FIELD.split(key)
    made = ""
    for n, part in enumerate(parts):
        if n % 2 and n > 1 and not parts[n - 1]:
            made += f"(?P<{part}>(?:[ ]?[,;:.(\\[].*?)?)"
        elif n % 2:
            made += f"(?P<{part}>.{'*' if _HANGS.search(parts[n - 1]) else '+'}?)"
        else:
            made += re.escape(part)
    return re.compile(made)


@cache
def _is_weak(key: str) -> bool:
    """Return True if a pattern is mostly fields: `{what} in {hex}` fits too many sentences."""
    return key.startswith("{") and sum(map(str.isalpha, FIELD.sub("", key))) < _FEW


def _is_prose(text: str) -> bool:
    """Return True if the text is several words that are no name."""
    return " " in text and not _is_name(text)


def _is_name(text: str) -> bool:
    """Return True if the text is ids, numbers and words with a capital, which every language keeps."""
    return not any(_is_word(word.strip("(),.:;")) for word in text.split(" "))


def _is_word(word: str) -> bool:
    """Return True if this is a word of a sentence, no name, code or letter."""
    return len(word) > 1 and word.isalpha() and word.islower()
