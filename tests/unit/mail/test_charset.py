"""A text is read in blocks: where a block ends changes nothing."""

from __future__ import annotations

import pytest

from pbem.mail import charset
from pbem.trust.repairs import narrow


@pytest.mark.parametrize("name", ["utf-8", "utf-16-le", "cp1252", "iso2022_jp"])
@pytest.mark.parametrize("text", ["PBEM\r\nKöln\r\n\r\nend\r", "\r\r\n\n\rx", "日本\r\n日\n", "a\0b\r\n"])
def test_a_text_in_blocks_is_the_text_at_once(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = text.encode(name, "replace")
    whole = data.decode(name).replace("\0", "")
    for size in range(1, 9):
        monkeypatch.setattr(charset, "_BLOCK", size)
        read = charset._decoded(data, name)
        assert read is not None and (read.head, read.whole) == (whole, narrow(whole)), size


def test_the_beginning_is_kept_as_people_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charset, "HEAD", 5)
    monkeypatch.setattr(charset, "_BLOCK", 3)
    read = charset._decoded("\ufeffKöln am Rhein".encode(), "utf-8")
    assert read is not None and read.head == "Köln "
    assert charset._decoded(b"a", "zlib") is None and charset._decoded(b"\xff", "utf-8") is None
