"""The answer in a reply: the words of its writer, without the quoted email and without a signature.

Mail programs quote in their own ways. An email of ours that is answered begins with a line (`ABOVE`), below
which nothing is the writer's; the rest are the habits of programs, in the languages that we have seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.text.dataclass import dataclass

ABOVE = "##-"
"""The beginning of the line above which an answer is written; the rest is in the reader's language."""
MOST = 16_000
"""Characters of a reply that are looked at."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]")
_QUOTED = re.compile(r"\s{0,8}[>|\uff1e]")
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")
_CODE = re.compile(r"(?<![a-z2-7])([a-z2-7]{10})(?:-(\d{1,3}))?(?![a-z0-9])")
# the rule above the email that is answered: Outlook's, and "Original Message" in any language
_RULE = re.compile(r"\s*(?:_{10,}|-{2,}\s*[^-]{3,60}?\s*-{2,}|\*{5,}|-{20,})\s*$")
# "On Monday, Ann wrote:", which ends in a colon and names a time, an address or a "wrote" of a language
_TIME = re.compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b")
_WROTE = re.compile(
    r"(?i)\b(wrote|writes|schrieb|geschrieben|écrit|escribió|scrisse|scritto|escreveu|schreef|skrev|napisał\w*|"
    r"kirjoitti|napsal\w*|napísal\w*|írta|пише|написал\w*|yazdı|scris|je napisa\w+)\b"
)
_HEADERS = re.compile(
    r"(?i)\s*\*?(from|von|de|da|van|från|fra|od|lähettäjä|feladó|от|від|kimden|发件人|差出人|보낸 사람)"
    r"\s*:\*?\s+\S"
)
_FIELD = re.compile(r"\s*\*?[^\s:][^:\n]{0,24}\s?:\*?(?:\s|$)")
_PHONE = re.compile(
    r"(?i)\s*(sent (from|with|via)|get outlook|von mein\w+ .{2,40} gesendet|gesendet (mit|von|aus)|"
    r"envoyé (de|depuis)|enviado (desde|do|de)|inviato da|verzonden (vanaf|met)|skickat från|sendt fra|"
    r"wysłane z|lähetetty|отправлено)\b"
)


@dataclass(frozen=True)
class Reply:
    """An unsigned email that may answer a question of a game.

    `sender` is what it claims, `digest` identifies it. `subject` and `text` are as people read them.
    """

    where: str
    sender: str
    digest: str
    subject: str
    text: str

    @property
    def said(self) -> str:
        """Return what its writer wrote."""
        return said_in(self.text)

    def names(self, code: str) -> int | None:
        """Return the number of the list that it answers, if the code is anywhere in it; None if not."""
        matches = _CODE.finditer(f"{self.subject}\n{self.text}".lower())
        return next((int(match[2] or 1) for match in matches if match[1] == code), None)


def said_in(text: str) -> str:
    """Return what the writer of a reply wrote, in whichever order mail and answer come."""
    lines = _BLANKS.sub(" ", _INVISIBLE.sub("", text[:MOST])).replace("\r\n", "\n").split("\n")
    lines = [line.rstrip() for line in lines]
    kept: list[str] = []
    n, quoted = 0, False
    while n < len(lines):
        line = lines[n]
        if _QUOTED.match(line):
            _drop_attribution(kept)
            quoted = True
        elif line.lstrip().startswith(ABOVE):
            _drop_attribution(kept)
            break
        elif _begins_original(lines, n):
            _drop_attribution(kept)
            break
        elif kept and not quoted and _attributed(lines[n : n + 3]) and not _answer_below(lines, n):
            break
        elif line in ("--", "-- ") or _PHONE.match(line):
            if not _answer_below(lines, n):
                break
            n = next(at for at in range(n, len(lines)) if _QUOTED.match(lines[at])) - 1
        else:
            kept.append(line)
        n += 1
    return "\n".join(_stripped(kept))


def _answer_below(lines: list[str], n: int) -> bool:
    """Return True if quoted lines come later: an answer may be among or below them."""
    return any(_QUOTED.match(line) for line in lines[n + 1 :])


def _begins_original(lines: list[str], n: int) -> bool:
    """Return True if the original email begins here unquoted: with a rule, or with its headers."""
    if _RULE.match(lines[n]):
        rest = [line for line in lines[n + 1 : n + 5] if line.strip()]
        return len(rest) > 0 and (_headers(rest) or not lines[n].strip().strip("_-*").strip() == "")
    return _HEADERS.match(lines[n]) is not None and _headers(lines[n : n + 5])


def _headers(lines: list[str]) -> bool:
    """Return True if these are headers of an email: at least two fields, one with an address or a time."""
    fields = [line for line in lines if _FIELD.match(line)]
    return len(fields) > 1 and any(_ADDRESS.search(line) or _TIME.search(line) for line in fields)


def _drop_attribution(kept: list[str]) -> None:
    """Remove the line "On Monday, Ann wrote:" above a quotation; programs break it into up to four."""
    while kept and not kept[-1].strip():
        kept.pop()
    for count in range(1, 5):
        if _attributed(kept[-count:]) and len(kept) >= count:
            timed = any(_TIME.search(line) for line in kept[-count:])
            above = kept[-count - 1] if len(kept) > count and not timed else ""
            del kept[-count - (_TIME.search(above) is not None) :]
            return


def _attributed(lines: Iterable[str]) -> bool:
    """Return True if lines together name who wrote what follows, and end in a colon."""
    joined = " ".join(line.strip() for line in lines).strip()
    if not joined.endswith((":", "：")) or len(joined) > 300:
        return False
    signs = (_ADDRESS.search(joined), _TIME.search(joined), _WROTE.search(joined))
    return sum(sign is not None for sign in signs) > 1


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
