"""7: The words of orders as listed in `spellings.yaml`, and plain forms of a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

_JUNK = re.compile(r"[^a-z0-9/\- ]+")
_DASHES = str.maketrans({"→": "-", "–": "-", "—": "-", "ß": "ss"})


class Spelling:
    """Meanings of the words of orders. It never changes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.kinds, self.verbs, self.coasts = (_turned(data[part]) for part in ("kinds", "verbs", "coasts"))
        self.idle = frozenset(data["idle"])
        self.coast_names: dict[str, str] = {id: words[0] for id, words in data["coasts"].items()}

    def coast(self, words: list[str]) -> tuple[str, int]:
        """7.2: Return the coast with which these words begin, and the number of words it takes."""
        skipped = 1 if words[:1] == ["/"] else 0
        for length in (2, 1):
            name = " ".join(words[skipped : skipped + length])
            if name in self.coasts:
                return self.coasts[name], skipped + length
        return "", 0


def _turned(lists: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the meaning of each word in these lists."""
    return {word: meaning for meaning, words in lists.items() for word in words}


def plain(text: str) -> str:
    """7.1: Return a text in small letters, without accents and with one kind of dash."""
    bare = unicodedata.normalize("NFKD", text.translate(_DASHES))
    return "".join(char for char in bare if not unicodedata.combining(char)).lower()


def cleaned(text: str) -> str:
    """7.1: Return a plain text of letters, digits, slashes and dashes only; arrows become dashes."""
    return _JUNK.sub(" ", text.replace("->", "-").replace(">", "-").replace(".", "").replace("'", ""))
