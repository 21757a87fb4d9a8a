"""The one walk through the events of a stage: what a reader was told becomes a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.model.events import Told
from pbem.report.composing.earlier import Past, cards
from pbem.report.composing.items import dice, item_of, passages, without_old_scores, without_repeated_moves
from pbem.report.composing.summary import since, summary
from pbem.report.fights.cards import accounts
from pbem.report.losses import losses
from pbem.report.muster import held
from pbem.report.plain import LONGEST_NAME, safe
from pbem.report.reader import VALUE, Meta, View, story
from pbem.report.structure import Party, Question, Report
from pbem.report.taken import with_captures
from pbem.report.throwers import Throwers
from pbem.text.sentences import like

Fields = Mapping[str, Any]


def compose(reader: str | None, events: Iterable[Told], view: View, meta: Meta) -> Report:
    """Return the report of a stage for one reader; hidden data changes nothing in it."""
    seen = with_captures(without_repeated_moves(story(events, reader, umpire=meta.umpire), view), view)
    side = {reader, *meta.friends} - {None}
    past = Past(reader, view, meta)
    throwers = Throwers(past.events())
    made = [item_of(n, happening, side, view, meta, throwers) for n, happening in enumerate(seen, 1)]
    items = list(without_old_scores(made, view, past))
    known, ended = (
        {question.party for question in meta.asked},
        accounts((item.event for item in items), view, past),
    )
    return Report(
        reader=party_of(reader, view, meta) if reader else None,
        friends=meta.friends,
        umpire=meta.umpire,
        title=like(meta.title, safe(meta.title, LONGEST_NAME)),
        system=safe(meta.system),
        game=safe(meta.game),
        stage=meta.stage,
        place=safe(view.wording.where(meta.place)),
        parts=tuple(safe(part) for part in view.wording.parts(meta.place) if part),
        players=tuple(party_of(player, view, meta) for player in view.players),
        leading=tuple(safe(text) for text in meta.leading),
        notes=(
            *_defaults(reader, view, meta, own=True),
            *meta.notes,
            *_forfeited(view, meta),
            *_defaults(reader, view, meta, own=False),
        ),
        ended=ended,
        headlines=tuple(summary(reader, items, view, meta, ended)),
        since=since(reader, items, view, meta, past),
        losses=tuple(losses([happening.event for happening in seen], view)),
        fights=tuple(cards(items, view, past, meta)),
        passages=tuple(passages(items)),
        dice=tuple(dice(items, view, meta)),
        tracks=tuple(view.tracks()),
        places=tuple(held(view)),
        questions=tuple(_questions(reader, view, meta)),
        refused=tuple(safe(text) for text in meta.refused),
        ahead=tuple(safe(text) for text in meta.ahead),
        unused=tuple(safe(text) for text in meta.unused),
        waiting=tuple(party_of(party, view, meta) for party in meta.waiting if party not in known),
        due=safe(meta.due),
        finished=meta.finished,
        all_events_from=lambda: _events_so_far(seen, meta),
        command=safe(meta.command),
        digests={safe(name): safe(digest) for name, digest in sorted(meta.digests.items())},
        view=view,
    )


def party_of(party: str, view: View, meta: Meta) -> Party:
    """Return a seat with its player's name, cut to a length that fits."""
    name = safe(meta.names.get(party, ""), LONGEST_NAME)
    called = view.wording.of("powers").get(party, "")
    return Party(safe(party), safe(view.wording.text(party)), "" if name == party else name, safe(called))


def _questions(reader: str | None, view: View, meta: Meta) -> Iterator[Question]:
    """Yield the questions of the current stage."""
    for question in meta.asked:
        yield Question(
            party_of(question.party, view, meta),
            question.kind,
            view.asked(question.kind, {"player": question.party, **question.fields}),
            safe(question.rule),
            question.secret,
            question.command.replace(VALUE, view.wording.say("command-value")),
            question.party == reader,
        )


def _forfeited(view: View, meta: Meta) -> list[str]:
    """Return whose deadline had passed, for everybody: nothing defaults silently."""
    return [
        view.wording.say(
            "forfeited-rest" if answered else "forfeited-all", who=party_of(party, view, meta).text
        )
        for party, answered in sorted(meta.forfeited.items())
    ]


def _defaults(reader: str | None, view: View, meta: Meta, *, own: bool) -> list[str]:
    """Return every default by name; the reader's own come before anything else (17.23)."""
    return [
        view.wording.say(
            "default-taken" if default.answer else "default-empty",
            who=party_of(default.party, view, meta).text,
            question=view.asked(default.kind, {"player": default.party, **default.fields}),
            answer=safe(default.answer),
        )
        for default in meta.defaults
        if (default.party == reader) is own
    ]


def _events_so_far(seen: Iterable[Told], meta: Meta) -> list[tuple[int, Fields]]:
    """Return all events of a game up to this stage, as the reader was told them, each with its stage."""
    before = meta.before
    stages = range(1, meta.stage) if before is not None else ()
    pairs = [(stage, event) for stage in stages for event in (before(stage) if before is not None else ())]
    return [*pairs, *((meta.stage, happening.event) for happening in seen)]
