"""A player without a program answers by plain email; the GM's computer reads, signs and says so."""

from __future__ import annotations

import email
import html
import json
import re
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.cli.web.desk import Desk
from pbem.mail.replies import ABOVE
from tests.cli.play import Table, pbem
from tests.cli.test_table import Visitor

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}

CODE = re.compile(r"\b[a-z2-7]{10}(?:-\d+)?\b")


class PlainTable(Table):
    """South has no program: the GM holds the keys and keeps the folder beside their own."""

    def join(self) -> None:
        for name, seat in self.players.items():
            who = ("--name", name.title(), "--mail", f"{name}@example.org")
            key = ("--key", self.root / "keys" / name)
            proxy = ("--proxy",) if name == "south" else ()
            pbem("join", self.invitation, seat.root, "--as", name, *who, *key, *proxy)

    def start(self) -> None:
        self.join()
        self.post()
        for seat in (self.gm, self.players["north"]):
            seat.pbem("sign", "--yes")
            self.post()
        self.run()

    def post(self) -> None:
        """South gets mails that are of no use to a program: they go to nobody's folder."""
        for seat in self.everybody:
            seat.sent |= {*(seat.root / "outbox").glob("*-questions-to-*.eml")}
        super().post()


def begun(root: Path, *options: str) -> PlainTable:
    """A game up to South's first question; until then the GM's computer answers that South is ready."""
    table = PlainTable(root, "primer", ("north", "south"), "--option", "plain_replies=yes", *options)
    table.start()
    while not list((table.gm.root / "outbox").glob("*-questions-to-*.eml")):
        go_on(table)
    return table


def go_on(table: PlainTable) -> None:
    """North answers what is asked, and the stage is run."""
    if table.players["north"].owes:
        table.answer(table.players["north"])
    table.post()
    table.run()


def asked(table: PlainTable) -> EmailMessage:
    """The newest questions that South was sent."""
    found = sorted((table.gm.root / "outbox").glob("stage-*-questions-to-south-*.eml"))
    return email.message_from_bytes(found[-1].read_bytes(), policy=email.policy.default)  # type: ignore[return-value]


