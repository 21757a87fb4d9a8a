"""What somebody is told who asks a folder for what cannot be: what is wrong, and what to do about it.

Each case is a line of the golden file with the code, and below it notes and help. Ids and places have names.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Checked, acknowledge, adjudicate, handing_over, protest, remind, sign_orders
from pbem.archive.adjudicating import comparing, correcting, link_due, locks_and_links, unsealing
from pbem.archive.amending import joining_late, new_rules, proposing, wishes
from pbem.archive.deputies import charging, taking_over
from pbem.archive.folder import ended_stages, game_over, layout, two_reports
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.private_side import Private
from pbem.archive.git.merging import merge
from pbem.archive.letters import seat_addresses
from pbem.archive.ordering import order_body, order_file, undoing
from pbem.archive.press import letter_writing
from pbem.archive.setting_up import before_the_game, invitation_text
from pbem.archive.setting_up.before_the_game import Person
from pbem.archive.verifying import results_note
from pbem.archive.verifying.history import history
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.text.diagnostics import PbemError, Refused
from tests.copying import copied
from tests.primer import FOG, SYSTEM
from tests.unit.archive.games_at_points import Rooms
from tests.unit.archive.table import Seat, Table, chooser, signer_of, statements_in
from tests.unit.archive.test_deputies import Deputised

EVE = signer_of("eve")
TURNS: dict[str, Any] = {"op": "option", "name": "turns", "value": 1}


class Refuse:
    """Faults of a file, which are told as a refusal is."""

    def __init__(self, of: Checked) -> None:
        raise Refused(of.diagnostics)


Case = Callable[[Rooms], object]
Block = Callable[[str, list[str], str, list[str]], None]


def north(table: Table) -> Seat:
    return table.players["north"]


def asked(table: Table) -> Seat:
    return table.asked()[0]


def idle(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat not in table.asked())


FOLDERS: dict[str, Case] = {
    "there is no game": lambda r: Folder.open(r.place()),
    "there is no roster yet": lambda r: north(r.fresh).folder.signed_roster(),
    "a copy has no private side": lambda r: r.without(r.open.gm, "private").need_me(),
    "a copy has nothing": lambda r: Folder(r.place()).terms,
    "a player is no GM": lambda r: north(r.open).folder.need_me("gm"),
    "a player knows not all": lambda r: north(r.fog).folder.need_gm(),
    "a player has no GM's secrets": lambda r: north(r.fog).folder.gm_side,
    "a GM is no player": lambda r: r.open.gm.folder.need_me("player"),
    "a player acts for nobody": lambda r: north(r.open).folder.need_acting(),
    "a player is no deputy": lambda r: north(r.open).folder.need_me("deputy"),
    "a deputy is no player": lambda r: r.joined("deputy").folder.need_me("player"),
    "an observer is neither GM nor deputy": lambda r: r.joined("observer").folder.need_me("gm", "deputy"),
    "an observer writes no letters": lambda r: r.joined("observer").folder.need_me("gm", "player", "deputy"),
    "a deputy acts for nobody before the game": lambda r: r.joined("deputy").folder.need_acting(),
    "a GM's secret is not a player's": lambda r: north(r.fog).folder.private.gm_secret,
    "a secret of another game": lambda r: r.fog.gm.folder.private.secret_of(bytes(32), bytes(32)),
    "a chain of somebody else": lambda r: north(r.open).folder.private.chain(64, bytes(32)),
    "the seal key is lost": lambda r: r.without(r.open.gm, "private/seal.pem").private.seal_key,
    "the secrets are lost": lambda r: r.without(r.open.gm, "private/secrets.json").private.salt,
    "a private file is damaged": lambda r: r.having(r.open.gm, "private/kept.json", "{").private.json(
        "private/kept.json"
    ),
    "me.json is nobody's": lambda r: r.having(r.open.gm, "private/me.json", "{}").me,
    "me.json is a list": lambda r: r.having(r.open.gm, "private/me.json", "[]").me,
    "me.json has numbers": lambda r: (
        r.having(r.open.gm, "private/me.json", '{"party": 1, "role": 2, "sign": 3}').me
    ),
    "other rules are installed": lambda r: r.other_rules(north(r.open).folder).check_module(),
    "other rules before the roster": lambda r: r.other_rules(north(r.fresh).folder).check_module(),
    "a fork": lambda r: r.having(
        r.later.gm, "inbox/fork-0002.txt", "the GM said two things:\nlook\n"
    ).check_no_fork(),
    "a fork of long ago": lambda r: r.having(
        r.later.gm, "inbox/fork-0001.txt", "the GM said two things:\nlook\n"
    ).check_no_fork(),
    "a fork without words": lambda r: r.having(r.later.gm, "inbox/fork-x.txt", "").check_no_fork(),
    "a fork between two": lambda r: r.having(
        north(r.pair), "inbox/fork-0002.txt", "two heads:\nlook\n"
    ).check_no_fork(),
    "a false report": lambda r: r.having(r.later.gm, "inbox/false-0003.txt", "wrong\n").check_no_fork(),
    "an amendment beside a fork": lambda r: two_reports.check_may_sign(
        r.having(r.later.gm, "inbox/fork-0003.txt", "two:\n"), ["option"]
    ),
    "a player has no whole state": lambda r: north(r.fog).folder.state(),
    "somebody edited the state": lambda r: r.having(r.open.gm, "state.yaml", "a: 1\n").state(),
    "somebody edited the hidden state": lambda r: r.having(r.fog.gm, "private/state.yaml", "a: 1\n").state(),
    "the state is lost": lambda r: r.without(r.open.gm, "state.yaml").state(),
    "no facts before the game": lambda r: north(r.half).folder.facts(),
    "no facts without a private side": lambda r: r.without(r.open.gm, "private").facts(),
    "the facts are lost": lambda r: r.without(r.open.gm, "private/facts.json").facts(),
    "a view of nobody": lambda r: r.fog.gm.folder.view("east"),
    "a view of another": lambda r: north(r.fog).folder.view("south"),
    "a stage that is not there yet": lambda r: r.later.gm.folder.stage_json(7, "record.json"),
    "a file of a stage that is lost": lambda r: r.later.gm.folder.stage_json(1, "evens.json"),
    "a file of a stage that is damaged": lambda r: r.having(
        r.later.gm, "stages/0001/events.json", "{"
    ).events(1),
    "a record that is none": lambda r: r.having(r.later.gm, "stages/0001/record.json", "{}").record(1),
    "a file that is a folder": lambda r: layout.read(r.open.gm.root, "stages", 9),
    "a file that is too long": lambda r: layout.read(r.open.gm.root, "roster.json", 9),
    "how a stage ended is lost": lambda r: ended_stages.ended_at(
        r.without(r.later.gm, "private/past/0001.z"), 1
    ),
    "how a stage ended is damaged": lambda r: ended_stages.ended_at(
        r.having(r.later.gm, "private/past/0001.z", "x"), 1
    ),
    "no stage follows, and the GM may open": lambda r: game_over.need_going_on(r.over.gm.folder),
    "no stage follows": lambda r: game_over.need_going_on(north(r.over).folder),
    "everything is open": lambda r: game_over.need_going_on(r.ended.gm.folder),
    "two archives are one": lambda r: merge(r.open.gm.folder, r.open.gm.root),
    "another archive is of another game": lambda r: merge(r.open.gm.folder, r.later.gm.root),
    "a note of verify is missing": lambda r: results_note.read(Private(r.place())),
    "a note of verify is damaged": lambda r: results_note.read(
        r.having(r.open.gm, "private/verified.json", "[]").private
    ),
    "a note of verify of another format": lambda r: results_note.read(
        r.having(r.open.gm, "private/verified.json", '{"format": "pbem-verified/0"}').private
    ),
    "the story of a game that has not begun": lambda r: history(r.half.gm.root),
    "the story of nothing": lambda r: history(r.place()),
    "the story as another knows it": lambda r: history(north(r.fog).root, north(r.fog).folder.private).reader(
        "south"
    ),
    "the story as nobody knows it": lambda r: history(r.ended.gm.root).reader("east"),
    "the story as a view that is damaged has it": lambda r: history(
        r.having(north(r.fog), "stages/0001/views/north.bin", "x" * 5000).root, north(r.fog).folder.private
    ),
}


def answered(seat: Seat) -> Seat:
    seat.answer_all(chooser(5))
    return seat


def checked(seat: Seat, text: str) -> Checked:
    folder = seat.folder
    head = f'game: "{folder.need_roster().game[:12]}"\nstage: {folder.progress.open_stage}\n'
    return order_file.check(folder, order_file.load(folder, head + text, "orders.yaml"))


def told_of(seat: Seat, text: str) -> object:
    return Refuse(checked(seat, text))


def mailed(r: Rooms) -> object:
    """A signature under the roster is in others' hands."""
    table = r.half.copy(r.place())
    before_the_game.sign_roster(north(table).folder, north(table).signer)
    table.post()
    return undoing.last_signed(table.gm.folder)


