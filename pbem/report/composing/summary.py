"""The news of a report: the headlines of its stage, and those since the reader's last orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.report.composing.concerns import fought_by, is_about
from pbem.report.composing.earlier import Past
from pbem.report.composing.items import moves_by_name
from pbem.report.fights.cards import accounts
from pbem.report.headlines import headlines_by_stage, in_few_words, journeys, moves_made
from pbem.report.losses import counted, losses
from pbem.report.plain import capital
from pbem.report.reader import Meta, View
from pbem.report.structure import Item, Since
from pbem.report.taken import OWN, followed
from pbem.report.worth import is_news

FEW = 3
"""Events of a stage without headlines that are its news themselves."""

MOST_SINCE = 8
"""Headlines of several stages that a report begins with."""


def summary(
    reader: str | None, items: Sequence[Item], view: View, meta: Meta, ended: Mapping[int, str]
) -> list[str]:
    """Return the headlines that concern the reader's side, or no player at all, the most important first.

    `worth.py` ranks them. Routine and the reader's own orders are left out. If nothing concerns the reader,
    all headlines are returned. Without any, the losses of a fight that continues are the news. `ended` are
    accounts of fights (`Report.ended`).
    """
    events = [item.event for item in items if item.headline is not None]
    own = {reader} if reader is not None and not meta.umpire else set[str | None]()
    if own:
        side = {reader, *meta.friends}
        fought = fought_by(side, (item.event for item in items), view)
        events = [item for item in events if is_about(item, side, view, fought)] or events
    story = [item.event for item in items]
    lines = in_few_words([item for item in events if is_news(item, view, own)], view, own, ended, story)
    if not lines:
        news = [item for item in items if is_news(item.event, view, own) and not _ordered(item, view, own)]
        few = [new for new in news if len(items) <= FEW or any(counted(new.event, view).values())]
        lines = [text for new in few if (text := _short(new, view))] or [new.text for new in few]
    moved = moves_made((item.event for item in items), view)
    return [*lines, *([moved] if moved else [])]


def _ordered(item: Item, view: View, own: Collection[str | None]) -> bool:
    """Return True if an event is what the reader did: no other side, no die and no loss is in it."""
    seats = {view.seat(player) for player in view.means(item.event).players}
    return bool(seats) and seats <= {*own} and not item.rolls and not any(counted(item.event, view).values())


def _short(item: Item, view: View) -> str:
    """Return an event in the words of a battle's card if the wording has them, else its sentence."""
    sentence = view.wording.card(view.named(item.event))
    return item.text if sentence is None else capital(sentence)


def since(reader: str | None, items: Sequence[Item], view: View, meta: Meta, past: Past) -> Since | None:
    """Return the news since the reader's last answer, or None without earlier stages."""
    if reader is None or not meta.earlier:
        return None
    pairs = [(earlier.stage, event) for earlier in meta.earlier for event in earlier.events]
    again = moves_by_name([event for _, event in pairs], view)
    pairs = [pair for number, pair in enumerate(pairs) if number not in again]
    pairs += [(meta.stage, item.event) for item in items if item.kind not in OWN]
    pairs = [(pairs[number][0], event) for number, event in followed([event for _, event in pairs], view)]
    side = {reader, *meta.friends}
    heard = [pair for pair in pairs if view.wording.headline(view.named(pair[1])) is not None]
    fought = fought_by(side, (event for _, event in pairs), view)
    heard = [pair for pair in heard if is_about(pair[1], side, view, fought)] or heard
    before = past.around(meta.earlier[0].stage)[1] if meta.before else ()
    ended = accounts((event for _, event in pairs), view, before)
    fresh, story = [pair for pair in heard if is_news(pair[1], view, {reader})], [event for _, event in pairs]
    lines = headlines_by_stage(fresh, view, {reader}, ended, story)
    moved = moves_made((event for _, event in pairs), view)
    return Since(
        meta.earlier[0].stage,
        meta.stage,
        tuple(lines[:MOST_SINCE]),
        max(0, len(lines) - MOST_SINCE),
        tuple(filter(None, (moved, *journeys(pairs, view)))),
        tuple(losses([event for _, event in pairs], view)),
    )
