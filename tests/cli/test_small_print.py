"""Small print of mail, postmaster and letters that no game by mail comes to."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace as Like
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive import layout, order_file
from pbem.cli.club import games
from pbem.cli.club.postmaster import Game, Postmaster
from pbem.cli.commands.receive import AGAIN
from pbem.cli.games import book, drawing, history, practice, press, telling
from pbem.cli.main import cli
from pbem.cli.post import fetching, intake
from pbem.cli.web import board as web_board
from pbem.cli.web import post, why
from pbem.cli.web.addresses.at_report import AtReport
from pbem.cli.web.data import after
from pbem.cli.writing import asking, earlier, editor, legal, units
from pbem.engine.points import NOWHERE
from pbem.mail.read import Reading
from pbem.report import html, muster
from pbem.report.svg import draw, picture
from pbem.report.svg.sheet import Rect
from pbem.report.whole.book import FORMAT, MANIFEST
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from tests.primer import SYSTEM
from tests.unit.archive.table import begun


def test_an_email_is_marked_only_if_a_party_signed_what_is_in_it() -> None:
    """Receipts for what waited come after those for what was read."""
    reading = Reading()
    for data in (b"ours", b"strange"):
        reading.add("a mail", Signed(data, ()))
    outcomes: list[Any] = [Like(outcome=one) for one in ("refused", "unsigned", "taken")]
    assert fetching.counted(reading, outcomes) == {b"ours"}


def test_a_mailbox_with_new_numbers_is_read_from_its_beginning() -> None:
    noted = {"validity": 7, "last": 40, "failed": {"3": 1, "4": fetching.MOST_TRIES}}
    book: Any = Like(how_far=lambda name: noted)

    def far(validity: int, everything: bool = False) -> fetching._HowFar:
        box: Any = Like(name="INBOX", validity=validity)
        return fetching._HowFar.read(book, box, everything)

    assert (far(7).last, far(7).again(), far(7).told) == (40, [3], {4})
    assert far(8) == far(7, everything=True) == fetching._HowFar()


def test_a_mailbox_is_read_on_behind_the_highest_number_and_an_email_that_came_at_last_is_forgotten() -> None:
    seen = fetching._HowFar(9, {4: 2, 5: 1})
    seen.fetched([5, 4], [4])
    assert (seen.last, seen.failed, seen.given_up()) == (9, {4: fetching.MOST_TRIES}, [4])
    seen.told.add(4)
    assert seen.given_up() == seen.again() == []


def test_what_a_full_disk_kept_from_the_gm_is_told_later() -> None:
    said: list[str] = []
    room = [False, True]

    def put(*_: object) -> bool:
        if not room.pop(0):
            raise OSError("no space left on device")
        return True

    postmaster = object.__new__(Postmaster)
    postmaster._told, postmaster.games = set(), {}
    postmaster.notices = Like(put=put)  # type: ignore[assignment]
    postmaster.journal = Like(say=lambda text, name: said.append(str(text)))  # type: ignore[assignment]
    for _ in range(3):
        postmaster._ask(Path("/games/one"), Game(), "the deadline is over")
    assert len(said) == 2 and "no space" in said[0] and "the deadline is over" in said[1]


def test_a_filter_of_a_mail_system_tries_again_only_while_another_command_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, SYSTEM)
    letter = tmp_path / "letter.eml"
    letter.write_text("From: a@b\n\nlunch?\n")
    for code, wanted in (("folder-busy", AGAIN), ("damaged-file", 1)):

        def refuses(*_: object, code: str = code, **__: object) -> None:
            raise Refused(Diagnostic(code, "not now"))

        monkeypatch.setattr(intake, "take_in", refuses)
        ran = CliRunner().invoke(cli, ["-C", str(table.gm.root), "receive", "--filter", str(letter)])
        assert ran.exit_code == wanted, ran.output


def test_conversations_with_unread_letters_come_first_then_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pbem.archive import letters_kept

    def letter(who: str, order: int, read: bool) -> Any:
        inner = Like(n=order, grey=None)
        return Like(statement=Like(sender=who, stage=1, letter=inner), to=("me",), order=order, read=read)

    kept = [letter("old", 1, True), letter("new", 5, True), letter("unread", 2, False)]
    monkeypatch.setattr(letters_kept, "letters", lambda folder: kept)
    folder: Any = Like(me="me")
    assert [one.who for one in press.conversations(folder)] == [("unread",), ("new",), ("old",)]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vim", True),
        ("/usr/bin/nvim -u NONE", True),
        ("vi.exe", True),
        ("nano -w", False),
        ("vimium x", False),
    ],
)
def test_how_to_leave_vi_is_said_to_those_who_have_it(
    name: str, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[Any] = []
    monkeypatch.setenv("VISUAL", name)
    monkeypatch.setattr(editor.click, "edit", lambda **how: opened.append((how["editor"], how["filename"])))
    assert editor.open_in_editor(tmp_path / "orders.yaml")
    assert opened == [(name, str(tmp_path / "orders.yaml"))]
    assert (str(Message("cli.editor.how-to-use-vi")) in capsys.readouterr().err) == told


@pytest.mark.parametrize("telling", [0, 1, 2])
def test_a_letter_that_only_tells_is_no_email_with_nothing_in_it(telling: int) -> None:
    line = post.nothing_in(Reading(telling=telling))
    nothing = Message("cli.web.nothing-was-found")
    assert line == (Message("cli.intake.letters-to-read", count=telling) if telling else nothing)


def test_addresses_of_a_game_are_known_in_small_letters_however_they_are_written(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    root = table.gm.root
    roster = root / layout.ROSTER
    roster.write_bytes(roster.read_bytes().replace(b"@example.org", b"@Example.ORG"))
    known = games._known(root)
    assert known.mails["north"] == "north@example.org" and known.mails["gm"] == "gm@example.org"


def looked(now: set[str], gone: str = "") -> Any:
    """A board after orders, on which these units are out of supply."""
    counters = {id: {"hex": "0101"} for id in ("a", "b", "c", "d", "e", "f") if id != gone}
    made = after._Looked.__new__(after._Looked)
    made.game = Like(position=Like(counters=counters, hex=lambda id: "0101"))  # type: ignore[assignment]
    made.view = Like(wording=Like(short=lambda counter: counter["id"]))  # type: ignore[assignment]
    made.say, made.mine = after.words("en").say, now
    return made


@pytest.mark.parametrize(
    ("was", "then", "gone", "said"),
    [
        (set(), set(), "", []),
        ({"a"}, {"a"}, "", []),
        ({"a"}, {"a", "b"}, "", [("after-hungry", "b (0101)")]),
        ({"a", "b"}, {"b"}, "", [("after-fed", "a (0101)")]),
        ({"a", "b"}, {"b"}, "a", []),
        ({"a"}, {"c", "b"}, "", [("after-hungry", "b (0101), c (0101)"), ("after-fed", "a (0101)")]),
        (set(), set("abcd"), "", [("after-hungry", "a (0101), b (0101), c (0101), d (0101)")]),
    ],
)
def test_only_what_changes_in_supply_is_told(
    was: set[str], then: set[str], gone: str, said: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(after, "unsupplied", lambda game, mine: mine)
    board = looked(then, gone)
    assert list(board.hungry(was)) == [board.say(id, units=units) for id, units in said]
    more = list(looked(set("abcdef")).hungry(set()))
    assert more == [board.say("after-hungry", units=board._listed(f"{id} (0101)" for id in "abcdef"))]
    assert board._listed("abcdef") == board.say("after-and-more", listed="a, b, c, d", count=2)


def test_an_old_book_names_no_file_but_those_of_a_book(tmp_path: Path) -> None:
    """What a manifest names is removed when the book is made anew."""
    assert book._old_files(tmp_path) == book._old_files(tmp_path / "new") == set()
    names = ["index.html", "../roster.json", "notes.txt", "/etc/passwd", "private/key", 7, None]
    (tmp_path / MANIFEST).write_text(json.dumps({"format": FORMAT, "files": names}))
    assert book._old_files(tmp_path) == {"index.html"}
    for other in ({"format": "another", "files": []}, [], "{"):
        (tmp_path / MANIFEST).write_text(other if isinstance(other, str) else json.dumps(other))
        with pytest.raises(Refused):
            book._old_files(tmp_path)


@pytest.mark.parametrize(
    ("around", "everything", "said"),
    [((), False, True), (("a",), False, False), ((), True, False)],
)
def test_that_a_picture_shows_a_part_is_said_to_who_asked_for_no_part(
    around: tuple[str, ...],
    everything: bool,
    said: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made: list[Any] = []
    monkeypatch.setattr(picture, "part", lambda report, around: {1})
    monkeypatch.setattr(picture, "png", lambda report, hidden, **how: made.append(how["hexes"]) or b"png")
    report: Any = Like(view=Like(chart=("a", "b")))
    assert drawing.drawing(report, "png", (), (), around, everything, False) == b"png"
    assert made == [None if everything else {1}]
    assert (str(Message("cli.drawing.only-part-of-the-map-is-shown")) in capsys.readouterr().err) == said
    with pytest.raises(Refused):
        drawing.drawing(report, "png", (), (), ("c",), everything, False)


def test_a_folder_beside_a_practice_game_is_no_seat_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = practice.Practice.__new__(practice.Practice)
    object.__setattr__(table, "root", Path("/game"))
    monkeypatch.setattr(practice, "table_in", lambda root: table if root == Path("/game") else None)
    monkeypatch.setattr(practice.Practice, "folders", [Path("/game/red")])
    monkeypatch.setattr(practice, "replace", lambda table, you: you)
    for path, seat in (("/game/red", "red"), ("/game/other", None), ("/elsewhere/red", None)):
        folder: Any = Like(root=Path(path))
        assert practice.practice_of(folder) == seat


def test_what_has_its_place_in_an_archive_is_not_strange(tmp_path: Path) -> None:
    known = ["letters", "stages", "inbox", "outbox", "private", "orders", ".git"]
    for name in (*known, "stage", "keys"):
        (tmp_path / name).mkdir()
    files = ["game.yaml", "state.yaml", "roster.json", "roster.gm.sig", "scenario.json", "README.md"]
    for name in (*files, "roster.sig", "notes"):
        (tmp_path / name).write_text("x")
    assert sorted(layout.strange_in_root(tmp_path)) == ["keys", "notes", "roster.sig", "stage"]


@pytest.mark.parametrize(("asked", "shown"), [(None, 4), (0, 0), (3, 3), (4, 4)])
def test_the_report_of_stage_0_is_shown_to_who_asks_for_it(
    asked: int | None, shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "stage_report", lambda folder, stage, reader, lang: {"stage": stage})
    monkeypatch.setattr(html, "context", lambda made, screen: made)
    room: Any = Like(
        place=Like(open=lambda name: Like(stage=4, reader="red")), lang="en", page=lambda *_, **said: said
    )
    made: Any = AtReport.report(room, "mine", asked)
    assert (made["stage"], made["shown"]) == (shown, shown)


@pytest.mark.parametrize(
    ("costs", "enemy", "place", "said"),
    [
        ({"0101": 9}, False, "0101", "cli.web.too-far"),
        ({"0101": 9, "0102": 5}, True, "0101", "cli.web.too-far"),
        ({"0102": 5, "0201": 3, "0202": 4}, True, "0201", "cli.web.too-far-to-come-beside"),
        ({"0102": 5}, False, "", ""),
        ({}, True, "", ""),
    ],
)
def test_what_is_too_far_is_told_of_the_nearest_place_from_which_it_could_be_attacked(
    costs: dict[str, int], enemy: bool, place: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach = Like(costs=costs, needs=lambda at: costs.get(at), has=2, rule="5.1")
    board = Like(system=Like(reach=lambda board, id: reach), position=Like(counters={"a": {}}))
    monkeypatch.setattr(why, "board_of", lambda orders, question: board)
    click: Any = why._Asking.__new__(why._Asking)
    click.orders = click.question = None
    click.to, click.listed = "0101", [Like(points=Like(sort="move", counters=("a",)))]
    click._standing, click._enemy = lambda: "a", lambda: enemy
    click._beside = lambda: ["0102", "0201", "0202"]
    told = click.too_far()
    assert [one.message.id for one in told] == ([said] if said else [])
    assert all(one.message.fields["needs"] == why.in_words(str(costs[place])) for one in told)


@pytest.mark.parametrize(
    ("arbiter", "reader", "umpire"),
    [
        ("gm", "gm", True),
        ("gm", "red", False),
        ("gm", None, False),
        (None, None, False),
        (None, "red", False),
    ],
)
def test_only_the_gm_reads_figures_as_one_who_knows_everything(
    arbiter: str | None, reader: str | None, umpire: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two there is no GM, and a reader without a seat is none either."""
    told: list[bool] = []
    monkeypatch.setattr(history, "_standing", lambda past, chapter, knows: told.append(knows) or {})
    monkeypatch.setattr(history, "askings", lambda system, chapter: [])
    monkeypatch.setattr(telling, "report_view", lambda view, words: view)
    past: Any = Like(
        roster=Like(terms=Like(arbiter=arbiter)),
        chapters=[Like(sent=[], stage=0)],
        view=lambda chapter, reader: Like(told=[], facts={}),
        answers=lambda chapter, reader: {},
        system=None,
    )
    history.seen_stages(past, reader, Like(), {})  # type: ignore[arg-type]
    assert told == [umpire]


