"""Whom a mail goes to, and that both of its files say the same."""

from __future__ import annotations

import base64
import email
import gzip
import hashlib
import zlib
from dataclasses import replace
from email import policy

import pytest

from pbem.archive.letters.outbox import Letter, heading, slug
from pbem.mail.read import read
from pbem.mail.write import Subject
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from pbem.trust.roster import Party, Role

SIGNER = FileSigner.from_seed(bytes(32))
SIGNED = Signed(b'{"x":1}', (SIGNER.sign(b'{"x":1}'),))


def _party(id_: str, role: Role, mail: str | None = None) -> Party:
    return Party(id_, role, id_.title(), f"{id_}@example.org" if mail is None else mail, SIGNER.public)


GM, NORTH, SOUTH, WATCHER = (
    _party("gm", "gm"),
    _party("north", "player"),
    _party("south", "player"),
    _party("watcher", "observer"),
)


def _letter(sender: Party, *others: Party, readable: str = "Orders of north") -> Letter:
    return Letter(
        "stage-0001-x",
        Subject("94901e55", "Sarn", 1, "x"),
        sender,
        others,
        [readable],
        [SIGNED],
        "ab" * 32,
        "cd" * 32,
    )


def _headers(letter: Letter) -> tuple[str, str]:
    data = letter.changes(str).files["outbox/stage-0001-x.eml"]
    message = email.message_from_bytes(data, policy=policy.default)
    return str(message["To"] or ""), str(message["Cc"] or "")


@pytest.mark.parametrize(
    ("sender", "to", "cc"),
    [
        (NORTH, "Gm <gm@example.org>", "South <south@example.org>, Watcher <watcher@example.org>"),
        (GM, "North <north@example.org>, South <south@example.org>", "Watcher <watcher@example.org>"),
        (
            WATCHER,
            "Gm <gm@example.org>",
            "North <north@example.org>, South <south@example.org>",
        ),
    ],
    ids=lambda value: value.id if isinstance(value, Party) else "",
)
def test_it_goes_to_the_gm_and_from_him_to_the_players_and_all_read_along(
    sender: Party, to: str, cc: str
) -> None:
    assert _headers(_letter(sender, GM, NORTH, SOUTH, WATCHER)) == (to, cc)


def test_somebody_without_an_address_is_left_out() -> None:
    assert _headers(_letter(NORTH, _party("gm", "gm", ""), SOUTH)) == ("", "South <south@example.org>")


def test_the_text_and_the_mail_carry_the_same_statement() -> None:
    files = _letter(NORTH, GM, readable="Orders\x1b[2J of north").changes(str).files
    assert sorted(files) == ["outbox/stage-0001-x.eml", "outbox/stage-0001-x.pbem.txt"]
    assert {read(data).signed for data in files.values()} == {(SIGNED,)}
    assert b"\x1b" not in b"".join(files.values())


def test_a_mail_made_twice_is_one_mail() -> None:
    assert _letter(NORTH, GM).changes(str).files == _letter(NORTH, GM).changes(str).files


def test_titles_become_headings_and_file_names() -> None:
    assert heading("At dawn", ["a", "b"]) == ["At dawn", "=======", "a", "b", ""]
    assert slug("Sarn Strait: the 2nd try!") == "sarn-strait-the-2nd-try"
    assert slug("../../etc") == "etc" and slug("???") == "game"


def test_a_mail_with_much_to_read_has_its_statements_once_and_at_its_end() -> None:
    letter = _letter(GM, NORTH, readable="What happened at Velm\n" + "much more to read\n" * 400)
    mail = email.message_from_bytes(letter.eml(str), policy=policy.default)
    body, end = mail.iter_parts()
    assert body.get_content().count("What happened at Velm") == 1 and "BEGIN PBEM" not in body.get_content()
    assert "What happened" not in end.get_content() and end.get_content_disposition() == "inline"
    assert [part.signed.data for part in read(end.get_content().encode()).statements] == [SIGNED.data]


@pytest.mark.parametrize(("size", "files"), [(2000, 0), (4000, 1)])
def test_few_statements_are_in_the_body_alone(size: int, files: int) -> None:
    """17.36: up to 4 kB of armour travel once."""
    data = b'{"x":"%s"}' % (b"1" * size)
    letter = replace(
        _letter(NORTH, GM, readable="Orders of north"), items=[Signed(data, (SIGNER.sign(data),))]
    )
    mail = email.message_from_bytes(letter.eml(str), policy=policy.default)
    assert len(list(mail.iter_attachments())) == files
    assert {part.signed.data for part in read(letter.eml(str)).statements} == {data}


