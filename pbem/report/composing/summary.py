"""The news of a report: the headlines of its stage, and those since the reader's last orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.report.composing.concerns import fought_by, is_about
from pbem.report.composing.earlier import Past
from pbem.report.composing.items import told_by_name
from pbem.report.fights import accounts
from pbem.report.headlines import in_few_words, journeys, moves_made, told_shortly
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
    told = [item.event for item in items if item.headline is not None]
    own = {reader} if reader is not None and not meta.umpire else set[str | None]()
    if own:
        side = {reader, *meta.friends}
        fought = fought_by(side, (item.event for item in items), view)
        told = [one for one in told if is_about(one, side, view, fought)] or told
    story = [item.event for item in items]
    lines = in_few_words([one for one in told if is_news(one, view, own)], view, own, ended, story)
    if not lines:
        news = [item for item in items if is_news(item.event, view, own) and not _ordered(item, view, own)]
        few = [new for new in news if len(items) <= FEW or any(counted(new.event, view).values())]
        lines = [text for new in few if (text := _short(new, view))] or [new.text for new in few]
    moved = moves_made((item.event for item in items), view)
    return [*lines, *([moved] if moved else [])]


def _ordered(one: Item, view: View, own: Collection[str | None]) -> bool:
    """Return True if an event is what the reader did: no other side, no die and no loss is in it."""
    who = {view.seat(player) for player in view.means(one.event).players}
    return bool(who) and who <= {*own} and not one.rolls and not any(counted(one.event, view).values())


def _short(one: Item, view: View) -> str:
    """Return an event in the words of a battle's card if the wording has them, else its sentence."""
    said = view.wording.card(view.named(one.event))
    return one.text if said is None else capital(said)


def since(reader: str | None, items: Sequence[Item], view: View, meta: Meta, past: Past) -> Since | None:
    """Return the news since the reader's last answer, or None without earlier stages."""
    if reader is None or not meta.earlier:
        return None
    told = [(each.stage, event) for each in meta.earlier for event in each.events]
    again = told_by_name([event for _, event in told], view)
    told = [one for number, one in enumerate(told) if number not in again]
    told += [(meta.stage, item.event) for item in items if item.kind not in OWN]
    told = [(told[number][0], one) for number, one in followed([event for _, event in told], view)]
    side = {reader, *meta.friends}
    heard = [one for one in told if view.wording.headline(view.named(one[1])) is not None]
    fought = fought_by(side, (event for _, event in told), view)
    heard = [one for one in heard if is_about(one[1], side, view, fought)] or heard
    before = past.around(meta.earlier[0].stage)[1] if meta.before else ()
    ended = accounts((event for _, event in told), view, before)
    fresh, story = [one for one in heard if is_news(one[1], view, {reader})], [event for _, event in told]
    lines = told_shortly(fresh, view, {reader}, ended, story)
    moved = moves_made((event for _, event in told), view)
    return Since(
        meta.earlier[0].stage,
        meta.stage,
        tuple(lines[:MOST_SINCE]),
        max(0, len(lines) - MOST_SINCE),
        tuple(filter(None, (moved, *journeys(told, view)))),
        tuple(losses([event for _, event in told], view)),
    )