def two_on_top(r: Rooms) -> object:
    """North's answer names south's order."""
    table = r.pair.copy(r.place())
    first, second = table.players["south"], table.players["north"]
    answered(first)
    table.post()
    answered(second)
    table.post()
    return undoing.last_signed(first.folder)


def lost_opening(r: Rooms) -> object:
    table = r.locked.copy(r.place())
    seat = answered(table.asked()[0])
    shutil.rmtree(seat.root / "private/openings")
    (order,) = seat.folder.of(3, "order")
    return order_body.openings_of(seat.folder, order)


def other_opening(r: Rooms) -> object:
    table = r.locked.copy(r.place())
    seat = answered(table.asked()[0])
    (order,) = seat.folder.of(3, "order")
    (path,) = (seat.root / "private/openings").glob("0003-*")
    path.write_text(re.sub(r'"nonce": "..', '"nonce": "00', path.read_text()))
    return order_body.openings_of(seat.folder, order)


def in_an_overtaken_stage(r: Rooms) -> object:
    seat = asked(r.later)
    return sign_orders(seat.folder, Checked(stage=2), seat.signer)


def in_a_closing_stage(r: Rooms) -> object:
    table = r.later.copy(r.place())
    seat = asked(table)
    rewind: dict[str, Any] = {"op": "rewind", "to": 1}
    proposing.propose(seat.folder, [rewind], [seat.signer], aware=True)
    return answered(seat)


