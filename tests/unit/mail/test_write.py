"""The mail that is ready to send: same bytes every time, readable anywhere, and nobody's name breaks it."""

from __future__ import annotations

import email
from dataclasses import replace
from email import policy
from email.message import EmailMessage

import pytest

from pbem.mail.envelope import dressed, envelope, subject_of_game
from pbem.mail.read import read
from pbem.mail.write import Mail, Person, Subject, build, message_id
from pbem.trust.armour import Signed

NORTH, SOUTH, GM = (Person(name, f"{name.lower()}@example.org") for name in ("North", "South", "Gm"))


def _mail(text: str) -> Mail:
    line = Subject("94901e55ec7eb8a0", "Sarn", 12, "orders of north, revision 2")
    return Mail(
        line,
        NORTH,
        [GM],
        [SOUTH],
        text,
        "stage-0012-north-orders-rev2.pbem.txt",
        "ab" * 32,
        ["cd" * 32, "ef" * 32],
    )


def _parsed(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_what_is_written_is_read_back(letter: str, order: Signed) -> None:
    assert read(build(_mail(letter))).signed == (order,)


def test_headers_are_for_people_and_threads(letter: str) -> None:
    message = _parsed(build(_mail(letter)))
    assert message["Subject"] == "Sarn 12: orders of north, revision 2 [pbem 94901e55]"
    assert (message["To"], message["Cc"]) == ("Gm <gm@example.org>", "South <south@example.org>")
    assert message["In-Reply-To"] == message_id("ef" * 32)
    assert message["References"].split() == [message_id("cd" * 32), message_id("ef" * 32)]
    assert message["Message-ID"] == message_id("ab" * 32)


def test_body_and_attachment_are_the_file(letter: str) -> None:
    message = _parsed(build(_mail(letter)))
    body, attachment = message.iter_parts()
    assert body.get_content().splitlines() == letter.splitlines()
    assert attachment.get_content().splitlines() == letter.splitlines()
    assert attachment.get_filename() == "stage-0012-north-orders-rev2.pbem.txt"
    assert attachment["Content-Transfer-Encoding"] == "base64"
    assert attachment.get_content_charset() == "utf-8"


def test_the_attachment_is_the_file_to_the_byte(letter: str) -> None:
    _, attachment = _parsed(build(_mail(letter))).iter_parts()
    assert attachment.get_payload(decode=True) == letter.encode()


def test_building_twice_gives_the_same_bytes(letter: str) -> None:
    assert build(_mail(letter)) == build(_mail(letter))


def test_no_name_breaks_out_of_its_header(letter: str) -> None:
    evil = Person('x\r\nBcc: spy@example.org\r\n\r\n"<b@c.d>,', "north@example.org")
    message = _parsed(
        build(
            replace(_mail(letter), sender=evil, subject=Subject("", "Sarn", 1, "a\r\nBcc: spy@example.org"))
        )
    )
    assert message["Bcc"] is None
    assert [a.addr_spec for a in message["From"].addresses] == ["north@example.org"]


def test_an_unusable_address_is_left_out(letter: str) -> None:
    for address in ("", "nobody", "a b@example.org", "x@y\r\nBcc: z@example.org", "<a@b.c>"):
        message = _parsed(build(replace(_mail(letter), cc=[Person("X", address), SOUTH])))
        assert message["Cc"] == "South <south@example.org>"


def test_plain_text_is_sent_without_encoding() -> None:
    body, _ = _parsed(build(_mail("only letters\n"))).iter_parts()
    assert body["Content-Transfer-Encoding"] == "7bit"


def test_no_line_is_too_long_for_a_mail_server() -> None:
    data = build(_mail("ü" * 5000 + "\n" + "x" * 5000 + "\n"))
    assert max(len(line) for line in data.split(b"\r\n")) < 998


def test_a_join_has_no_stage_in_its_subject_and_no_game_yet() -> None:
    assert Subject("", "Sarn", None, "north joins").text == "Sarn: north joins [pbem]"


def test_game_place_and_news_stand_before_the_sign_for_filters() -> None:
    """A telephone shows the first forty letters."""
    found = Subject("94901e55ec", "Sarn", 38, "Blue took Haska; green to move").text
    assert found == "Sarn 38: Blue took Haska; green to move [pbem 94901e55]"
    assert len(Subject("94901e55ec", "Sarn", 38, "x" * 999).text) < 145


@pytest.mark.parametrize("length", range(20, 110))
def test_a_subject_of_any_length_begins_in_the_line_of_its_name(letter: str, length: int) -> None:
    """The library breaks some before their first word, and programs show a blank, or nothing."""
    said = Subject("94901e55ec", "Sarn", 38, ("Haska " * 30)[:length].strip())
    data = build(replace(_mail(letter), subject=said))
    assert data.startswith(b"Subject: Sarn 38: Haska") and _parsed(data)["Subject"] == said.text
    foreign = Subject("94901e55ec", "Sarn", 38, ("Grün am Zug; " * 30)[:length].strip())
    data = build(replace(_mail(letter), subject=foreign))
    assert data.startswith(b"Subject: =?utf-8?") and _parsed(data)["Subject"] == foreign.text
    assert max(map(len, data.partition(b"From:")[0].split(b"\r\n"))) <= 78


def test_all_letters_of_a_game_can_have_one_subject_and_are_one_thread(letter: str) -> None:
    """Programs that make threads by subjects (Gmail) split a game whose subjects tell news."""
    game, title = "94901e55ec", "Narrow Sea 1943"
    said = (
        Subject(game, title, 38, "Blue took Haska: all of it; green to move"),
        Subject(game, title, 12, "orders of north"),
        Subject(game, title, None, "roster, signed by gm"),
    )
    for one in said:
        data = build(replace(_mail(letter), subject=one))
        sent = dressed(data, date="x", one_subject=True)
        assert _parsed(sent)["Subject"] == "Narrow Sea 1943 [pbem 94901e55]" == subject_of_game(data)
        assert read(sent).signed == read(data).signed
    foreign = build(replace(_mail(letter), subject=Subject(game, "Grüße", 3, "x")))
    sent = dressed(foreign, date="x", one_subject=True)
    assert _parsed(sent)["Subject"] == "Grüße [pbem 94901e55]" and sent.isascii()


def test_a_mail_that_goes_to_others_goes_to_nobody_of_before(letter: str) -> None:
    data = build(_mail(letter))
    assert len(envelope(data).everybody) > 1
    sent = dressed(data, date="x", to=["ann@new.example"])
    assert envelope(sent).everybody == ("ann@new.example",)


def test_who_wants_no_copies_sent_sends_none(letter: str) -> None:
    """Those under Cc aren't even named; those under To get it."""
    data = build(_mail(letter))
    before = envelope(data)
    assert before.cc and before.to
    sent = envelope(dressed(data, date="x", cc_all=False))
    assert (sent.to, sent.cc) == (before.to, ())


def test_a_long_title_leaves_room_for_what_the_mail_is() -> None:
    found = Subject("94901e55ec", "The long way " * 9, 3, "orders of north").text
    assert found.startswith("The long way") and "… 3: orders of north [pbem" in found
    assert len(found) < 78


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
PAGE = '<!DOCTYPE html><html><body><p>Blue took Haska; Gr\u00fc\u00dfe</p><img src="cid:map" alt=""></html>'


def paged(letter: str) -> Mail:
    return replace(_mail(letter), page=PAGE, picture=PNG)


def leaves(message: EmailMessage) -> list[EmailMessage]:
    return [part for part in message.walk() if not part.is_multipart()]  # type: ignore[misc]


def test_a_page_is_the_other_form_of_the_body_with_its_picture_and_the_file_attached(letter: str) -> None:
    message = _parsed(build(paged(letter)))
    assert message.get_content_type() == "multipart/mixed"
    both, attached = message.iter_parts()
    assert both.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in leaves(message)] == [
        "text/plain", "text/html", "image/png", "text/plain"
    ]  # fmt: skip
    body, page = message.get_body(("plain",)), message.get_body(("html",))
    assert body is not None and page is not None
    assert body.get_content().splitlines() == letter.splitlines() and "Haska" in page.get_content()
    picture = leaves(message)[2]
    assert picture["Content-ID"] == "<map>" and picture.get_payload(decode=True) == PNG
    assert picture.get_content_disposition() == "inline"
    assert attached.get_filename() == "stage-0012-north-orders-rev2.pbem.txt"
    assert message["Thread-Topic"] == "Sarn [pbem 94901e55]"


