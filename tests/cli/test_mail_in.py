"""`pbem mail in` and what follows from taking mail in: receipts, drafts, warnings, when things came."""

from __future__ import annotations

import email
import subprocess
import sys
from email import policy
from pathlib import Path

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.archive.letters.waiting_letters import book, letters
from tests.cli.play import Seat, Table, pbem, tree
from tests.nightly import in_ci
from tests.unit.mail.damage import mail


def _order(table: Table, name: str = "north") -> Path:
    seat = table.players[name]
    seat.mails()
    table.answer(seat)
    (eml,) = seat.mails()
    return eml


def _reads(seat: Seat, *paths: Path) -> None:
    (seat.root / "private" / "mail.yaml").write_text(
        f"in: {{way: files, paths: [{', '.join(str(path) for path in paths)}]}}\n"
    )


def _receipts(seat: Seat) -> list[email.message.EmailMessage]:
    folder = seat.root / "outbox" / "receipts"
    found = sorted(folder.glob("stage-0001*.eml"))
    return [email.message_from_bytes(one.read_bytes(), policy=policy.default) for one in found]  # type: ignore[misc]


def _maildir(root: Path) -> Path:
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True)
    return root


# ---- where mail comes from --------------------------------------------------------------------------------


def test_a_maildir_is_read_once(table: Table, tmp_path: Path) -> None:
    box = _maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(_order(table).read_bytes())
    (box / "new" / "2").write_bytes(mail(b"shall we have lunch?"))
    _reads(table.gm, box)
    said = table.gm.pbem("mail", "in")
    assert "accepted     order of north for stage 1" in said.out
    before = {name: data for name, data in tree(table.gm.root).items() if "log" not in name}
    again = table.gm.pbem("mail", "in")
    assert again.out == "" and "0 new messages" in again.err
    assert {name: data for name, data in tree(table.gm.root).items() if "log" not in name} == before
    assert table.gm.pbem("mail", "in", "--all").out.startswith("already here")


_FROM = b"From a@b Fri Nov 20 12:00:00 2026\n"


def _in_mbox(data: bytes) -> bytes:
    return _FROM + data.replace(b"\r\n", b"\n") + b"\n\n"


def test_of_a_mailbox_that_grew_only_the_new_end_is_read(table: Table, tmp_path: Path) -> None:
    box = tmp_path / "mbox"
    noise = _in_mbox(mail(b"lunch?")) * 50
    box.write_bytes(noise)
    _reads(table.gm, box)
    assert "50 new messages, none for this game" in table.gm.pbem("mail", "in").err
    box.write_bytes(noise + _in_mbox(_order(table).read_bytes()))
    said = table.gm.pbem("mail", "in", "--json")
    assert '"messages": 1' in said.out and '"taken"' in said.out


def test_a_mailbox_that_was_written_anew_is_read_from_its_beginning(table: Table, tmp_path: Path) -> None:
    """A mail program has compacted it: it is longer than before, and what was read is not where it was."""
    box = tmp_path / "mbox"
    box.write_bytes(_in_mbox(mail(b"lunch?")) * 2)
    _reads(table.gm, box)
    table.gm.pbem("mail", "in")
    box.write_bytes(_in_mbox(_order(table).read_bytes()) + _in_mbox(mail(b"dinner?")) * 9)
    assert "accepted" in table.gm.pbem("mail", "in").out


def test_a_mail_that_nobody_understands_is_no_failure(table: Table, tmp_path: Path) -> None:
    box = _maildir(tmp_path / "Maildir")
    (box / "new" / "1").write_bytes(b"\xff\x00" * 1000)
    (box / "new" / "2").write_bytes(b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * 900)
    _reads(table.gm, box)
    assert "more than 200 parts" in table.gm.pbem("mail", "in").err


def test_a_mailbox_shared_by_two_games_gives_each_its_own(table: Table, fog: Table, tmp_path: Path) -> None:
    box = _maildir(tmp_path / "Maildir")
    for number, one in enumerate((table, fog)):
        (box / "new" / str(number)).write_bytes(_order(one).read_bytes())
    for one in (table, fog):
        _reads(one.gm, box)
        said = one.gm.pbem("mail", "in")
        assert said.out == "accepted     order of north for stage 1\n"
        assert list((one.gm.root / "outbox").glob("refused*")) == []


def test_without_settings_it_says_where_they_go(table: Table) -> None:
    assert "no-mail-settings" in table.gm.pbem("mail", "in", code=1).err


