"""The check that the text beside a signed block is what was signed (protocol 6.2, rule 7).

People read the text, and only the block counts.

Texts are compared by their letters and digits alone: mail programs change everything else.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from pbem.archive.adjudicating.publishing import report_name
from pbem.archive.folder import layout
from pbem.archive.folder.parts import Readable
from pbem.archive.ordering.signing import beginning, public_part
from pbem.engine.pins import WORDS
from pbem.mail.plain import like_orders
from pbem.text.canonical import NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, in_language, languages
from pbem.trust import statements
from pbem.trust.errors import BadStatement
from pbem.trust.statements import Statement

_MARKS = re.compile(r"BEGIN[\s>|]{1,80}PBEM[\s>|]{1,80}STATEMENT|END[\s>|]{1,80}SSH[\s>|]{1,80}SIGNATURE")
_QUOTE = re.compile(r"(?m)^(?:[\s>|]|\w{1,4}>)+")
_QUOTED_PRINTABLE = re.compile(r"=[0-9A-F]{2}|=\r?$", re.MULTILINE)
_NO_LETTER = re.compile(r"[\W_]+")
_LONG = 16  # characters in a line that cannot match by chance
_ENOUGH = 3  # matching lines that identify a text as ours


Others = Callable[[int], Iterable[str]]


def misleading(folder: Readable, data: bytes, texts: Iterable[str], others: Others = lambda stage: ()) -> str:
    """Return a warning about the texts beside an accepted statement, or "".

    Its sender may use another language than the reader. The words of an order are compared in every
    language. Of a report, `others` makes the public text and the reader's own in each language, if
    those here differ.
    """
    try:
        statement = statements.parse(data)
    except (NotCanonical, BadStatement):
        return ""
    wanted = _wanted(folder, statement)
    for text in texts:
        text_without = _without_blocks(text)
        if _changed(text_without, wanted):
            made = list(others(statement.stage)) if statement.type == "report" else []
            if any(_is_there(text_without, alternative) for alternative in made):
                continue
            if _other_words(text, [*(wanted_text.text for wanted_text in wanted), *made]):
                return Message("archive.receiving.report-in-other-words")
            return Message("archive.receiving.text-beside-signed-block-says-something-else")
        if statement.kind.group == "orders" and like_orders([text_without]):
            return Message("archive.receiving.orders-stand-in-mail-beside-signed-block")
    return ""


def _without_blocks(text: str) -> str:
    """Return the text that people read, without the armour in it."""
    kept, at, inside = [], 0, False
    for mark in _MARKS.finditer(text):
        begins = mark[0].startswith("BEGIN")
        if begins and not inside:
            kept.append(text[at : mark.start()])
            inside = True
        elif not begins:
            at, inside = mark.end(), False
    return "\n".join([*kept, "" if inside else text[at:]])


@dataclass(frozen=True)
class Wanted:
    """A readable text that our tool writes beside a statement, and its beginning.

    An order's text is so short that its head alone identifies it. "" where its long lines do.
    """

    text: str
    head: str = ""


def _wanted(folder: Readable, statement: Statement) -> list[Wanted]:
    """Return the readable texts that our tool writes beside such a statement.

    Of an order in every language, of a report the public one and the reader's own; none where they may
    differ.
    """
    if statement.kind.group == "orders":
        return [
            Wanted("\n".join(public_part(statement, say)), _letters(beginning(statement, say)))
            for language in languages()
            for say in [partial(in_language, language=language)]
        ]
    if statement.type != "report" or not knows(folder):
        return []
    places = [f"{layout.stage_name(statement.stage)}/report.txt"]
    places += [report_name(statement.stage, folder.me)] if folder.me is not None else []
    texts = [layout.read(folder.root, name, layout.DERIVED_LIMIT) for name in places]
    return [Wanted(text.decode("utf-8", "replace")) for text in texts if text]


def knows(folder: Readable) -> bool:
    """Return True if this folder can make the public text of reports.

    With hidden units only those who get a view can, so neither observers nor dropped parties.
    """
    return not folder.system.hidden or folder.knows_all or any(True for _ in folder.facts())


def _changed(beside: str, wanted: Sequence[Wanted]) -> bool:
    """Return True if one of the texts is there, but changed; a missing one misleads nobody."""
    if any(_is_there(beside, wanted_text.text) for wanted_text in wanted):
        return False
    readings = _readings(beside)
    return any(_is_begun(readings, wanted_text) for wanted_text in wanted)


def _other_words(text: str, made: Iterable[str]) -> bool:
    """Return True if a report names words that none of those made here has, in any language.

    Protocol 17.33.
    """
    named = set(WORDS.findall(text))
    return bool(named) and named.isdisjoint(mark for text_made in made for mark in WORDS.findall(text_made))


def _is_begun(readings: Sequence[str], wanted: Wanted) -> bool:
    if wanted.head:
        return any(wanted.head in reading for reading in readings)
    lines = [letters for line in wanted.text.split("\n") if len(letters := _letters(line)) >= _LONG]
    there = max(sum(line in reading for line in lines) for reading in readings)
    return there >= min(_ENOUGH, len(lines)) > 0


def _is_there(beside: str, wanted: str) -> bool:
    """Return True if the text is there as written, or with plain letters for those that a charset lacks."""
    readings, letters = _readings(beside), _letters(wanted)
    if all(reading.isascii() for reading in readings) and not letters.isascii():
        letters = "".join(letter for letter in letters if letter.isascii())
    return any(letters in reading for reading in readings)


def _readings(beside: str) -> list[str]:
    """Return the letters of a text: plain, unquoted, and decoded from leftover quoted-printable."""
    unquoted = _QUOTE.sub("", beside)
    readings = [_letters(beside), _letters(unquoted)]
    if _QUOTED_PRINTABLE.search(beside):
        decoded = quopri.decodestring(unquoted.encode("utf-8", "replace"))
        readings.append(_letters(decoded.decode("utf-8", "replace")))
    return readings


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())