def nobody_awaited(r: Rooms) -> object:
    table = r.later.copy(r.place())
    answered(asked(table))
    table.post()
    return remind(table.gm.folder)


ORDERS: dict[str, Case] = {
    "orders with faults": lambda r: sign_orders(
        north(r.open).folder, checked(north(r.open), "answers: {moon: 1}\n"), north(r.open).signer
    ),
    "orders of another stage": in_an_overtaken_stage,
    "orders by another key": lambda r: sign_orders(asked(r.later).folder, Checked(), EVE),
    "orders before the game": lambda r: order_file.need_asked(north(r.half).folder),
    "standing orders before the game": lambda r: sign_orders(
        north(r.half).folder, Checked(standing=[], only_standing=True), north(r.half).signer
    ),
    "orders of somebody who is not asked": lambda r: order_file.need_asked(idle(r.later).folder),
    "orders of the GM": lambda r: order_file.need_asked(r.later.gm.folder),
    "orders after the end": lambda r: sign_orders(
        north(r.over).folder, Checked(standing=[], only_standing=True), north(r.over).signer
    ),
    "orders of a stage that all close": in_a_closing_stage,
    "orders before it is one's turn": lambda r: answered(north(r.pair)),
    "nothing to take back": lambda r: undoing.last_signed(north(r.later).folder),
    "no signature under the roster to take back": lambda r: undoing.last_signed(north(r.half).folder),
    "no roster to take back": lambda r: undoing.last_signed(north(r.fresh).folder),
    "a roster that others have signed": mailed,
    "an order that another one answers": two_on_top,
    "the openings are lost": lost_opening,
    "the openings are of another folder": other_opening,
    "an earlier opening is lost": lambda r: order_body.earlier_opening(north(r.later).folder, "ab" * 32),
    "a file for another game": lambda r: Refuse(
        order_file.check(
            north(r.open).folder,
            order_file.load(north(r.open).folder, "game: abcdefabcdef\nstage: 1\nanswers: {}\n", "o.yaml"),
        )
    ),
    "a file that is a list": lambda r: Refuse(
        order_file.check(north(r.open).folder, order_file.load(north(r.open).folder, "- 1\n", "o.yaml"))
    ),
    "a file without a head": lambda r: Refuse(
        order_file.check(
            north(r.open).folder, order_file.load(north(r.open).folder, "answers: {}\n", "o.yaml")
        )
    ),
    "answers in a list": lambda r: told_of(asked(r.later), "answers: [1]\n"),
    "no answers": lambda r: told_of(asked(r.later), "answers: {}\n"),
    "an answer without a value": lambda r: told_of(asked(r.later), "answers: {next-move: }\n"),
    "an answer that nobody asks for": lambda r: told_of(asked(r.later), "answers: {moon: 1, carx: 2}\n"),
    "an answer that can be in no statement": lambda r: told_of(asked(r.later), "answers: {note: 1.5}\n"),
    "a word instead of what was asked": lambda r: told_of(asked(r.later), "answers: {next-move: [1, {}]}\n"),
    "an answer ahead of another shape": lambda r: told_of(asked(r.later), "answers: {bid: [many]}\n"),
    "entries that are none": lambda r: told_of(asked(r.later), "answer: {}\non_illegal: maybe\nahead: 3\n"),
    "what is not asked, in a list ahead": lambda r: told_of(
        asked(r.later), "ahead: [{decision: card, answer: 1}, {decision: next-move, answer: 3, until: x}]\n"
    ),
    "what does not wait is withdrawn": lambda r: told_of(asked(r.later), "withdraw: [one]\n"),
    "an acknowledgement by another key": lambda r: acknowledge(r.open.gm.folder, EVE),
    "an acknowledgement of nothing": lambda r: acknowledge(r.open.gm.folder, r.open.gm.signer),
    "a protest before the game": lambda r: protest(r.half.gm.folder, r.half.gm.signer, "no"),
    "a protest by another key": lambda r: protest(r.open.gm.folder, EVE, "no"),
    "a protest without words": lambda r: protest(r.open.gm.folder, r.open.gm.signer, " "),
    "a protest about little": lambda r: protest(
        r.open.gm.folder, r.open.gm.signer, "no", [r.open.progress.head[:7]]
    ),
    "a protest about nothing": lambda r: protest(r.open.gm.folder, r.open.gm.signer, "no", ["ab" * 8]),
    "a reminder to nobody who waits": lambda r: remind(r.later.gm.folder, ["gm"]),
    "a reminder to nobody": nobody_awaited,
    "an address without pseudonyms": lambda r: seat_addresses.set_address(r.open.gm.folder, "north", "a@b.c"),
}