def test_a_mailbox_that_is_not_there_is_named(table: Table, tmp_path: Path) -> None:
    _reads(table.gm, tmp_path / "nowhere")
    assert "nowhere: no such file" in table.gm.pbem("mail", "in", code=1).err


def test_standard_input_as_a_delivery_filter(table: Table) -> None:
    said = table.gm.pbem("receive", "--filter", "-", stdin=_order(table).read_bytes())
    assert said.out.startswith("accepted")
    assert table.gm.pbem("receive", "--filter", "-", stdin=mail(b"lunch?")).code == 0
    assert table.gm.pbem("receive", "-", stdin=mail(b"lunch?"), code=1).code == 1


def test_a_filter_asks_for_the_mail_again_while_another_command_is_at_work(table: Table) -> None:
    from pbem.archive.folder import one_command

    data = _order(table).read_bytes()
    with one_command.hold(table.gm.root):
        table.gm.pbem("receive", "--filter", "-", stdin=data, code=75)
    table.gm.pbem("receive", "--filter", "--wait", "-", stdin=data)


# ---- receipts ---------------------------------------------------------------------------------------------


def test_the_sender_and_nobody_else_learns_what_was_understood(table: Table) -> None:
    table.gm.pbem("receive", _order(table))
    (receipt,) = _receipts(table.gm)
    assert (receipt["To"], receipt["Cc"]) == ("North <north@example.org>", None)
    assert receipt["Auto-Submitted"] == "auto-generated"
    text = receipt.get_content()
    assert "order of north for stage 1: it is here." in text
    assert "Understood:" in text and "card" in text
    order = email.message_from_bytes(
        next((table.players["north"].root / "outbox").glob("stage*.eml")).read_bytes()
    )
    assert receipt["In-Reply-To"] == order["Message-ID"]


@pytest.mark.parametrize("system", ["table", "fog"])
def test_a_receipt_tells_nothing_that_is_sealed(system: str, request: pytest.FixtureRequest) -> None:
    import json

    table: Table = request.getfixturevalue(system)
    table.gm.pbem("receive", _order(table))
    (receipt,) = _receipts(table.gm)
    text = receipt.get_content()
    answers = json.loads((table.players["north"].root / "private" / "answers.yaml").read_text())["answers"]
    openings = list((table.players["north"].root / "private" / "openings").glob("*.json"))
    for file in openings:
        for decision, opening in json.loads(file.read_text()).items():
            assert f"{decision}: sealed" in text
            assert opening["nonce"] not in text
            assert f"{decision}: {opening['value']}" not in text
    assert answers and (openings or "card" in text)


def test_a_receipt_is_written_once_even_if_the_mail_comes_often(table: Table) -> None:
    order = _order(table)
    for _ in range(3):
        table.gm.pbem("receive", order, code=None)
    assert len(_receipts(table.gm)) == 1


def test_a_receipt_that_a_crash_prevented_is_written_when_the_mail_is_read_again(table: Table) -> None:
    order = _order(table)
    table.gm.pbem("receive", order)
    (file,) = (table.gm.root / "outbox" / "receipts").glob("stage-0001*")
    file.unlink()
    table.gm.pbem("receive", order)
    assert len(_receipts(table.gm)) == 1


def test_a_late_order_is_told_so(table: Table) -> None:
    early = _order(table)
    table.answer(table.players["north"])
    table.play_stage()
    table.gm.pbem("receive", early, code=None)
    folder = table.gm.root / "outbox" / "receipts"
    (late,) = folder.glob("*-late-*.eml")
    text = email.message_from_bytes(late.read_bytes(), policy=policy.default).get_content()  # type: ignore[attr-defined]
    assert "not valid: it came too late" in text and "pbem status" in text
    table.play_stage()
    table.gm.pbem("receive", early, code=None)
    assert list(folder.glob("*-late-*.eml")) == [late]


def test_players_send_no_receipts(table: Table) -> None:
    table.players["south"].pbem("receive", _order(table))
    assert not (table.players["south"].root / "outbox" / "receipts").exists()


def test_receipts_go_out_by_themselves(table: Table) -> None:
    table.gm.pbem("receive", _order(table))
    states = []
    for _ in range(3):
        folder = Folder.open(table.gm.root)
        states += [
            one.state
            for one in letters(folder, book(folder))
            if one.name.startswith("outbox/receipts/stage-0001-north")
        ]
        table.play_stage()
    assert states == ["ready", "ready", "over"], "who hears of it beside the report as well"