def test_a_list_that_drops_attachments_keeps_what_counts() -> None:
    """Such lists drop what is marked as an attachment, and pages and pictures; texts stay."""
    letter = replace(_letter(GM, NORTH), page="<p>Blue took Haska</p>", picture=b"PNG")
    mail = email.message_from_bytes(letter.eml(str), policy=policy.default)
    kept = [
        part
        for part in mail.walk()
        if part.get_content_type() == "text/plain" and part.get_content_disposition() != "attachment"
    ]
    left = "".join(part.as_string() for part in kept).encode()
    assert len(kept) == 2 and [part.signed.data for part in read(left).statements] == [SIGNED.data]
    assert [part.signed.data for part in read(kept[1].as_bytes()).statements] == [SIGNED.data]


def test_a_large_mail_is_not_twice_as_large() -> None:
    data = b'{"x":"%s"}' % (b"1" * 15_000)
    signed = Signed(data, (SIGNER.sign(data),))
    letter = replace(_letter(GM, NORTH, readable="to read\n" * 3000), items=[signed])
    assert len(letter.eml(str)) < 50_000 < 2 * len(letter.text(str))
    body, attached = (
        part.get_content()
        for part in email.message_from_bytes(letter.eml(str), policy=policy.default).iter_parts()
    )
    assert "BEGIN PBEM" not in body and "the attached file" in body
    assert [part.signed.data for part in read(attached.encode()).statements] == [data]
    assert [part.signed.data for part in read(letter.eml(str)).statements] == [data]


def test_what_counts_of_a_large_war_is_packed_and_anybody_can_unpack_it() -> None:
    events = ",".join(f'{{"event":"leader-tried","leader":"N-L{n:03}","rule":"4.5"}}' for n in range(1000))
    data = f'{{"x":[{events}]}}'.encode()
    signed = Signed(data, (SIGNER.sign(data),))
    letter = replace(_letter(GM, NORTH, readable="to read\n" * 3000), items=[signed])
    assert len(letter.eml(str)) < 50_000 < len(letter.text(str)) and letter.eml(str) == letter.eml(str)
    assert [part.signed.data for part in read(letter.eml(str)).statements] == [data]
    parts = email.message_from_bytes(letter.eml(str), policy=policy.default).iter_attachments()
    (packed,) = parts
    assert packed.get_filename().endswith(".pbem.txt.gz")
    assert [part.signed.data for part in read(gzip.decompress(packed.get_content())).statements] == [data]
    assert [part.signed.data for part in read(packed.get_content()).statements] == [data], "saved to a file"
    by_windows = gzip.decompress(packed.get_content()).replace(b"\n", b"\r\n")
    assert [part.signed.data for part in read(by_windows).statements] == [data], "unpacked and saved"


def test_what_is_packed_is_the_file_of_the_protocol_and_nothing_else() -> None:
    """17.28: one member, exactly the bytes that 6.1 would attach, nothing before or behind them."""
    sealed = base64.b64encode(b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(600))).decode()
    data = f'{{"view":"{sealed}","who":"Grün"}}'.encode()
    items = [Signed(one, (SIGNER.sign(one),)) for one in (data, b'{"x":1}')]
    letter = replace(_letter(GM, NORTH, readable="to read\n" * 900), items=items)
    assert read(letter.eml(str)).signed == tuple(items)
    (packed,) = email.message_from_bytes(letter.eml(str), policy=policy.default).iter_attachments()
    reader = zlib.decompressobj(31)
    assert reader.decompress(packed.get_content()) == letter.text(str).encode()
    assert (reader.eof, reader.unused_data) == (True, b"")


def test_what_stands_outside_the_armour_of_a_packed_file_counts_for_nothing() -> None:
    data = b'{"x":1}'
    text = f"Statements as they were signed, with signatures (pbem 1):\n{data.decode()}\n{SIGNER.sign(data)}"
    assert read(gzip.compress(text.encode())).signed == ()


def test_a_report_has_a_page_beside_its_text_and_all_mails_of_a_game_one_topic() -> None:
    """Programs that go by `References` and those that go by `Thread-Topic` show a game as one thread."""
    game = "94901e55" + "0" * 56
    letter = replace(_letter(GM, NORTH), page="<p>Blue took Haska</p>", thread=game)
    mail = email.message_from_bytes(letter.eml(str), policy=policy.default)
    assert mail["Thread-Topic"] == "Sarn [pbem 94901e55]"
    page, text = mail.get_body(("html",)), mail.get_body(("plain",))
    assert page is not None and "Haska" in page.get_content()
    assert text is not None and "Orders of north" in text.get_content()
    assert [part.signed.data for part in read(letter.eml(str)).statements] == [SIGNED.data]
    reply = email.message_from_bytes(replace(_letter(NORTH, GM), thread=game).eml(str), policy=policy.default)
    assert reply["Thread-Topic"] == mail["Thread-Topic"]