def signed_already(r: Rooms) -> object:
    table = r.open.copy(r.place())
    made = proposing.propose(table.gm.folder, [TURNS], [table.gm.signer])
    return proposing.co_sign(table.gm.folder, made.proposal.statement.sid, [table.gm.signer])


def not_needed(r: Rooms) -> object:
    table = r.open.copy(r.place())
    op: dict[str, Any] = {"op": "key", "party": "north", "mail": "n@example.org"}
    made = proposing.propose(north(table).folder, [op], [north(table).signer])
    table.post()
    south = table.players["south"]
    return proposing.co_sign(south.folder, made.proposal.statement.sid, [south.signer])


def several(r: Rooms) -> object:
    table = r.open.copy(r.place())
    for turns in (1, 2):
        proposing.propose(table.gm.folder, [{**TURNS, "value": turns}], [table.gm.signer])
    return proposing.find_proposal(table.gm.folder, "")


def dice_known(r: Rooms) -> object:
    seat = answered(r.alone(asked(r.later)))
    return proposing.propose(seat.folder, [{"op": "rewind", "to": 1}], [seat.signer])


def unsealed_twice(r: Rooms) -> object:
    return unsealing.unseal(r.ended.gm.folder, r.ended.gm.signer)


def another_lock(r: Rooms) -> object:
    """South has answered a lock of this stage, and another one comes."""
    table = r.locked.copy(r.place())
    for seat in table.asked():
        answered(seat)
    table.post()
    adjudicate(table.gm.folder, table.gm.signer)
    table.post()
    south = table.players["south"]
    (south.root / "private/locks.json").write_text('{"3": "ab"}')
    return locks_and_links.answer(south.folder, south.signer)