@pytest.mark.parametrize(
    ("answers", "typed", "chosen"),
    [
        (["calm", "storm"], ["1"], "calm"),
        (["calm", "storm"], ["0", "3", "calm", "2"], "storm"),
        ([3, 1, 2], ["0", "3"], 3),
        ([{"a": 1}, 2], ["2"], 2),
    ],
)
def test_one_of_a_few_options_is_chosen_by_its_number(
    answers: list[Any], typed: list[str], chosen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = [Like(answer=one, complete=True, text=str(one), points=NOWHERE) for one in answers]
    monkeypatch.setattr(order_file, "options", lambda folder, question: iter(options))
    monkeypatch.setattr(asking, "_typed", lambda question: typed.pop(0))
    assert asking._one_of(Like(), Like()) == chosen and not typed  # type: ignore[arg-type]
    for wrong in ([], options * asking.SHOWN, [Like(**{**vars(options[0]), "complete": False})]):
        monkeypatch.setattr(order_file, "options", lambda folder, question, wrong=wrong: iter(wrong))
        with pytest.raises(asking.InEditor):
            asking._one_of(Like(), Like())  # type: ignore[arg-type]


def test_what_can_come_first_has_its_place_before_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(
        earlier, "enabling", lambda drafting, of: [("reveal", 0), ("march", 2)] if of == "a" else []
    )
    at: Any = Like(drafting=None, room={7: 7}, _show=shown.append)
    assert asking._Growing._before(at, "a") and at.room == {0: 0, 1: 2}
    assert shown == [["reveal", "march"]]
    assert not asking._Growing._before(at, "b")


def test_of_a_place_its_contents_are_told_as_orders_name_them(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = Like(told=lambda own: f"told as one's own: {own}")
    monkeypatch.setattr(
        muster, "forces", lambda view, owner, places: [Like(owner="red", stacks=[stack, stack])]
    )
    monkeypatch.setattr(units, "figures_mean", lambda names, ids: [f"figures of {ids}"])
    monkeypatch.setattr(units, "where", lambda names, id: "is here")
    wording = Like(of=lambda section: {"a": "b"}, text=lambda text: text.title())
    view = Like(position=Like(counters={"a1": {}}, at=lambda hex: ["a1", "a2"]), wording=wording)
    names: Any = Like(told=view, called=lambda id: f"the {id}")
    told = "the 0101, Red: told as one's own: True"
    assert list(legal.described(names, "0101")) == [told, told, "figures of ['a1', 'a2']"]
    assert list(legal.described(names, "a1")) == ["a1 is here", "figures of ['a1']"]
    assert list(legal.described(names, None)) == list(legal.described(None, "a1")) == []
    wording.of = lambda section: {}
    assert list(legal.described(names, "a1")) == []


def test_the_middle_of_a_hex_a_box_and_a_coast_is_where_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Like(corners=((1, 2), (3, 4)))
    ground = Like(
        hexes=[1], centre=lambda i: (10.6, 20.2), form=lambda i: form, rects={2: Rect(100, 200, 60, 30)}
    )
    shapes = Like(areas={"SPA": Like(coasts={"NC": (5, 6)}), "POR": Like(coasts={})})
    view = Like(chart=Like(number=lambda i: f"n{i}"), shapes=shapes)
    monkeypatch.setattr(web_board, "seen", lambda folder, lang: view)
    monkeypatch.setattr(draw, "sheet", lambda view, chart: ground)
    monkeypatch.setattr(web_board, "stacks", lambda folder, view: "stacks")
    monkeypatch.setattr(web_board, "faces", lambda view, ground: "faces")
    made = web_board.board(Like())  # type: ignore[arg-type]
    assert made["centres"] == {"n1": [10, 20], "n2": [130, 215], "SPA.NC": [5, 6]}
    assert (made["coasts"], made["rim"]) == ({"SPA.NC": "SPA"}, [[1, 2], [3, 4]])
