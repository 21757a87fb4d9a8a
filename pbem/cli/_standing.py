"""How a game stands as one folder knows it: before the roster, before the start, in play, over (product, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.archive.folder import Folder

READY = "ready"


@dataclass(frozen=True)
class PartyState:
    """What a party has done of what is wanted now. `awaited`: the game waits for it."""

    id: str
    state: str
    words: str
    awaited: bool


@dataclass(frozen=True)
class Standing:
    """Everything `pbem status` shows. `mine` are my open questions as sentences, `command` is what to do next."""

    title: str
    game: str
    scenario: str
    me: str | None
    stage: int
    place: str
    parties: Sequence[PartyState] = ()
    due: str = ""
    warnings: Sequence[str] = ()
    mine: Sequence[str] = ()
    command: str = ""
    finished: bool = False

    @property
    def awaited(self) -> bool:
        """Does the game still wait for anybody's part?"""
        return any(party.awaited for party in self.parties)


def stand(folder: Folder) -> Standing:
    """Read it from the folder; nothing is written."""
    if folder.roster is None:
        return _joining(folder)
    if folder.unsigned() or folder.stage < 0:
        return _signing(folder)
    return _playing(folder)


def _joining(folder: Folder) -> Standing:
    from pbem.archive import setup

    have = setup.joined(folder)
    parties = []
    if folder.is_gm:
        for seat in setup.seats(folder):
            there = seat in have
            words = have[seat].name if there else "nobody has taken this seat yet"
            parties.append(PartyState(seat, "joined" if there else "free", words, not there))
    free = [party.id for party in parties if party.awaited]
    if not folder.is_gm:
        place, command = "waiting for the roster from the GM", "pbem receive FILE, when the roster comes"
    elif free:
        place, command = "waiting for players to join", "pbem receive FILE, when their answers come"
    else:
        place, command = "everybody has joined", "pbem sign"
    terms = folder.terms
    return Standing(terms.title, "", terms.scenario.name, folder.me, -1, place, parties, command=command)


def _signing(folder: Folder) -> Standing:
    roster = folder.need_roster()
    missing = folder.unsigned()
    parties = [
        PartyState(
            party.id,
            "not signed" if party.id in missing else "signed",
            f"{party.role} {party.name}",
            party.id in missing,
        )
        for party in roster.parties
    ]
    if folder.me in missing:
        command = "pbem sign"
    elif not missing and folder.is_gm:
        command = "pbem adjudicate"
    else:
        command = "pbem receive FILE, when mail comes"
    place = "the roster is being signed" if missing else "everybody has signed: the GM starts the game"
    terms = roster.terms
    return Standing(
        terms.title,
        roster.game,
        terms.scenario.name,
        folder.me,
        folder.stage,
        place,
        parties,
        command=command,
    )


def _playing(folder: Folder) -> Standing:
    from pbem.archive.line import revisions
    from pbem.cli._telling import deadline
    from pbem.text.diagnostics import Refused

    roster, line = folder.need_roster(), folder.line
    here = [statement for statement, _ in folder.statements(line.open_stage)]
    sent = revisions(here, "order")
    parties = [_party(party, line.asked[party], sent) for party in roster.players if party in line.asked]
    warnings = []
    try:
        folder.check_no_fork()
    except Refused as fault:
        warnings.append(fault.diagnostics[0].message)
    mine, command = _my_part(folder, sent)
    place = str(folder.view().facts.get("game/place", ""))
    if line.over:
        unsealed = any(statement.type == "unseal" for statement in here)
        place = "the game is over" + (", and everything is unsealed" if unsealed else "")
        command = "pbem unseal" if folder.is_gm and not unsealed and folder.system.hidden else "pbem verify"
    return Standing(
        roster.terms.title,
        roster.game,
        roster.terms.scenario.name,
        folder.me,
        folder.stage,
        place,
        parties,
        "" if line.over else deadline(folder),
        warnings,
        mine,
        command,
        line.over,
    )


def _party(party: str, asked: Sequence[str], sent: dict[str, list]) -> PartyState:  # type: ignore[type-arg]
    kinds = [READY if key == READY else _kind(key) for key in asked]
    words = "that he is ready" if kinds == [READY] else ", ".join(dict.fromkeys(kinds))
    if party in sent:
        newest = sent[party][0]
        return PartyState(party, "sent", f"revision {newest.rev}: {words}", False)
    return PartyState(party, "owes", words, True)


def _kind(key: str) -> str:
    """The kind of a decision out of its key: what stands behind the leaf; keys begin with loops and leaf."""
    return key


def _my_part(folder: Folder, sent: dict[str, list]) -> tuple[list[str], str]:  # type: ignore[type-arg]
    """My open questions in words, and the command for what I can do now."""
    line, me = folder.line, folder.me
    if folder.is_gm:
        missing = [party for party in line.asked if party not in sent]
        return [], "pbem receive FILE, when orders come" if missing else "pbem adjudicate"
    if me not in line.asked:
        return [], "pbem receive FILE, when the report comes"
    if me in sent:
        return (
            [],
            "pbem receive FILE, when the report comes (your orders are signed: mail them if you have not)",
        )
    from pbem.archive.orders import questions
    from pbem.archive.template import sentence
    from pbem.cli._telling import answer_command

    asked = questions(folder)
    mine = [f"{sentence(folder.system, one)} [{one.rule}]" for one in asked]
    return mine or ["a word that you are ready"], answer_command(folder.system, asked)