def locked_next(r: Rooms) -> object:
    table = r.locked.copy(r.place())
    for seat in table.asked():
        answered(seat)
    table.post()
    adjudicate(table.gm.folder, table.gm.signer)
    return correcting.correct(table.gm.folder, table.gm.signer)


def new(r: Rooms, scenario: str = "ford", system: Any = SYSTEM, **terms: Any) -> object:
    person = Person("Ann", "ann@example.org", EVE)
    return before_the_game.new_game(r.place(), system, scenario, person, **terms)


def join(r: Rooms, seat: str = "north", by: Any = EVE, **more: Any) -> object:
    person = Person("Ann", "ann@example.org", by)
    return before_the_game.join(r.place(), r.invitation, seat, person, **more)


def late(r: Rooms, table: Table, seat: str, handed: Path | None = None, game: str | None = None) -> object:
    person = Person("Ann", "ann@example.org", EVE)
    return joining_late.join_running(table.gm.root, r.place(), seat, person, game_id=game, handed=handed)


def handed_on(r: Rooms, *, lacks: str = "", stage: int | None = None) -> object:
    side = Path(copied(r.fog.gm.root / "private", r.place()))
    if lacks:
        (side / lacks).unlink()
    if stage is not None:
        facts = side / "facts.json"
        facts.write_text(re.sub(r'"stage": \d+', f'"stage": {stage}', facts.read_text(), count=1))
    return late(r, r.fog, "gm", side)


