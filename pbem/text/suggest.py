"""Finding the known word that a writer probably meant by an unknown one."""

from collections.abc import Iterable

_LONGEST = 64  # longer words are not typing slips, and hostile ones would cost time


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """Return the word most like `word`, or None if none is close.

    At most a third of its letters may differ.

    Letter case counts half a difference. Of equally close words the one that comes first in
    alphabetical order is taken, so the order of `words` does not matter.
    """
    if not word or len(word) > _LONGEST:
        return None
    allowed = 2 * max(1, len(word) // 3) + 1
    best: tuple[int, str] | None = None
    for candidate in words:
        if candidate == word or abs(len(candidate) - len(word)) * 2 > allowed:
            continue
        distance = 2 * edits(word.lower(), candidate.lower()) + _case_differs(word, candidate)
        if distance <= allowed and (best is None or (distance, candidate) < best):
            best = (distance, candidate)
    return best[1] if best else None


def _case_differs(word: str, other: str) -> bool:
    return word[:1].islower() != other[:1].islower() or word.lower() == other.lower()


def edits(word: str, other: str) -> int:
    """Return how many letters to insert, delete, replace or swap with a neighbour to get `other`."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and word[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
