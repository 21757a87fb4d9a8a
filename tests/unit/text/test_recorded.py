"""Messages in records: id and fields there, a sentence in each reader's language where it is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.text.messages import Message, worded
from pbem.text.recorded import recalled, recorded

INNER = Message("text.suggest.did-you-mean", near="R-AR1")
OUTER = Message("text.messages.one-and-another", first=INNER, then="red")


def test_a_record_holds_no_sentence_and_reads_back_the_message() -> None:
    event = {"event": "refused", "why": [OUTER, "as typed"], "count": 2}
    data = json.loads(json.dumps(recorded(event)))
    assert str(INNER) not in json.dumps(data)
    assert data["why"][0]["message"] == OUTER.id and data["why"][1] == "as typed"
    read = recalled(data)
    assert read == event
    assert isinstance(read, dict)
    said = read["why"][0]  # type: ignore[index, call-overload]
    assert isinstance(said, Message) and isinstance(said.fields["first"], Message)
    assert worded(said, "de", str) == worded(OUTER, "de", str) != str(OUTER)


def test_a_value_without_messages_stays_what_it_is() -> None:
    event = {"event": "moved", "way": ["0101", "0102"], "roll": {"result": [3]}}
    assert recalled(event) is event  # type: ignore[arg-type]
    assert recorded(event) == event


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"message": "text.no-such.one", "fields": {"unit": "R-AR1"}}, "text.no-such.one (unit R-AR1)"),
        ({"message": INNER.id, "fields": {}}, INNER.id),
        ({"message": INNER.id, "fields": {"near": "x", "id": "y"}}, f"{INNER.id} (near x, id y)"),
        ({"message": "../../etc.passwd", "fields": {}}, "../../etc.passwd"),
        ({"message": "/etc/x.y", "fields": {}}, "/etc/x.y"),
        ({"message": "", "fields": {}}, ""),
    ],
)
def test_a_message_that_this_program_does_not_have_is_told_by_its_id(data: Any, told: str) -> None:
    assert recalled(data) == told


@pytest.mark.parametrize("data", [{"message": 3, "fields": {}}, {"message": INNER.id}, {"fields": {}}])
def test_what_only_looks_like_a_message_stays_data(data: Any) -> None:
    assert recalled(data) == data


def test_the_id_of_a_stranger_leads_to_no_file_of_this_computer(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.joinpath("words.yaml").write_text(f'"{home}.x": "a private sentence"\n')
    assert recalled({"message": f"{home}.x", "fields": {}}) == f"{home}.x"