SIGNING: dict[str, Case] = {
    "a stage before all have signed": lambda r: adjudicate(r.half.gm.folder, r.half.gm.signer),
    "a stage by another key": lambda r: adjudicate(r.open.gm.folder, EVE),
    "a stage by a player": lambda r: adjudicate(north(r.open).folder, north(r.open).signer),
    "a stage after the end": lambda r: adjudicate(r.over.gm.folder, r.over.gm.signer),
    "a forfeit of somebody who is not asked": lambda r: adjudicate(
        r.later.gm.folder, r.later.gm.signer, [idle(r.later).name, "gm"]
    ),
    "a forfeit that was not agreed": lambda r: adjudicate(
        r.later.gm.folder, r.later.gm.signer, [asked(r.later).name]
    ),
    "a forfeit in the first stage": lambda r: adjudicate(r.open.gm.folder, r.open.gm.signer, ["north"]),
    "a correction of stage 0": lambda r: correcting.correct(r.open.gm.folder, r.open.gm.signer),
    "a correction that changes nothing": lambda r: correcting.correct(r.later.gm.folder, r.later.gm.signer),
    "a correction under a lock": locked_next,
    "an unseal while the game goes on": lambda r: unsealing.unseal(r.fog.gm.folder, r.fog.gm.signer),
    "an unseal twice": unsealed_twice,
    "an unseal of a player who hid nothing": lambda r: unsealing.unseal(
        north(r.over).folder, north(r.over).signer
    ),
    "an early unseal of a player": lambda r: unsealing.unseal(
        north(r.fog).folder, north(r.fog).signer, early=True
    ),
    "a link without a lock": lambda r: link_due.give_link(north(r.locked).folder, north(r.locked).signer),
    "a link for a second lock": another_lock,
    "a link before one's turn": lambda r: link_due.give_link(north(r.pair).folder, north(r.pair).signer),
    "a record of a stage that is not there": lambda r: comparing.own(r.later.gm.folder, 7),
    "a record of the other in an email without one": lambda r: comparing.read(r.later.gm.folder, []),
    "a claim where there is a GM": lambda r: comparing.claim(north(r.open).folder, north(r.open).signer),
    "a claim in one's own turn": lambda r: comparing.claim(
        r.pair.players["south"].folder, r.pair.players["south"].signer
    ),
    "an amendment by another key": lambda r: proposing.propose(r.open.gm.folder, [TURNS], [EVE]),
    "an amendment before the game": lambda r: proposing.draft(r.half.gm.folder, [TURNS]),
    "an amendment that is none": lambda r: proposing.draft(r.open.gm.folder, [{"op": "dance"}]),
    "an amendment that cannot be": lambda r: proposing.draft(r.open.gm.folder, [{**TURNS, "value": 9}]),
    "a signature twice": signed_already,
    "a signature that nobody needs": not_needed,
    "an amendment that is not here": lambda r: proposing.find_proposal(r.open.gm.folder, "AB" * 40),
    "an amendment of several": several,
    "a rewind after one has played": dice_known,
    "a ruling before the game": lambda r: proposing.rule(r.half.gm.folder, [], "so", r.half.gm.signer),
    "a ruling without a reason": lambda r: proposing.rule(r.open.gm.folder, [], " ", r.open.gm.signer),
    "a ruling of a player": lambda r: proposing.rule(north(r.open).folder, [], "so", north(r.open).signer),
    "an option without a value": lambda r: wishes.option_op(r.open.gm.folder, "turns"),
    "a takeover without an entry": lambda r: wishes.takeover_op(r.open.gm.folder, []),
    "a deputy without an entry": lambda r: wishes.deputy_op(r.open.gm.folder, []),
    "a player's entry is no deputy's": lambda r: wishes.deputy_op(
        r.fresh.gm.folder if r.fresh.gm.folder.roster else r.half.gm.folder,
        statements_in(*sorted((north(r.fresh).root / "outbox").glob("join-*.pbem.txt"))),
    ),
    "a power that is none": lambda r: wishes.power_change(r.open.gm.folder, "moon", "north"),
    "a power of nobody": lambda r: wishes.power_change(r.open.gm.folder, "east", "moon"),
    "a power that has that seat": lambda r: wishes.power_change(r.open.gm.folder, "east", "south"),
    "the rules that are played": lambda r: new_rules.module_ops(r.open.gm.folder),
    "a handover by another key": lambda r: handing_over.hand_over(r.open.gm.folder, EVE),
    "a handover before the game": lambda r: handing_over.hand_over(r.half.gm.folder, r.half.gm.signer),
    "a handover without a deputy": lambda r: handing_over.hand_over(r.open.gm.folder, r.open.gm.signer),
    "a charge without a deputy": lambda r: charging.charge(r.open.gm.folder, r.open.gm.signer, "dora"),
    "a confirmation by a player": lambda r: taking_over.confirm(north(r.open).folder, north(r.open).signer),
}

