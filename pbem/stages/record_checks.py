"""The checks of a report before anything is signed on it (protocol 5.6).

The same checks serve a player who receives a report and `verify`, which goes through a whole archive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.stages import named_readers as named_readers
from pbem.stages.amendments import amend_faults
from pbem.stages.deadlines import forfeit_fault
from pbem.stages.faults import Fault, named
from pbem.stages.inputs_from_statements import Shelf, commitment_at
from pbem.stages.locked_dice import lock_faults
from pbem.stages.progress import Find, Progress
from pbem.stages.running import Opening
from pbem.stages.sealed_orders import fits
from pbem.stages.two_players import pair_faults
from pbem.text.canonical import Json, dumps
from pbem.text.messages import Message
from pbem.trust import dice, groups
from pbem.trust.errors import BadLink, BadShape
from pbem.trust.records import Record
from pbem.trust.statements import Statement


def record_faults(progress: Progress, record: Record, shelf: Shelf) -> Iterator[Fault]:
    """Yield all faults of the record of the stage after `progress` that need no rules."""
    if record.stage != progress.open_stage or record.prev != progress.head:
        yield Fault(
            "prev",
            Message(
                "stages.record-checks.record-does-not-follow-head-of-stage",
                head=progress.head[:12],
                stage=progress.stage,
            ),
        )
        return
    yield from amend_faults(progress, record, shelf)
    if record.closed:
        return
    yield from _state(progress, record)
    if record.kind == "zero":
        return
    find = shelf.find
    if progress.over:
        yield Fault("over", Message("stages.record-checks.over"))
    orders = {}
    for party, sid in record.accepted.items():
        if sid is not None:
            statement, fault = named(progress, party, sid, "order", find)
            if statement is not None:
                orders[party] = statement
            if fault is not None:
                yield fault
    yield from _who(progress, record)
    yield from lock_faults(progress, record, shelf)
    yield from pair_faults(progress, record, shelf)
    yield from _links(progress, record)
    yield from _openings(progress, record, orders, find)
    yield from named_readers.faults(progress, record)
    for party, sid in record.standing.items():
        fault = named(progress, party, sid, "standing", find)[1]
        if fault is not None:
            yield fault


def _state(progress: Progress, record: Record) -> Iterator[Fault]:
    """Yield faults of the state hash, its groups, and who is asked next."""
    roster, everybody = progress.roster, set(progress.roster.everybody)
    made = groups.state_hash(roster.game_id, progress.open_stage, record.data["groups"])
    if record.data["state"] != made.hex():
        yield Fault("state", Message("stages.record-checks.state-hash-is-not-that-of-groups"))
    audiences = [audience for audience, _ in record.groups]
    if roster.everybody not in audiences or any(set(audience) - everybody for audience in audiences):
        yield Fault("groups", Message("stages.record-checks.groups-are-not-of-parties-in-game"))
    asked = record.asked
    for party in sorted(set(asked) - set(roster.players)):
        yield Fault("asked", Message("stages.record-checks.party-is-asked-and-no-player", party=party), party)
    if progress.open_stage == 0 and asked and roster.terms.dice == "swift":
        for party in sorted(set(roster.players) - set(asked)):
            yield Fault(
                "asked", Message("stages.record-checks.party-is-not-asked-in-stage-1", party=party), party
            )


def _who(progress: Progress, record: Record) -> Iterator[Fault]:
    """Yield faults of `accepted`: it has exactly those asked, and only allowed omissions (9.1, 10)."""
    accepted = record.accepted
    if set(accepted) != set(progress.asked):
        odd = sorted(set(accepted) ^ set(progress.asked))
        yield Fault(
            "accepted",
            Message("stages.record-checks.accepted-is-not-about-exactly-those-asked", odd=tuple(odd)),
            odd[0],
        )
    for party in record.forfeits:
        has_order = accepted.get(party) is not None
        fault = forfeit_fault(progress.roster.terms, party, has_order=has_order, fresh=progress.fresh)
        if fault is not None:
            yield Fault("forfeits" if has_order else "absent", fault, party)


def _links(progress: Progress, record: Record) -> Iterator[Fault]:
    """Yield faults of the links and their seed: exactly the contributors', each valid (9.1)."""
    accepted = record.accepted
    links = record.links
    wanted = progress.roster.contributors([party for party, sid in accepted.items() if sid is not None])
    for party in sorted(set(links) ^ set(wanted)):
        text = (
            Message("stages.record-checks.party-has-link-and-must-not", party=party)
            if party in links
            else Message("stages.record-checks.link-missing", party=party)
        )
        yield Fault("links", text, party)
    for party, link in links.items():
        try:
            if party in progress.roster.by_id:
                progress.check_link(party, link)
        except BadLink as fault:
            yield Fault("link", str(fault), party)
    order = [party.id for party in progress.roster.parties if party.id in links]
    parts = [(party, links[party]) for party in order]
    seed = dice.seed(progress.roster.game_id, progress.open_stage, progress.seed, parts)
    if record.seed != seed:
        yield Fault("seed", Message("stages.record-checks.seed-does-not-follow-from-links-and-seed"))


