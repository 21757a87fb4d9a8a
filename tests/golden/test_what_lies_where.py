"""What lies where in a game by mail: files, modes, kinds of statements, emails and answers, step by step."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.archive import (
    Checked,
    acknowledge,
    adjudicate,
    charging,
    handing_over,
    join_running,
    letter_writing,
    merge,
    order_file,
    proposing,
    protest,
    remind,
    sign_orders,
    taking_over,
    unseal,
    wishes,
)
from pbem.archive.setting_up import before_the_game
from pbem.cli.games.telling import renderer
from pbem.engine.resolve import Question
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from pbem.stages.press import Press
from pbem.text.diagnostics import Refused
from pbem.trust import armour
from pbem.trust.armour import Signed
from tests import luck
from tests.golden.a_game_by_mail import Told
from tests.primer import FOG
from tests.unit.archive.conftest import _installed  # noqa: F401
from tests.unit.archive.mailing import resigned
from tests.unit.archive.table import Seat, statements_in
from tests.unit.archive.test_takeovers import Newcomer

AGREED = Agreement(Deadlines(3, 1, "default", 5), Press("private", opened=True))
STRANGER = "mallory"


def quiet(seat: Seat, question: Question) -> Any:
    """Answer so that nobody throws dice: North bids more, and nobody moves."""
    wanted = {"bid": 2 if seat.name == "north" else 1, "card": "calm"}
    listed = [one.answer for one in order_file.options(seat.folder, question)]
    return wanted.get(question.kind, listed[0])


def answers(game: Told, name: str) -> None:
    """Answer if anything is asked of this player."""
    seat = game.seats[name]
    if seat.name in seat.folder.progress.asked:
        seat.answer_all(quiet)


def mail(sender: str, *items: Signed, text: str = "Here it is.", auto: bool = False) -> tuple[str, bytes]:
    """Return an email as another program sends it."""
    body = armour.write(text, items) if items else text
    more = "Auto-Submitted: auto-replied\r\n" if auto else ""
    head = f"From: {sender}@example.org\r\nTo: gm@example.org\r\nSubject: orders\r\n{more}"
    return "a mail", f"{head}\r\n{body}".encode()


def run(game: Told, who: str = "gm", **options: Any) -> None:
    """A stage is run by GM or deputy, and its report carried to all."""
    seat = game.seats[who]
    for refused in adjudicate(seat.folder, seat.signer, render=renderer(), **options).refused:
        game.lines.append(game.names.named(f"{who} is told: {refused}"))
    game.carry()


def signed_by(game: Told, sid: str, *names: str) -> None:
    for name in names:
        seat = game.seats[name]
        proposing.co_sign(seat.folder, sid[:12], [seat.signer], aware=True)
        game.carry()


# --- the steps ------------------------------------------------------------------------------------------


def everybody_joins(game: Told) -> None:
    """Also a stranger who asks for a seat that is taken."""
    gm = game.seats["gm"]
    terms: dict[str, Any] = {"absent": "skip", "chain_length": 64, "title": "Test at dawn"}
    before_the_game.new_game(gm.root, FOG, "ford", gm.person, agreed=AGREED, **terms)
    (file,) = (gm.root / "outbox").glob("*.pbem-invitation")
    invitation = before_the_game.read_invitation(file.read_bytes())
    roles: dict[str, Any] = {"olga": {"role": "observer"}, "dora": {"role": "deputy"}}
    for name in ("north", "south", "olga", "dora"):
        seat = game.seats[name]
        before_the_game.join(seat.root, invitation, name, seat.person, **roles.get(name, {}))
        if name == "north":
            game.carry()
    stranger = Seat(gm.root.parent / STRANGER, STRANGER)
    before_the_game.join(stranger.root, invitation, "north", stranger.person)
    game.read(gm, mail(STRANGER, *statements_in(*stranger.mails())))
    game.carry()


def everybody_signs(game: Told) -> None:
    """The GM first; then stage 0 is run."""
    for name in ("gm", "north", "south", "olga", "dora"):
        seat = game.seats[name]
        before_the_game.sign_roster(seat.folder, seat.signer, render=renderer())
        game.carry()
    run(game)


def orders_and_letters(game: Told) -> None:
    """South has second thoughts, and answers more than is asked; letters to one, to all, to the GM."""
    north, south, gm = (game.seats[name] for name in ("north", "south", "gm"))
    letter_writing.write(north.folder, north.signer, "Leave 0103.", ["south"])
    letter_writing.write(south.folder, south.signer, "To all: hello.", None)
    letter_writing.write(south.folder, south.signer, "When is it over?", ["gm"])
    answers(game, "south")
    game.carry()
    answers(game, "south")
    answers(game, "south")
    sign_orders(north.folder, Checked(standing=[], only_standing=True), north.signer)
    remind(gm.folder)
    game.carry()


def mails_that_do_not_count(game: Told) -> None:
    """Of strangers, of programs, damaged, unsigned, for another stage or game; and what came before."""
    gm, south = game.seats["gm"], game.seats["south"]
    (order,) = statements_in(sorted((south.root / "outbox").glob("*orders*.pbem.txt"))[-1])
    changes: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
        (STRANGER, lambda data: data.update(rev=9)),
        ("south", lambda data: data.update(game="ab" * 32)),
        ("south", lambda data: data.update(prev="ab" * 32)),
        ("south", lambda data: data.update(stage=3)),
        ("south", lambda data: data.update(stage=9)),
        ("south", lambda data: data["body"].update(extra=1)),
        ("south", lambda data: data["body"].pop("sealed")),
        ("north", lambda data: data.update({"from": "north"})),
    ]
    game.lines.append("")
    for who, change in changes:
        game.read(gm, mail(who, resigned(order, who, lambda data, change=change: change(data) and None)))  # type: ignore[misc]
    game.read(gm, mail("south", order))
    for auto in (False, True):
        game.read(gm, mail("north", text="stage: 1\nanswers:\n  card: calm\n", auto=auto))
    game.read(gm, mail(STRANGER, text="stage: 1\nanswers:\n  card: calm\n"))
    whole = armour.write("", [order]).replace("\n-----END", "x\n-----END", 1)
    game.read(gm, mail("south", text=whole))
    game.carry()


def a_deputy_is_handed_over_to(game: Told) -> None:
    """Handovers with a wrong chain, seal key or secret come before the right one."""
    gm, dora = game.seats["gm"], game.seats["dora"]
    right = handing_over.contents
    wrong: dict[str, Any] = {"chain": b"\1" * 32, "seal": (b"\2" * 32,), "secret": b"\3" * 32}
    for member, value in wrong.items():
        with pytest.MonkeyPatch.context() as patch:
            false = replace(right(gm.folder), **{member: value})
            patch.setattr(handing_over, "contents", lambda folder, false=false: false)
            handing_over.hand_over(gm.folder, gm.signer)
        game.carry()
    handing_over.hand_over(gm.folder, gm.signer)
    game.carry()
    taking_over.confirm(dora.folder, dora.signer)
    game.carry()


def refused(call: Callable[..., object], *args: Any) -> str:
    with pytest.raises(Refused) as fault:
        call(*args)
    return f"refused: {fault.value}"


def the_first_stage_is_run(game: Told) -> None:
    gm = game.seats["gm"]
    answers(game, "north")
    game.carry()
    acknowledge(gm.folder, gm.signer)
    game.carry()
    run(game, by="Sunday")
    game.judged("olga")


def all_agree_on_another_option(game: Told) -> None:
    """The GM also rules what nobody but he may know; an onlooker protests."""
    north, gm, olga = (game.seats[name] for name in ("north", "gm", "olga"))
    made = proposing.propose(north.folder, [wishes.option_op(north.folder, "grace_days=2")], [north.signer])
    game.carry()
    unit = next(iter(gm.folder.state().position.counters))
    proposing.rule(gm.folder, [{"set": unit, "fields": {"steps": 3}}], "misplaced", gm.signer)
    protest(olga.folder, olga.signer, "I see nothing")
    game.carry()
    game.away.add("olga")
    signed_by(game, made.proposal.statement.sid, "gm", "south")


def the_deputy_runs_a_stage(game: Told) -> None:
    """The handover is made anew, for it lacks the ruling; an order comes too late."""
    gm, south = game.seats["gm"], game.seats["south"]
    handing_over.hand_over(gm.folder, gm.signer)
    charging.charge(gm.folder, gm.signer, "dora")
    game.lines.append(f"a second charge is {refused(charging.charge, gm.folder, gm.signer, 'dora')}")
    game.carry()
    for name in ("north", "south"):
        answers(game, name)
    game.carry()
    late = (
        [mail("south", late_order(south))]
        if south.folder.of(south.folder.progress.open_stage, "order")
        else []
    )
    run(game, "dora")
    for one in late:
        for name in ("gm", "dora", "north"):
            game.read(game.seats[name], one)
    game.carry()
    game.judged("dora")


def late_order(seat: Seat) -> Signed:
    (order,) = statements_in(sorted((seat.root / "outbox").glob("*orders*.pbem.txt"))[-1])
    return resigned(order, seat.name, lambda data: data.update(rev=7))


def the_gm_is_back_and_somebody_is_late(game: Told) -> None:
    """GM and deputy run the same stage, and their emails cross: that is one report, and the GM is back."""
    gm, dora = game.seats["gm"], game.seats["dora"]
    asked = list(gm.folder.progress.asked)
    for name in asked[1:]:
        answers(game, name)
    game.carry()
    for seat in (gm, dora):
        adjudicate(seat.folder, seat.signer, asked[:1], render=renderer())
    game.carry()
    game.lines.append(f"dora is {refused(adjudicate, dora.folder, dora.signer)}")


def somebody_takes_over(game: Told) -> None:
    """South leaves, and emil gets an archive and nothing else; the game goes back to no earlier stage."""
    gm, north, dora = (game.seats[name] for name in ("gm", "north", "dora"))
    source = gm.root.parent / "handed-over"
    shutil.copytree(north.root, source, ignore=shutil.ignore_patterns("private", "outbox", "inbox"))
    emil = Newcomer(gm.root.parent / "emil", "south", "Emil")
    join_running(source, emil.root, "south", emil.person, game_id=gm.folder.need_roster().game)
    op = wishes.takeover_op(gm.folder, statements_in(*emil.mails()))
    game.seats["emil"] = emil
    made = proposing.propose(gm.folder, [op], [gm.signer], aware=True)
    game.carry()
    signed_by(game, made.proposal.statement.sid, "north", "emil")
    run(game)
    old = game.seats.pop("south")
    assert dora.folder.stage == gm.folder.stage > old.folder.stage - 1


def another_archive_is_merged(game: Told) -> None:
    """Olga has read no emails since stage 1, and has what came since from north's; once, and once more."""
    olga, north = game.seats["olga"], game.seats["north"]
    for _ in range(2):
        done = merge(olga.folder, north.root, renderer())
        data = {name: sorted(map(game.names.named, map(str, each))) for name, each in done.data().items()}
        game.lines.append(json.dumps(data, indent=1))


