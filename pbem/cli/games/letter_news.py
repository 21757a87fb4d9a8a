"""News about the letters of a game, in a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


def news(folder: Folder) -> list[str]:
    """Return one line that says who wrote and was not read yet, and one if letters can be published now."""
    from pbem.archive import grey_letters, letters_kept, published_letters

    if folder.roster is None or folder.unsigned():
        return []
    lines: list[str] = []
    count: dict[str, int] = {}
    for one in letters_kept.book(folder).values():
        if not one.read:
            count[one.sender] = count.get(one.sender, 0) + 1
    who = tuple(f"{name} ({n})" for name, n in sorted(count.items()))
    if who:
        lines.append(Message("cli.press.new-letters", who=who))
    if folder.is_gm and (waiting := len(grey_letters.pending(folder))):
        lines.append(Message("cli.press.grey-wait", count=waiting))
    if waiting := len(published_letters.to_publish(folder)):
        lines.append(Message("cli.press.may-be-published", count=waiting))
    return lines
