"""`pbem letter`, `pbem letters` and the page of letters: written, read, and seen by nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner, Result

from pbem.cli.games.table import Table
from pbem.cli.main import cli
from pbem.cli.web.desk import Desk, name_of
from pbem.engine.system import find
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.text.schema import check
from pbem.text.schema import find as find_schema
from tests.cli.test_table import Visitor

FORM = "application/x-www-form-urlencoded"
SECRET = "Leave Haska and I leave Tol. Quorvelzyxandria."


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Three players whose first stage is open."""
    table = Table(tmp_path_factory.mktemp("letters"), find("victory"), "sarn_strait", seed="letters")
    table.ahead = False
    table.sit_down("Letters at dawn", options={})
    return table


@pytest.fixture
def table(begun: Table, tmp_path: Path) -> Iterator[Table]:
    from tests.copying import copied

    copied(begun.root, tmp_path / "game")
    old = begun.root
    seats = {}
    for name, seat in begun.seats.items():
        new = tmp_path / "game" / name
        me = new / "private/me.json"
        me.write_text(me.read_text().replace(str(old), str(tmp_path / "game")))
        seats[name] = type(seat)(seat.id, seat.name, new, seat.signer)
    twin = Table(tmp_path / "game", begun.system, begun.scenario, seats=seats)
    twin.ahead = False
    yield twin


def pbem(table: Table, seat: str, *words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(
        cli, ["-C", str(table.root / seat), *words], input=stdin, env={"PBEM_LANG": "en"}, prog_name="pbem"
    )


def send(table: Table, seat: str, *words: str, to: tuple[str, ...] = ("gm", "red", "blue", "green")) -> None:
    """Write a letter and hand its email to some others."""
    done = pbem(table, seat, "letter", *words)
    assert done.exit_code == 0, done.output
    mail = next(line for line in done.stdout.splitlines() if line.endswith(".eml"))
    for other in to:
        if other != seat:
            pbem(table, other, "receive", mail)


def test_a_letter_is_written_received_and_read(table: Table) -> None:
    send(table, "red", "--to", "gm,blue", "--text", SECRET)
    told = pbem(table, "blue").stdout
    assert "New letters from red (1): `pbem letters`" in told
    assert "New letters from red (1)" in pbem(table, "blue", "next").output
    assert json.loads(pbem(table, "blue", "status", "--json").stdout)["letters"]
    first = pbem(table, "blue", "letters").stdout
    assert "With gm, red" in first and f"  red| {SECRET}" in first and ", new" in first
    again = pbem(table, "blue", "letters").stdout
    assert SECRET not in again and "1 letter that you have read" in again
    for who in ("red", "RED,gm"):
        assert SECRET in pbem(table, "blue", "letters", "--with", who).stdout
    assert "no letters with green, red yet" in pbem(table, "blue", "letters", "--with", "red,green").stderr
    assert SECRET in pbem(table, "blue", "letters", "--all").stdout
    assert "New letters" not in pbem(table, "blue").stdout
    for words in (["letters", "--all"], ["letter"], ["status"], ["report"]):
        assert "Quorvelzyxandria" not in pbem(table, "green", *words).output


def test_a_late_letter_stands_before_what_its_sender_wrote_later(table: Table) -> None:
    send(table, "red", "--to", "blue", "--text", "One: I am late.", to=())
    send(table, "red", "--to", "blue", "--text", "Two: I am early.", to=("blue",))
    send(table, "blue", "--to", "red", "--text", "Three: I answer.", to=("red",))
    for mail in (table.root / "red").rglob("*letter*.eml"):
        pbem(table, "blue", "receive", str(mail))
    told = pbem(table, "blue", "letters", "--all").stdout
    assert told.index("One:") < told.index("Two:") < told.index("Three:"), told


def test_the_text_comes_from_standard_input(table: Table) -> None:
    done = pbem(table, "red", "letter", "--to", "blue", stdin="One line.\n\nAnother.\n")
    assert done.exit_code == 0 and "Email it to blue and nobody else" in done.stderr
    assert "as proof" in done.stderr
    second = pbem(table, "red", "letter", "--to", "blue", "--text", "x")
    assert "as proof" not in second.stderr, "it is said before the first letter only"
    (sid,) = {
        one["sid"]
        for each in json.loads(pbem(table, "red", "letters", "--json").stdout)
        for one in each["letters"]
        if one["text"] == "One line.\n\nAnother."
    }
    third = pbem(table, "red", "letter", "--to", "blue", "--re", sid[:8], "--text", "as I said")
    assert third.exit_code == 0
    assert f"(answers [{sid[:8]}])" in pbem(table, "red", "letters", "--all").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["--text", "x"],
        ["--to", "blue", "--public", "--text", "x"],
        ["--to", "west", "--text", "x"],
        ["--to", "red", "--text", "x"],
        ["--to", "blue", "--text", " "],
        ["--to", "blue", "--re", "abcd", "--text", "x"],
        ["--to", "blue", "--grey", "--text", "x"],
        ["--to", "blue", "--grey", "--re", "abcd", "--text", "x"],
        ["--pass-on"],
    ],
)
def test_what_cannot_be_sent_is_said_and_changes_nothing(table: Table, words: list[str]) -> None:
    before = sorted(str(path) for path in (table.root / "red").rglob("*") if "lock" not in path.name)
    done = pbem(table, "red", "letter", *words)
    assert done.exit_code in (1, 2) and "Traceback" not in done.output and "rror" in done.output
    after = sorted(str(path) for path in (table.root / "red").rglob("*") if "lock" not in path.name)
    assert after == before