def the_end(game: Told) -> None:
    """The next stage is run, all is opened, and what was written in private is published."""
    gm = game.seats["gm"]
    for name in ("north", "emil"):
        answers(game, name)
    game.carry()
    run(game)
    unseal(gm.folder, gm.signer, early=True)
    game.carry()
    for name in ("gm", "north"):
        game.judged(name)


STEPS = [
    everybody_joins,
    everybody_signs,
    orders_and_letters,
    mails_that_do_not_count,
    a_deputy_is_handed_over_to,
    the_first_stage_is_run,
    all_agree_on_another_option,
    the_deputy_runs_a_stage,
    the_gm_is_back_and_somebody_is_late,
    somebody_takes_over,
    another_archive_is_merged,
    the_end,
]
"""One after the other, in one game."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[int], str]]:
    """Gives what is told of a step; the steps before are played first, each once."""
    root, umask = tmp_path_factory.mktemp("by-mail"), os.umask(0o022)
    game = Told({name: Seat(root / name, name) for name in ("gm", "north", "south", "olga", "dora")})
    texts: list[str] = []
    broken: list[str] = []

    def of(number: int) -> str:
        while len(texts) <= number:
            assert not broken, f"the step before failed: {broken[0]}"
            step = STEPS[len(texts)]
            broken.append(step.__name__)
            with luck.drawn_for(f"by mail {len(texts)}"):
                step(game)
            game.step(step.__name__.replace("_", " "))
            texts.append("\n".join(game.lines).lstrip() + "\n")
            game.lines.clear()
            broken.clear()
        return texts[number]

    yield of
    os.umask(umask)


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[step.__name__ for step in STEPS])
def test_what_lies_where(told: Callable[[int], str], number: int, golden: Callable[[str, str], None]) -> None:
    golden(f"by-mail-{number + 1:02d}.txt", told(number))