SETTING_UP: dict[str, Case] = {
    "a game in a folder with one that runs": lambda r: before_the_game.need_free(r.open.gm.root),
    "a game in a folder with one that waits": lambda r: before_the_game.need_free(r.fresh.gm.root),
    "a game of two that hides something": lambda r: new(r, system=FOG, dice="pair", seat="north"),
    "a game of two without a seat": lambda r: new(r, dice="pair"),
    "terms that contradict each other": lambda r: new(r, dice="locked", absent="skip"),
    "grey letters between two": lambda r: new(
        r, dice="pair", seat="north", agreed=Agreement(press=Press("grey"))
    ),
    "pseudonyms between two": lambda r: new(r, dice="pair", seat="north", agreed=Agreement(gunboat=True)),
    "a site that is none": lambda r: invitation_text.Places.of("ftp://example.org", ""),
    "no invitation": lambda r: before_the_game.read_invitation(b"hello"),
    "a seat that is nearly one": lambda r: join(r, "nort"),
    "a seat that is none": lambda r: join(r, "moon"),
    "the seat of who invited": lambda r: join(r, "gm", role="observer"),
    "an observer in a seat": lambda r: join(r, "south", role="observer"),
    "the key of who invited": lambda r: join(r, by=r.fresh.gm.signer),
    "an observer with a proxy": lambda r: join(r, "eve", role="observer", proxy=True),
    "other rules than those of the invitation": lambda r: (r.other_rules(r.open.gm.folder), join(r)),
    "a folder with a game": lambda r: before_the_game.join(
        r.open.gm.root, r.invitation, "north", Person("Ann", "a@b.c", EVE)
    ),
    "a roster while a seat is free": lambda r: before_the_game.build_roster(
        r.without(r.fresh.gm, "inbox/joins/south.*")
    ),
    "a roster by a player": lambda r: before_the_game.build_roster(north(r.fresh).folder),
    "a roster signed twice": lambda r: before_the_game.sign_roster(r.half.gm.folder, r.half.gm.signer),
    "a roster by another key": lambda r: before_the_game.sign_roster(north(r.half).folder, EVE),
    "a roster without my entry": lambda r: before_the_game.check_entry(
        r.without(north(r.half), "inbox/joins/north.*"), r.half.gm.folder.signed_roster()
    ),
    "a roster of another game": lambda r: before_the_game.check_entry(
        north(r.half).folder, north(r.open).folder.signed_roster()
    ),
    "a seat of a running game that is none": lambda r: late(r, r.open, "moon"),
    "a running game of another id": lambda r: late(r, r.open, "north", game="ab" * 32),
    "a game that has not begun": lambda r: late(r, r.half, "north"),
    "a GM of hidden units without the private side": lambda r: late(r, r.fog, "gm"),
    "a private side of another stage": lambda r: handed_on(r, stage=1),
    "a private side without facts": lambda r: handed_on(r, lacks="facts.json"),
    "a private side without secrets": lambda r: handed_on(r, lacks="secrets.json"),
    "a private side without the seal key": lambda r: handed_on(r, lacks="seal.pem"),
    "a deputy between two": lambda r: joining_late.join_as_deputy(
        north(r.pair).root, r.place(), "dora", Person("Dora", "d@b.c", EVE)
    ),
    "a deputy in a seat": lambda r: joining_late.join_as_deputy(
        r.open.gm.root, r.place(), "north", Person("Dora", "d@b.c", EVE)
    ),
    "a letter before all have signed": lambda r: letter_writing.need_writer(r.half.gm.folder, EVE),
    "a letter by another key": lambda r: letter_writing.need_writer(r.open.gm.folder, EVE),
    "a letter to oneself and to nobody": lambda r: letter_writing.need_readers(
        r.open.gm.folder.need_roster(), "gm", ["gm", "sout", "moon"]
    ),
    "a letter without a reader": lambda r: letter_writing.need_readers(
        r.open.gm.folder.need_roster(), "gm", []
    ),
    "a letter without words": lambda r: letter_writing.cleaned(" \n"),
    "a letter that is too long": lambda r: letter_writing.write(
        r.open.gm.folder, r.open.gm.signer, "x" * 17_000, None
    ),
    "a private letter that is too long": lambda r: letter_writing.write(
        r.open.gm.folder, r.open.gm.signer, "x" * 17_000, ["north"]
    ),
    "a letter with a bell": lambda r: letter_writing.write(r.open.gm.folder, r.open.gm.signer, "\x07", None),
    "a grey letter of the GM": lambda r: letter_writing.write(
        r.open.gm.folder, r.open.gm.signer, "psst", None, grey=True
    ),
    "a grey letter where none was agreed": lambda r: letter_writing.write(
        north(r.open).folder, north(r.open).signer, "psst", ["south"], grey=True
    ),
}