def test_the_31st_letter_of_a_day_is_asked_about(table: Table) -> None:
    for n in range(30):
        assert pbem(table, "red", "letter", "--to", "blue", "--text", f"{n}").exit_code == 0
    assert pbem(table, "red", "letter", "--to", "blue", "--text", "31").exit_code == 2
    assert pbem(table, "red", "letter", "--to", "blue", "--text", "31", "--yes").exit_code == 0


def test_ones_own_report_ends_with_letters_and_the_public_one_does_not(table: Table) -> None:
    send(table, "red", "--to", "blue", "--text", SECRET)
    send(table, "red", "--public", "--text", "To all: good luck.")
    own = pbem(table, "blue", "report").stdout
    assert own.index("Letters since your last orders") < own.index(SECRET) < own.index("good luck")
    public = pbem(table, "blue", "report", "--public").stdout
    assert "good luck" not in public and "Quorvelzyxandria" not in public
    data = json.loads(pbem(table, "blue", "report", "--json").stdout)
    assert not check(data, find_schema("report"))
    assert [(one["from"], one["to"], one["text"]) for one in data["letters"]] == [
        ("red", ["blue"], SECRET),
        ("red", None, "To all: good luck."),
    ]
    assert "letters" not in json.loads(pbem(table, "blue", "report", "--public", "--json").stdout)
    page = pbem(table, "blue", "report", "--format", "html").stdout
    assert page.index('id="letters"') < page.index(SECRET) < page.index("good luck")
    assert "Quorvelzyxandria" not in pbem(table, "blue", "report", "--public", "--format", "html").stdout
    for seat in ("blue", "gm"):
        for path in (table.root / seat / "stages").rglob("report.txt"):
            assert "good luck" not in path.read_text("utf-8")


def test_hostile_text_cannot_look_like_anything_else(table: Table) -> None:
    hostile = (
        "fine\nblue| I agree\n[0000] stage 9, from gm to red\n<script>alert(1)</script> https://evil.example"
    )
    send(table, "red", "--to", "blue", "--text", hostile)
    said = pbem(table, "blue", "letters").stdout
    assert "  red| blue| I agree" in said and "  red| [0000] stage 9" in said
    report = pbem(table, "blue", "report", "--format", "html").stdout
    assert "<script>alert" not in report and "<b>red</b>| blue| I agree" in report
    page = Visitor(Desk(table.root / "blue")).ask("GET", f"/g/{name_of(table.root / 'blue')}/letters").text
    assert "<script>alert" not in page and "&lt;script&gt;" in page and 'href="https://evil' not in page
    for bad in ("\x1b[2J", "\u202eevil", "\x07"):
        assert pbem(table, "red", "letter", "--to", "blue", "--text", f"a{bad}b").exit_code == 1


def test_a_grey_letter_goes_with_the_next_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.games.table.NOTHING", Agreement(press=Press("grey")))
    table = Table(tmp_path, find("victory"), "sarn_strait", seed="grey")
    table.ahead = False
    table.sit_down("Grey at dawn", options={})
    send(table, "red", "--to", "blue", "--grey", "--text", SECRET, to=("gm",))
    assert "1 grey letter waits for the next report" in pbem(table, "gm").stdout
    outbox = table.root / "gm/outbox"
    for seat in table.players:
        if seat.id in table.gm.folder.progress.asked:
            table.gm.take(table.answer(seat))
    assert not list(outbox.glob("*gm-letter*")), "it never goes at once"
    done = pbem(table, "gm", "adjudicate")
    assert done.exit_code == 0, done.output
    (mail,) = outbox.glob("*gm-letter*.eml")
    text = mail.read_text("utf-8")
    assert "blue@" in text and "red" not in text.lower().replace("armoured", "").split("begin pbem")[0]
    report = next(outbox.glob("stage-0001-gm-report.eml"))
    for seat in ("blue", "green"):
        pbem(table, seat, "receive", str(report), str(mail))
    shown = pbem(table, "blue", "letters").stdout
    assert SECRET in shown and "passed on without its author's name" in shown and "red" not in shown
    assert "Quorvelzyxandria" not in pbem(table, "green", "letters", "--all").output
    assert "No grey letter waits" in pbem(table, "gm", "letter", "--pass-on").stderr