def body(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def reply(table: PlainTable, said: str, to: EmailMessage | None = None, **more: str) -> Path:
    """Answer the questions as a mail program does, above the quotation."""
    to = to or asked(table)
    mail = EmailMessage()
    mail["From"] = more.get("sender", "South <South@Example.org>")
    mail["To"] = "gm@example.org"
    mail["Subject"] = more.get("subject", f"Re: {to['Subject']}")
    mail["Message-ID"] = f"<{abs(hash(said))}@example.org>"
    quoted = "\n".join(f"> {line}" for line in body(to).splitlines())
    mail.set_content(f"{said}\n\nOn Mon, Apr 6, 2026 at 18:26 Gm <gm@example.org> wrote:\n{quoted}\n")
    path = table.root / f"reply-{len(list(table.root.glob('reply-*')))}.eml"
    path.write_bytes(more.get("whole", mail.as_bytes().decode()).encode())
    return path


@pytest.fixture(scope="module")
def first_question(tmp_path_factory: pytest.TempPathFactory) -> PlainTable:
    """Do not change it: copy it."""
    return begun(tmp_path_factory.mktemp("plain"))


@pytest.fixture
def table(first_question: PlainTable, tmp_path: Path) -> PlainTable:
    return first_question.copy(tmp_path)


def test_a_number_with_its_code_is_signed_and_the_report_says_so(table: PlainTable) -> None:
    mail = asked(table)
    text = body(mail)
    assert text.startswith(ABOVE) and mail["To"] == "South <south@example.org>" and mail["Cc"] is None
    assert CODE.search(mail["Subject"]) and CODE.search(text), "the code comes back in any quotation"
    taken = table.gm.pbem("receive", reply(table, "2")).out
    assert "signed for south by plain email" in taken
    (receipt,) = (table.gm.root / "outbox/receipts").glob("*plain-south*.eml")
    assert "Your reply was understood like this" in receipt.read_text()
    go_on(table)
    for seat in (table.gm, table.players["north"]):
        assert "south's orders came by plain email, signed by the GM for south" in seat.pbem("report").out
    found = table.gm.pbem("verify").out
    assert "by plain email, signed by the GM for south" in found


def waiting(table: PlainTable) -> list[dict[str, str]]:
    found: list[dict[str, str]] = table.gm.pbem("plain", "--json").json["waiting"]
    return found


def orders_of_south(table: PlainTable) -> list[int]:
    """The revisions of South's orders for the open stage in the GM's folder."""
    stage = table.gm.status["stage"] + 1
    files = (table.gm.root / f"stages/{stage:04d}").glob("*.json")
    said = [json.loads(path.read_bytes()) for path in files]
    return sorted(one["rev"] for one in said if (one.get("type"), one.get("from")) == ("order", "south"))


def test_words_wait_for_the_gm_who_looks_and_signs(table: PlainTable) -> None:
    told = table.gm.pbem("receive", reply(table, "I bid 3, but only\nif you insist.")).out
    assert "south's reply waits for you" in told and "more than a bare number" in told
    assert orders_of_south(table) == []
    (one,) = waiting(table)
    assert one["text"] == "I bid 3, but only\nif you insist." and one["fault"]
    assert "error[not-understood]" in table.gm.pbem("plain", one["name"], "--sign", code=1).err
    assert "error[no-reply]" in table.gm.pbem("plain", "0000", "--drop", code=1).err
    assert "error[not-proxied]" in table.gm.pbem("plain", "--send", "north", code=1).err
    table.gm.pbem("plain", one["name"], "--drop")
    table.gm.pbem("receive", reply(table, "2", subject="hello", whole=without_code(table, "2")))
    (one,) = waiting(table)
    assert "reply code" in one["why"] and one["said"]
    assert "understood" in table.gm.pbem("plain").out
    table.gm.pbem("plain", one["name"], "--sign")
    assert waiting(table) == [] and orders_of_south(table) == [1]
    on_the_page(table)


def test_standing_orders_in_a_reply_wait_for_the_gm_too(table: PlainTable) -> None:
    """Below a line of their own that says so, alone or with an answer above it."""
    assert "write a line `standing:` and below it" in body(asked(table))
    table.gm.pbem("receive", reply(table, "3\n\nstanding orders:\nreaction: {retreat_at_most: one}"))
    (one,) = waiting(table)
    assert "'one'" in one["fault"] and "write the orders down" in table.gm.pbem("plain").err
    table.gm.pbem("plain", one["name"], "--drop")
    table.gm.pbem("receive", reply(table, "Standing:\n- reaction: {retreat_at_most: 1}"))
    (one,) = waiting(table)
    assert one["fault"] == "" and one["answers"] == {}, one
    assert one["standing"] == [{"reaction": {"retreat_at_most": 1}}] and "retreat" in one["said"]
    assert "signed for south" in table.gm.pbem("plain", one["name"], "--sign").out
    assert orders_of_south(table) == []
    table.gm.pbem("receive", reply(table, "3\nDauerbefehle\nreaction: {retreat_at_most: 2}"))
    (one,) = waiting(table)
    assert one["answers"] and one["standing"] == [{"reaction": {"retreat_at_most": 2}}], one
    table.gm.pbem("plain", one["name"], "--sign")
    assert orders_of_south(table) == [1] and waiting(table) == []
    go_on(table)
    found = table.gm.pbem("verify")
    assert found.code == 0 and "by plain email, signed by the GM for south" in found.out


def on_the_page(table: PlainTable) -> None:
    """A waiting reply is also on the page of the GM, who signs or drops it there."""
    place = Desk(table.gm.root)
    visitor, (name, *_) = Visitor(place), list(place.games())

    def did(**fields: str) -> str:
        return visitor.ask("POST", f"/g/{name}/do", urlencode(fields).encode(), **FORM).text

    def page() -> str:
        return visitor.ask("GET", f"/g/{name}/desk").text

    assert "wait for you" not in page() and "Write the questions to south again" in page()
    table.gm.pbem("receive", reply(table, "I bid 3, but only\nif you <b>insist</b>."))
    (words,) = waiting(table)
    found = page()
    assert "if you &lt;b&gt;insist&lt;/b&gt;." in found and "Not understood" in found
    assert "Sign it for this player" not in found
    did(what="plain-drop", reply=words["name"])
    table.gm.pbem("receive", reply(table, "3"))
    (one,) = waiting(table)
    assert one["said"] in html.unescape(page()) and orders_of_south(table) == [1]
    assert "signed for south by plain email" in did(what="plain-sign", reply=one["name"])
    assert orders_of_south(table) == [1, 2] and "wait for you" not in page()
    before = len(list((table.gm.root / "outbox").glob("*-questions-to-south-*.eml")))
    did(what="plain-send", party="south")
    assert len(list((table.gm.root / "outbox").glob("*-questions-to-south-*.eml"))) == before + 1


def without_code(table: PlainTable, said: str) -> str:
    return f"From: south@example.org\nTo: gm@example.org\nSubject: hello\n\n{said}\n"


def test_no_puts_the_question_again_and_a_second_answer_is_looked_at(table: PlainTable) -> None:
    first = asked(table)
    table.gm.pbem("receive", reply(table, "1"))
    assert orders_of_south(table) == [1]
    table.gm.pbem("receive", reply(table, "3"))
    assert [one["why"] for one in waiting(table)] == ["there is an answer already"]
    table.gm.pbem("plain", waiting(table)[0]["name"], "--drop")
    told = table.gm.pbem("receive", reply(table, "Nein.")).out
    assert "took the answer back" in told
    again = asked(table)
    assert again["Subject"] != first["Subject"] and "-2]" in again["Subject"]
    told = table.gm.pbem("receive", reply(table, "2", first)).out
    assert "older list" in told and orders_of_south(table) == [1]
    assert "-3]" in asked(table)["Subject"]
    table.gm.pbem("receive", reply(table, "2"))
    assert orders_of_south(table) == [1, 2]


def test_nobody_else_and_no_program_answers_for_south(table: PlainTable) -> None:
    mail = asked(table)
    out_of_office = f"Auto-Submitted: auto-replied\n{reply(table, '2').read_text()}"
    for path in (
        reply(table, "2", sender="Mallory <mallory@example.org>"),
        reply(table, "2", whole=out_of_office),
        reply(table, "2", sender="north@example.org"),
    ):
        table.gm.pbem("receive", path, code=1)
    assert orders_of_south(table) == [] and waiting(table) == []
    path = reply(table, "2", mail)
    table.gm.pbem("receive", path)
    table.gm.pbem("receive", path, code=1)
    assert orders_of_south(table) == [1], "the same email once"


def test_the_gm_writes_down_what_he_is_told_on_the_telephone(table: PlainTable) -> None:
    """`--as`: from the GM's own folder, with no word of a plain reply in the record."""
    assert table.gm.pbem("bid", "3", "--as", "south").out
    assert orders_of_south(table) == [1]
    go_on(table)
    assert "plain email" not in table.gm.pbem("report").out
    table.gm.pbem("bid", "3", "--as", "north", code=1)


def test_unseal_shows_both_texts_to_everybody(table: PlainTable) -> None:
    """Those of standing orders that came alone, twice, and of an answer after them."""
    for number in (2, 1):
        table.gm.pbem("receive", reply(table, f"standing:\nreaction: {{retreat_at_most: {number}}}"))
        table.gm.pbem("plain", waiting(table)[0]["name"], "--sign")
    table.gm.pbem("receive", reply(table, "3"))
    go_on(table)
    stage = table.gm.status["stage"]
    record = json.loads((table.gm.root / f"stages/{stage:04d}/record.json").read_bytes())
    sid = record["accepted"]["south"]
    assert (table.gm.root / f"private/plain/{sid}.json").is_file()
    table.gm.pbem("unseal", "--early", "--yes")
    table.post()
    for seat in (table.gm, table.players["north"]):
        told = seat.pbem("verify").out
        assert 'the email says "3"' in told and "bid 3" in told, told
        assert 'the email says "standing: reaction: {retreat_at_most: 1}"' in told, told


def test_a_postmaster_does_it_unattended_and_sends_the_receipt_first(
    table: PlainTable, tmp_path: Path
) -> None:
    come, sent = tmp_path / "come", tmp_path / "sent"
    come.mkdir()
    settings = f"out:\n  way: folder\n  folder: {sent}\nin:\n  way: files\n  paths: ['{come}']\n"
    (table.gm.root / "private/mail.yaml").write_text(settings)
    stage = table.gm.status["stage"]
    table.answer(table.players["north"])
    for mail in table.players["north"].mails():
        (come / mail.name).write_bytes(mail.read_bytes())
    (come / "south.eml").write_bytes(reply(table, "2").read_bytes())
    pbem("postmaster", "--once", "--in", table.gm.root, code=None)
    assert table.gm.status["stage"] == stage, "the receipt goes first"
    receipts = [one for one in sent.rglob("*.eml") if b"was understood" in one.read_bytes()]
    assert len(receipts) == 1
    pbem("postmaster", "--once", "--in", table.gm.root, code=None)
    assert table.gm.status["stage"] == stage + 1


def test_the_gm_sets_up_such_a_player_in_two_commands(tmp_path: Path) -> None:
    """Entry and signature go from one folder of the GM's to the other, with no email to oneself."""
    table = PlainTable(tmp_path, "primer", ("north", "south"), "--option", "plain_replies=yes")
    table.join()
    assert [one.name for one in (table.gm.root / "inbox/joins").glob("south*")]
    for mail in table.players["north"].mails():
        table.gm.pbem("receive", mail)
    told = table.gm.pbem("sign", "--yes", "--json")
    assert told.json["unsigned"] == ["north"]