def _openings(
    progress: Progress, record: Record, orders: Mapping[str, Statement], find: Find
) -> Iterator[Fault]:
    """Yield faults of openings: each fits a commitment, and each commitment is opened or kept (8.1, 17.6)."""
    shown, kept, accepted = record.openings, record.kept, record.accepted
    # missing orders were named before; whether they fit is not known yet
    away = {party for party, sid in accepted.items() if sid is not None and party not in orders}
    for party, entries in shown.items():
        here = orders[party].said.commits if party in orders else {}
        for decision, entry in entries.items():
            opening = Opening.of(entry, progress.open_stage)
            if entry.stage is None:
                if party in away:
                    continue
                commit = here.get(decision)
            else:
                commit = commitment_at(progress, party, decision, entry.stage, find)
            if commit is None:
                text = Message(
                    "stages.record-checks.party-never-committed-to-decision",
                    party=party,
                    decision=decision,
                    stage=opening.stage,
                )
                yield Fault("opening", text, party)
            elif not fits(opening, commit, progress.roster, party, decision):
                yield Fault(
                    "opening",
                    Message(
                        "stages.record-checks.opening-is-not-what-party-committed-to",
                        decision=decision,
                        party=party,
                    ),
                    party,
                )
    for party in sorted({*orders, *kept} - away):
        commits = set(orders[party].said.commits) if party in orders else set()
        opened = {d for d, entry in shown.get(party, {}).items() if entry.stage is None}
        if tuple(sorted(commits - opened)) != kept.get(party, ()):
            text = Message(
                "stages.record-checks.commitments-of-party-are-not-each-either-opened", party=party
            )
            yield Fault("kept", text, party)


def roll_faults(
    game_seeds: Mapping[int, bytes], hidden_seeds: Mapping[int, bytes], stage: int, events: Sequence[Json]
) -> Iterator[Fault]:
    """Yield rolls in a stage's public events that the seeds do not give, and malformed events (9.2).

    Unknown hidden seeds are passed over.
    """
    seen: set[bytes] = set()
    for number, event in enumerate(events, 1):
        if not isinstance(event, dict):
            yield Fault("event", Message("stages.record-checks.event", number=number))
    for roll in dice.rolls_in(list(events)):
        label = dumps(roll["label"])
        shown = label.decode()
        try:
            dice.recompute(roll, bytes(32))  # whatever the seed, a roll has the members of 9.2
        except BadShape as fault:
            yield Fault("roll", Message("stages.record-checks.roll", shown=shown, fault=fault))
            continue
        of_stage = roll.get("stage", stage)
        made = of_stage if isinstance(of_stage, int) else -1
        if "stage" in roll and not 0 < made < stage:
            text = Message("stages.record-checks.roll-is-not-of-stage-before", shown=shown, made=made)
            yield Fault("roll", text)
            continue
        if "stage" not in roll:
            if label in seen:
                yield Fault("roll", Message("stages.record-checks.label-names-two-rolls", shown=shown))
            seen.add(label)
        seeds = hidden_seeds if roll.get("hidden") else game_seeds
        if made not in seeds:
            if not roll.get("hidden"):
                yield Fault(
                    "roll",
                    Message("stages.record-checks.roll-is-of-stage-without-dice", shown=shown, made=made),
                )
            continue
        result = dice.recompute(roll, seeds[made])
        if result != roll["result"]:
            yield Fault(
                "roll",
                Message(
                    "stages.record-checks.roll-is-not-what-seed-gives",
                    shown=shown,
                    said=_words(roll["result"]),
                    given=_words(result),
                ),
            )


def _words(result: Json) -> str:
    return " ".join(str(part) for part in result) if isinstance(result, list) else str(result)


def first_difference(record: Record, other: Record) -> str | None:
    """Return the first member of two records that differs, causes before results."""
    made, claimed = record.data, other.data
    order = ("stage", "prev", "accepted", "forfeits", "links", "seed", "standing", "events")
    names = [*order, "openings", "kept", "groups", "state", "asked"]
    rest = sorted((set(made) | set(claimed)) - set(names))
    return next((name for name in [*names, *rest] if made.get(name) != claimed.get(name)), None)


MAY_DIFFER = frozenset(("events", "groups", "state", "asked", "openings", "kept", "readers"))
"""Members of a record that a correction may change (12.1)."""


def correction_fault(old: Record, new: Record) -> str | None:
    """Return the first member of a record that a correction must not change but does, or None."""
    names = sorted((set(old.data) | set(new.data)) - MAY_DIFFER)
    bad = next((name for name in names if old.data.get(name) != new.data.get(name)), None)
    return None if bad is None else Message("stages.record-checks.correction-differs-in-member", member=bad)
