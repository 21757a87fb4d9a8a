"""What somebody wrote in a reply, whatever the mail program put around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.read import read
from pbem.mail.replies import ABOVE, MOST, Reply, said_in

OURS = (
    f"{ABOVE} Write your answer above this line.\n\nDawn, stage 3: your question\n\n  1  pass\n  2  a turn\n"
)
QUOTED = "\n".join(f"> {line}" for line in OURS.splitlines())
WAYS = {
    "gmail": "2\n\nOn Mon, Apr 2, 2026 at 6:26 PM Gina Master <gm@example.org> wrote:\n\n" + QUOTED,
    "gmail, folded": "2\n\nOn Mon, Apr 2, 2026 at 6:26 PM Gina Master\n<gm@example.org> wrote:\n" + QUOTED,
    "gmail, german": "2\n\nAm Mo., 2. Apr. 2026 um 18:26 Uhr schrieb Gina <gm@example.org>:\n\n" + QUOTED,
    "thunderbird, below": "On 4/2/26 18:26, Gina Master wrote:\n" + QUOTED + "\n\n2\n",
    "thunderbird, german": "Am 02.04.26 um 18:26 schrieb Gina Master:\n" + QUOTED + "\n2\n",
    "outlook": "2\n\nFrom: Gina Master <gm@example.org>\nSent: Monday, April 2, 2026 6:26 PM\n"
    "To: North\nSubject: Dawn\n\n" + OURS,
    "outlook, german": "2\r\n\r\n________________________________\r\nVon: Gina <gm@example.org>\r\n"
    "Gesendet: Montag, 2. April 2026 18:26\r\nAn: North\r\nBetreff: Dawn\r\n\r\n" + OURS,
    "outlook, old": "2\n\n-----Original Message-----\nFrom: Gina [mailto:gm@example.org]\nSent: Monday\n"
    + OURS,
    "iphone": "2\n\nSent from my iPhone\n\n> On 2 Apr 2026, at 18:26, Gina <gm@example.org> wrote:\n> \n"
    + QUOTED,
    "iphone, german": "2\n\nVon meinem iPhone gesendet\n\n> Am 02.04.2026 um 18:26 schrieb Gina:\n" + QUOTED,
    "outlook, phone": "2\n\nGet Outlook for Android\n________________________________\n" + OURS,
    "hotmail": "2\n\n> Subject: Dawn\n> From: gm@example.org\n> \n" + QUOTED,
    "nothing quoted": "2",
    "signature": "2\n\n-- \nNorth Example\n+49 30 123456\n",
    "marks nobody sees": "\u200b2\u00a0\n\n" + QUOTED,
    "an answer among the quotation": QUOTED.replace("> \n>   1", "> \n\n2\n\n>   1", 1),
}
SENT = """- R-AR2 march 0606
- R-AR1 march 0405: then stop"""


@pytest.mark.parametrize("way", WAYS)
def test_a_number_is_found_however_the_program_quotes(way: str) -> None:
    assert said_in(WAYS[way]) == "2"


def test_a_line_of_the_answer_that_looks_like_one_header_is_no_quoted_mail() -> None:
    answer = "1 a\nFrom: now on write to north@new.example\n2 b"
    assert said_in(answer) == answer


@pytest.mark.parametrize(
    "line",
    ["At 18:26:", "Ann wrote:", "On 2 April 2026 Ann " + "and Ben " * 40 + "wrote:"],
    ids=["a time alone", "a word alone", "too long for one"],
)
def test_a_line_above_a_quotation_that_does_not_say_who_wrote_it_belongs_to_the_answer(line: str) -> None:
    assert said_in(f"{line}\n{QUOTED}\n2") == f"{line}\n2"


def test_a_line_that_says_who_wrote_it_has_300_characters_at_most() -> None:
    line = "On 2 April 2026 {} wrote:"
    longest, too_long = (line.format("x" * (length - len(line) + 2)) for length in (300, 301))
    assert said_in(f"{longest}\n{QUOTED}\n2") == "2"
    assert said_in(f"{too_long}\n{QUOTED}\n2") == f"{too_long}\n2"


@pytest.mark.parametrize("way", WAYS)
def test_orders_in_words_stay_whole(way: str) -> None:
    at = "gmail" if way.startswith("thunderbird") else way
    assert said_in(WAYS[at].replace("2", SENT, 1)) == SENT


def test_a_reply_code_is_found_in_subject_text_or_quotation() -> None:
    code = "fjgormggu6"
    for subject, text in (
        (f"Re: Dawn [{code}]", "2"),
        ("Dawn", f"2 {code.upper()}"),
        ("", f"2\n\n> Reply code: {code}"),
    ):
        assert Reply("mail", "north@example.org", "", subject, text).names(code) == 1
    assert Reply("mail", "", "", f"Re: [{code}-2]", "").names(code) == 2, "the second list of this stage"
    for text in ("", "fjgormggu", f"a{code}", f"{code}x", "xhfftginzd"):
        assert Reply("mail", "", "", "", text).names(code) is None


def test_replies_of_real_programs(shared_mails: Path) -> None:
    """Talon's standard replies all say Hello, some with a signature of their program."""
    folder = shared_mails / "talon/fixtures/standard_replies"
    for path in sorted(folder.glob("*.eml")):
        (reply,) = read(path.read_bytes(), path.name).replies
        assert reply.said.split("\n")[0].strip() == "Hello", path.name
        assert "wrote" not in reply.said and len(reply.said) < 100, path.name


def test_forwards_of_twenty_languages_lose_what_they_quote(shared_mails: Path) -> None:
    """A number written above each: most programs' originals are cut at their own headers."""
    lost = []
    found = sorted((shared_mails / "email-forward-parser/fixtures").glob("*_body*.txt"))
    assert len(found) > 100
    for path in found:
        body = path.read_text("utf-8", "replace")
        said = said_in(f"2\n\n{body}")
        if not said.startswith("2") or "Aenean quis diam urna" in said:
            lost.append(path.name)
    assert len(lost) < len(found) // 2, lost


def test_no_text_takes_long_or_breaks() -> None:
    for text in ("\n", ">", "-", "On ", "a:", "_", "-- \n", "1:00 "):
        said_in(text * MOST + ":")


@pytest.fixture
def shared_mails() -> Path:
    folder = Path(__file__).parents[4] / "shared/data/mails"
    if not folder.is_dir():
        pytest.skip(f"no outside test data at {folder}")
    return folder