def charged(r: Rooms, to: str, by: str = "gm") -> object:
    """A charge in a game whose deputy has a handover."""
    seat = r.handed.deputy if by == "dora" else r.handed.gm
    return charging.charge(seat.folder, seat.signer, to)


def gm_is_back(r: Rooms) -> object:
    """The GM acts in a stage in which the deputy had the charge."""
    table = r.handed.copy(r.place())
    assert isinstance(table, Deputised)
    table.deputy = r.handed.deputy.copy(r.place())
    charging.charge(table.gm.folder, table.gm.signer, "dora")
    table.post()
    charging.charge(table.gm.folder, table.gm.signer, "gm")
    table.post()
    return table.deputy.folder.need_acting()


DEPUTIES: dict[str, Case] = {
    "a deputy who has nothing": lambda r: r.named.deputy.folder.need_acting(),
    "a deputy without a charge": lambda r: r.handed.deputy.folder.need_acting(),
    "a deputy of the stage before": gm_is_back,
    "a handover by another key": lambda r: handing_over.hand_over(r.named.gm.folder, EVE),
    "a handover by the deputy": lambda r: handing_over.hand_over(
        r.handed.deputy.folder, r.handed.deputy.signer
    ),
    "a confirmation of nothing": lambda r: taking_over.confirm(r.named.deputy.folder, r.named.deputy.signer),
    "a confirmation by another key": lambda r: taking_over.confirm(r.handed.deputy.folder, EVE),
    "a confirmation twice": lambda r: taking_over.confirm(r.handed.deputy.folder, r.handed.deputy.signer),
    "a charge by another key": lambda r: charging.charge(r.handed.gm.folder, EVE, "dora"),
    "a charge of a player": lambda r: charged(r, "north"),
    "a charge of nobody": lambda r: charged(r, "emil"),
    "a charge of the GM, who acts": lambda r: charged(r, "gm"),
    "a charge by a deputy where no days were agreed": lambda r: charged(r, "dora", "dora"),
    "a charge by a deputy who has nothing": lambda r: charging.charge(
        r.named.deputy.folder, r.named.deputy.signer, "dora"
    ),
    "a chain that was not handed over": lambda r: r.handed.deputy.folder.gm_side.chain(64, bytes(32)),
    "a secret that was not handed over": lambda r: r.handed.deputy.folder.gm_side.secret_of(
        bytes(32), bytes(32)
    ),
}


def told(r: Rooms, case: Case) -> list[str]:
    """The refusal of a case: its faults, each with notes and help."""
    try:
        case(r)
    except Refused as refused:
        lines = []
        for fault in refused.diagnostics:
            at = ".".join(map(str, fault.path))
            lines.append(f"{fault.code}{f' at {at}' if at else ''}: {fault.message}")
            lines += [f"  note: {line}" for line in fault.notes]
            lines += [f"  help: {line}" for line in fault.help]
        return [named(r, line) for line in lines]
    except PbemError as fault:
        return [named(r, f"{type(fault).__name__}: {fault}")]
    return ["nothing is refused"]


def named(r: Rooms, text: str) -> str:
    text = re.sub(rf"{re.escape(str(r.root))}/place-\d+", "<a place>", text).replace(str(r.root), "<games>")
    return re.sub(r"(?<![0-9a-z])(?:[0-9a-f]{7,64}|SHA256:[\w+/]+)(?![0-9a-z])", "<id>", text)


CASES = {
    "folders": FOLDERS,
    "orders": ORDERS,
    "signing": SIGNING,
    "setting-up": SETTING_UP,
    "deputies": DEPUTIES,
}


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Rooms:
    return Rooms(tmp_path_factory.mktemp("rooms"))


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, cases in CASES.items() for title in cases]
)
def test_who_is_refused_something_reads_why_and_what_to_do(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, golden_block: Block, name: str, title: str
) -> None:
    rooms.patch = monkeypatch
    golden_block(f"refused-{name}.txt", list(CASES[name]), title, told(rooms, CASES[name][title]))
