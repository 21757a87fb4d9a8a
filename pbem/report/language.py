"""The report's own words in its languages: `words/<code>.yaml`, English where a translation has none.

What a rules system says in another language is beside it (`<package>_words/<code>/`, see
`report/wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

from pbem.report.plain import fixed
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.loading import load_file
from pbem.text.messages import Message
from pbem.text.plurals import rule
from pbem.text.sentences import ENGLISH, FIELD, PLURAL, English, fill
from pbem.text.suggest import did_you_mean

_FOLDER = Path(__file__).parent / "words"


@dataclass(frozen=True)
class Language:
    """The words of one language. `code` is `en`, `de`, as the tags of the web have it."""

    code: str
    phrases: Mapping[str, str]
    lacking: frozenset[str] = frozenset()  # keys of phrases that are English, for want of one of its own

    def say(self, key: str, **values: object) -> str:
        """Return a phrase with its fields filled in.

        `<key>-one` says it where the count is 1 and the language has such a phrase. A phrase may also have
        plural forms: `{count|blok|bloki|bloków}`.
        """
        singular = f"{key}-one"
        single = values.get("count") == 1 and singular in self.phrases
        name = singular if single and (singular not in self.lacking or key in self.lacking) else key
        phrase = self.phrases[name]
        if PLURAL.search(phrase):
            return fill(phrase, values, str, rule(self.code))
        text = FIELD.sub(lambda match: str(values.get(match[1], match[0])), phrase)
        return English(text) if name in self.lacking else text

    def called(self, section: str, name: str) -> str:
        """Return the name of a data name: the phrase `<section>-<name>`, else itself."""
        key = f"{section}-{name}"
        return self.say(key) if key in self.phrases else name

    def number(self, value: Fraction, places: int = 1) -> str:
        """Return a figure with decimal places as the language writes it: `5.7`, `5,7`."""
        return fixed(value, places).replace(".", self.phrases["decimal-mark"])

    def listed(self, words: list[str]) -> str:
        """Return `red, blue and green`."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self.say('and')} {words[-1]}"


def languages() -> list[str]:
    """Return the codes of all languages of the report, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def files(code: str) -> list[Path]:
    """Return the files with the words of a language, and the English ones that fill its gaps."""
    return [_FOLDER / f"{language}.yaml" for language in sorted({ENGLISH, code})]


@cache
def language(code: str = ENGLISH) -> Language:
    """Return the words of a language; Refused, with the known ones, for another."""
    known = languages()
    if code not in known:
        near = did_you_mean(code, known)
        message = Message("report.language.unknown-language", code=code, known=tuple(known))
        help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
        raise Refused(Diagnostic("unknown-language", message, help=help_))
    phrases = own_words(ENGLISH)
    return with_english(code, phrases, phrases if code == ENGLISH else own_words(code))


def with_english(code: str, english: Mapping[str, str], own: Mapping[str, str]) -> Language:
    """Return a language whose gaps are filled with English."""
    return Language(code, {**english, **own}, frozenset(english.keys() - own.keys()))


def own_words(code: str) -> dict[str, str]:
    """Return the content of a language's file, without English in its gaps."""
    words: dict[str, str] = load_file(_FOLDER / f"{code}.yaml", f"report/words/{code}.yaml").data
    return words