def test_whoever_joins_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", ("north", "south"))
    table.join()
    table.post()
    found = sorted(path.name[:10] for path in (table.gm.root / "outbox" / "receipts").iterdir())
    assert found == ["join-north", "join-south"]


def test_a_join_that_cannot_be_taken_is_answered_by_a_person(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", ("north", "south"))
    table.join()
    key = tmp_path / "other"
    pbem("key", "new", "--no-passphrase", "--file", key)
    who = ("--as", "north", "--name", "Nora", "--mail", "nora@example.org", "--key", key)
    pbem("join", table.invitation, tmp_path / "nora", *who)
    table.post()
    table.gm.pbem("receive", tmp_path / "nora" / "outbox" / "join-north.eml", code=1)
    (draft,) = (table.gm.root / "outbox" / "drafts").iterdir()
    assert b"nora@example.org" in draft.read_bytes()


# ---- orders that nobody signed ----------------------------------------------------------------------------

PLAIN = b'Hi,\n\n> game: "0123456789ab"\n> stage: 1\nanswers:\n  card: 3\n\nCheers\n'


def _plain(sender: str, more: str = "") -> bytes:
    head = f"From: North <{sender}>\r\nTo: gm@example.org\r\nSubject: orders\r\n{more}MIME-Version: 1.0\r\n"
    return mail(PLAIN, head=head)


def test_plain_orders_of_a_player_get_a_draft_for_the_game_master(table: Table) -> None:
    before = tree(table.gm.root)
    said = table.gm.pbem("receive", "-", stdin=_plain("North@Example.org"), code=1)
    assert "unsigned" in said.err and "draft" in said.err
    new = set(tree(table.gm.root)) - set(before) - {"private/mail.log"}
    (draft,) = new
    assert draft.startswith("outbox/drafts/unsigned-north-")
    text = tree(table.gm.root)[draft].decode()
    assert "pbem orders sign" in text and "card: 3" not in text
    table.gm.pbem("receive", "-", stdin=_plain("North@Example.org"), code=1)
    assert len(list((table.gm.root / "outbox" / "drafts").iterdir())) == 1


def test_a_draft_does_not_go_unless_it_is_named(table: Table) -> None:
    table.gm.pbem("receive", "-", stdin=_plain("north@example.org"), code=1)
    (table.gm.root / "private" / "mail.yaml").write_text("out: {way: folder, folder: sent}\n")
    said = table.gm.pbem("mail", "out")
    assert "1 draft to review" in said.err
    (draft,) = (table.gm.root / "outbox" / "drafts").iterdir()
    sent = table.gm.root / "sent"
    assert not list(sent.glob(f"{draft.stem}*"))
    table.gm.pbem("mail", "out", f"outbox/drafts/{draft.name}")
    assert len(list(sent.glob(f"{draft.stem}*.eml"))) == 1


def test_whoever_sent_a_damaged_statement_gets_a_draft(table: Table) -> None:
    whole = _text_of(table)
    body = whole.replace("-----BEGIN PBEM STATEMENT-----\n", "-----BEGIN PBEM STATEMENT-----\nAAAA")
    head = "From: North <north@example.org>\r\nTo: gm@example.org\r\nSubject: orders\r\n"
    said = table.gm.pbem("receive", "-", stdin=mail(body.encode(), head=head), code=None)
    assert "damaged or changed" in said.err and "a draft to review" in said.err
    (draft,) = (table.gm.root / "outbox" / "drafts").glob("damaged-north-*.eml")
    assert "was damaged or changed on its way" in draft.read_text()


@pytest.mark.parametrize(
    ("sender", "more"),
    [
        ("stranger@example.org", ""),
        ("gm@example.org", ""),
        ("north@example.org", "Auto-Submitted: auto-replied\r\n"),
        ("north@example.org", "List-Id: <games.example.org>\r\n"),
    ],
)
def test_strangers_and_programs_get_no_draft_and_nothing_is_kept(
    table: Table, sender: str, more: str
) -> None:
    before = tree(table.gm.root)
    table.gm.pbem("receive", "-", stdin=_plain(sender, more), code=1)
    assert tree(table.gm.root) == before


# ---- text beside the block --------------------------------------------------------------------------------


def _text_of(table: Table) -> str:
    return _order(table).with_suffix(".pbem.txt").read_text("utf-8")


def test_the_text_that_belongs_to_the_block_is_no_cause_for_warning(table: Table) -> None:
    text = _text_of(table)
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    for data in (mail(text.encode()), mail(quoted.encode()), mail(text[text.index("-----BEGIN") :].encode())):
        said = table.gm.pbem("receive", "-", stdin=data)
        assert "differs from it" not in said.err


def test_another_text_beside_the_block_is_told(table: Table) -> None:
    text = _text_of(table).replace("for stage 1, revision 1", "for stage 1, revision 7")
    said = table.gm.pbem("receive", "-", stdin=mail(text.encode()))
    assert said.out.startswith("accepted")
    assert "the text beside the signed block differs from it" in said.err
    (receipt,) = _receipts(table.gm)
    assert "only the signed block counts" in " ".join(receipt.get_content().split())


def _in_german(table: Table) -> str:
    """An order of north, whose program speaks German, as his letter has it."""
    north = table.players["north"]
    (north.root / "private" / "mail.yaml").write_text("language: de\n")
    return _text_of(table)


def test_the_words_of_an_order_are_in_its_writers_language_and_compared_all_the_same(table: Table) -> None:
    """The reader's program speaks another; it knows the words of all."""
    text = _in_german(table)
    assert "Befehl von north für Etappe 1, Fassung 1" in text and "versiegelt" in text
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    for data in (text, quoted, text[text.index("-----BEGIN") :]):
        assert "differs from it" not in table.gm.pbem("receive", "-", stdin=mail(data.encode())).err


@pytest.mark.parametrize(
    ("old", "new"),
    [("Fassung 1", "Fassung 7"), ("versiegelt", "offen: 9"), ("versiegelt", "sealed, and the rest is lost")],
)
def test_other_words_beside_a_block_are_told_in_every_language(table: Table, old: str, new: str) -> None:
    said = table.gm.pbem("receive", "-", stdin=mail(_in_german(table).replace(old, new).encode()))
    assert said.out.startswith("accepted")
    assert "the text beside the signed block differs from it" in said.err


def test_a_folder_says_in_which_language_its_letters_and_reports_are(table: Table) -> None:
    """Whatever the machine speaks that adjudicates at night; `adjudicate --lang` says otherwise for once."""
    (table.gm.root / "private" / "mail.yaml").write_text("language: de\n")
    table.gm.pbem("receive", "-", stdin=mail(_text_of(table).encode()))
    (receipt,) = _receipts(table.gm)
    assert "erhalten von north" in receipt["Subject"] and "Mehr ist nicht zu tun" in receipt.get_content()
    for name, seat in table.players.items():
        if seat.owes and name != "north":
            table.answer(seat)
            table.gm.pbem("receive", *seat.mails(), code=None)
    table.gm.pbem("adjudicate")
    report = sorted((table.gm.root / "outbox").glob("*-report.eml"))[-1]
    message = email.message_from_bytes(report.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None and "Öffentlicher Bericht" in body.get_content()
    assert "am Zug" in message["Subject"]
    north = table.players["north"]
    said = north.pbem("receive", str(report))
    assert "differs from it" not in said.err
    kept = (north.root / "stages/0001/report.txt").read_text("utf-8")
    assert "Public report" in kept, "each keeps it in his own"
    assert north.pbem("verify").out and table.gm.pbem("verify").out


def test_settings_name_a_language_that_somebody_speaks(table: Table) -> None:
    (table.gm.root / "private" / "mail.yaml").write_text("language: xx\n")
    assert "there is no language 'xx'" in table.gm.pbem("adjudicate", code=1).err


def test_orders_written_beside_the_block_are_told(table: Table) -> None:
    text = _text_of(table) + "\nand for the next stage:\nstage: 2\nanswers:\n  card: 1\n"
    said = table.gm.pbem("receive", "-", stdin=mail(text.encode()))
    assert "this email has orders outside the signed block" in said.err


def test_a_report_whose_text_was_changed_is_told(table: Table) -> None:
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.gm.mails()
    for seat in table.players.values():
        table.gm.pbem("receive", *seat.mails(), code=None)
    table.gm.pbem("adjudicate")
    (report,) = table.gm.mails()
    text = report.with_suffix(".pbem.txt").read_text("utf-8")
    north = table.players["north"]
    copy = table.copy(table.root / "copy").players["north"]
    good = north.pbem("receive", "-", stdin=mail(text.encode()))
    assert "differs from it" not in good.err
    lines = text.split("\n")
    lines.insert(4, "North has lost the game.")
    bad = copy.pbem("receive", "-", stdin=mail("\n".join(lines).encode()))
    assert "the text beside the signed block differs from it" in bad.err


@pytest.mark.parametrize(
    ("own", "lang"),
    [(False, "en"), (True, "en"), (False, "de"), (True, "de")],
    ids=["to all", "to each his own", "to all, in German", "to each his own, in German"],
)
def test_a_mail_whose_text_and_block_are_parts_of_their_own_is_told_too(
    table: Table, own: bool, lang: str
) -> None:
    """What people read lies in one part of the mail of a report, what counts in another; and its sender may
    write in another language than the reader has."""
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    for seat in table.players.values():
        table.gm.pbem("receive", *seat.mails(), code=None)
    reports = "own" if own else "public"
    (table.gm.root / "private" / "mail.yaml").write_text(
        f"out: {{way: folder, folder: /tmp, reports: {reports}}}\n"
    )
    table.gm.pbem("adjudicate", "--lang", lang)
    folder = table.gm.root / ("private/letters" if own else "outbox")
    report = sorted(folder.glob("*-report-to-north.eml" if own else "*-report.eml"))[-1]
    message = email.message_from_bytes(report.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None and "BEGIN PBEM" not in body.get_content()
    copy = table.copy(table.root / "copy").players["north"]
    good = table.players["north"].pbem("receive", "-", stdin=message.as_bytes())
    assert "differs from it" not in good.err
    lines = body.get_content().split("\n")
    body.set_content("\n".join([*lines[:4], "North has lost the game.", *lines[4:]]))
    bad = copy.pbem("receive", "-", stdin=message.as_bytes())
    assert "the text beside the signed block differs from it" in bad.err


# ---- answers anywhere in a reply --------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["above", "below", "within"])
def test_orders_anywhere_in_a_reply_to_the_report_are_found(table: Table, place: str) -> None:
    text = _text_of(table)
    (report,) = (table.gm.root / "outbox").glob("stage-0000-gm-report.pbem.txt")
    quoted = [f"> {line}" for line in report.read_text("utf-8").splitlines()]
    middle = {"above": 0, "below": len(quoted), "within": 4}[place]
    body = "\r\n".join([*quoted[:middle], "My orders:", "", text, "", *quoted[middle:]])
    said = table.gm.pbem("receive", "-", stdin=mail(body.encode()), code=None)
    assert "accepted     order of north for stage 1" in said.out


# ---- status ------------------------------------------------------------------------------------------------


def test_status_says_when_orders_came(table: Table) -> None:
    table.gm.pbem("receive", _order(table))
    states = {one["id"]: one for one in table.gm.pbem("status", "--json").json["parties"]}
    assert states["north"]["arrived"] and not states["south"]["arrived"]
    assert "came 20" in table.gm.pbem("status").out


# ---- many mails --------------------------------------------------------------------------------------------


def test_a_thousand_mails_without_a_word_for_us_are_one_line(table: Table, tmp_path: Path) -> None:
    box = tmp_path / "mbox"
    one = b"From a@b Fri Nov 20 12:00:00 2026\n" + mail(b"lunch?").replace(b"\r\n", b"\n") + b"\n\n"
    box.write_bytes(one * 1000)
    said = table.gm.pbem("receive", box, code=1)
    assert "1000 messages of 1000 without orders or a report" in said.err
    assert len(said.err) < 500


@in_ci
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the most memory used")
def test_memory_does_not_grow_with_the_mailbox(tmp_path: Path) -> None:
    """Ten times as many mails, each with an attachment, in about the same memory."""
    code = (
        "import re, sys; from pathlib import Path; from pbem.mail.read import read_path\n"
        "assert read_path(Path(sys.argv[1])).messages == int(sys.argv[2])\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    one = b"From a@b Fri Nov 20 12:00:00 2026\n" + mail(b"x" * 60 + b"\n" + b"y" * 99_000) + b"\n\n"
    used = []
    for count in (30, 300):
        box = tmp_path / f"{count}.mbox"
        box.write_bytes(one.replace(b"\r\n", b"\n") * count)
        run = [sys.executable, "-c", code, str(box), str(count)]
        done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=True)
        used.append(int(done.stdout))
    assert used[1] < used[0] + 10_000, f"{used} KiB for 3 and 30 MB of mail"