def test_a_mail_with_a_page_is_one_mail_however_often_it_is_built(letter: str) -> None:
    assert build(paged(letter)) == build(paged(letter))


def without(message: EmailMessage, *types: str) -> bytes:
    """What is left when somebody on the way throws parts of these types away."""
    for part in message.walk():
        if part.is_multipart():
            inner = part.get_payload()
            part.set_payload([one for one in inner if one.get_content_type() not in types])  # type: ignore[union-attr]
    return message.as_bytes()


def test_what_is_left_of_such_a_mail_is_read_too(letter: str, order: Signed) -> None:
    """By a list that drops pages and pictures, one that keeps only the text, and one that forwards all."""
    data = build(paged(letter))
    assert read(data).signed == (order,)
    assert read(without(_parsed(data), "text/html", "image/png", "multipart/related")).signed == (order,)
    body = _parsed(data).get_body(("plain",))
    assert body is not None and read(body.as_bytes()).signed == (order,)
    attached = list(_parsed(data).iter_parts())[1]
    assert read(attached.as_bytes()).signed == (order,)
    outer = EmailMessage()
    outer["Subject"] = "Fwd: Sarn"
    outer.set_content("see below")
    outer.add_attachment(_parsed(data))
    assert read(outer.as_bytes()).signed == (order,)
    assert not [note for note in read(data).notes if note.kind in ("damaged", "unreadable")]