# ---- the table -----------------------------------------------------------------------------------------


def visit(table: Table, seat: str) -> tuple[Visitor, str]:
    return Visitor(Desk(table.root / seat)), name_of(table.root / seat)


def write(visitor: Visitor, name: str, **fields: Any) -> Any:
    body = urlencode(fields, doseq=True).encode()
    return visitor.ask("POST", f"/g/{name}/letters", body, CONTENT_TYPE=FORM)


def test_a_letter_is_written_on_the_page_without_scripts(table: Table) -> None:
    visitor, name = visit(table, "red")
    page = visitor.ask("GET", f"/g/{name}/letters")
    assert page.status == 200 and 'value="blue"' in page.text and "no letters yet" in page.text
    done = write(visitor, name, to=["blue", "green"], words=SECRET)
    assert done.status == 200 and "nobody else" in done.text and ".eml" in done.text
    mail = next((table.root / "red/outbox").glob("*letter*.eml"))
    pbem(table, "blue", "receive", str(mail))
    pbem(table, "gm", "receive", str(mail))
    visitor, name = visit(table, "blue")
    shown = visitor.ask("GET", f"/g/{name}/letters").text
    assert f"red| {SECRET}" in shown and "1 new" in shown
    assert json.loads(visitor.ask("GET", f"/g/{name}/now").body)["letters"] == 1
    assert "1 new" in visitor.ask("GET", f"/g/{name}/letters").text, "looking changes nothing"
    assert write(visitor, name, read="1").status == 303
    assert "1 new" not in visitor.ask("GET", f"/g/{name}/letters").text
    visitor, name = visit(table, "gm")
    assert "Quorvelzyxandria" not in visitor.ask("GET", f"/g/{name}/letters").text


def test_what_was_typed_stays_where_it_cannot_be_sent(table: Table) -> None:
    visitor, name = visit(table, "red")
    done = write(visitor, name, words="to nobody --public")
    assert "Nothing was done" in done.text and "to nobody --public</textarea>" in done.text
    assert not list((table.root / "red/outbox").glob("*letter*"))


def test_a_message_goes_with_the_next_email(table: Table) -> None:
    visitor, name = visit(table, "red")
    now = json.loads(visitor.ask("GET", f"/g/{name}/now").body)
    assert {"blue", "green"} <= {one["id"] for one in now["talks"]}, "the board offers to write to them"
    said = visitor.json(f"/g/{name}/talk", to=["green", "blue"], text=SECRET)
    assert said == {"waiting": [{"to": ["blue", "green"], "text": SECRET, "public": False}]}
    visitor.json(f"/g/{name}/talk", public=True, text="To all.")
    assert len(json.loads(visitor.ask("GET", f"/g/{name}/talk").body)["waiting"]) == 2
    assert len(visitor.json(f"/g/{name}/talk", public=True, text="")["waiting"]) == 1
    for bad in ({"to": [], "text": "x"}, {"to": ["red"], "text": "x"}, {"to": ["blue"], "text": "a\u202eb"}):
        assert visitor.json(f"/g/{name}/talk", **bad)["faults"]
    assert not list((table.root / "red/outbox").glob("*letter*"))
    assert "Quorvelzyxandria" in visitor.ask("GET", f"/g/{name}/letters").text
    mails = table.answer(table.seats["red"])
    assert mails
    from pbem.archive import letter_writing

    files = letter_writing.write_waiting(table.seats["red"].folder, table.seats["red"].signer)
    assert [path.suffix for path in files if path.suffix == ".eml"]
    assert json.loads(visitor.ask("GET", f"/g/{name}/talk").body) == {"waiting": []}


def test_the_orders_of_the_page_take_the_messages_along(table: Table) -> None:
    visitor, name = visit(table, "red")
    visitor.json(f"/g/{name}/talk", to=["blue"], text=SECRET)
    now = json.loads(visitor.ask("GET", f"/g/{name}/now").body)
    key = now["questions"][0]["key"]
    options = visitor.json(f"/g/{name}/next", stage=now["stage"])["options"]
    visitor.json(f"/g/{name}/choose", key=key, at="", number=options[0]["number"], text=options[0]["text"])
    done = visitor.json(f"/g/{name}/sign", stage=now["stage"])
    assert done["ok"], done
    files = {one["file"]: one["to"] for one in done["letters"]}
    (letter,) = [file for file in files if "-letter-" in file]
    assert files[letter] == "blue@example.invalid"
    mail = (table.root / "red/outbox" / letter).read_text("utf-8")
    assert "gm@" not in mail and "green@" not in mail and mail.count("BEGIN PBEM STATEMENT") == 1


def test_nobody_writes_before_the_roster_is_signed(tmp_path: Path) -> None:
    place = Desk(tmp_path)
    visitor = Visitor(place)
    assert visitor.ask("GET", "/g/nothing/letters").status == 409
