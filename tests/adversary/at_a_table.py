"""The table of a site takes emails in: the same program on a computer and in the Python of a browser."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

FORM = {"host": "example.org", "content-type": "application/x-www-form-urlencoded"}
_DONE = re.compile(r'aria-labelledby="h-done".*?</section>', re.DOTALL)
Told = dict[str, list[object]]


def judged(home: str, files: Mapping[str, str], mails: Mapping[str, str]) -> list[object]:
    """What the page says of each email, and the hashes of the stages in the folder before and after."""
    from pbem.cli.site.answering import Answering
    from pbem.cli.web.desk import name_of

    root = Path(home) / "games" / "ford"
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))
    table, before, told = Answering(home, "/t", "en"), _stages(root), {}
    for name, mail in mails.items():
        body = urlencode({"text": mail}).encode()
        status, _, page = table.answer("POST", f"/g/{name_of(root)}/post", "", FORM, body)
        told[name] = [status, _words(page.decode())]
    table.end()
    return [told, before, _stages(root)]


def _words(page: str) -> str:
    found = _DONE.search(page)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[0] if found else page)).split())


def _stages(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((root / "stages").rglob("*"))
        if path.is_file()
    }
