"""Makes the second picture in the README, `docs/page.png`, from a real report in a real browser:
`python -m tests.tools.make_page_picture [PAGE.html]`.

Without a page it plays a game turn of the demo in a scratch folder and takes the page that it names.
Needs what the browser tests need (tests/browser/conftest.py), and Pillow to make the file small.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "page.png"
WIDTH, HEIGHT = 1500, 1010


def demo_page(scratch: Path) -> Path:
    """Play a demo, and return the page that it names."""
    command = [
        sys.executable,
        "-m",
        "pbem.cli.main",
        "demo",
        "--turns",
        "1",
        "--out",
        str(scratch / "demo"),
        "--json",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Path(json.loads(done.stdout)["page"])


def shoot(page: Path, shot: Path) -> None:
    """Take a picture of the top of the page."""
    job: dict[str, Any] = {"file": str(page), "width": WIDTH, "height": HEIGHT, "shot": str(shot)}
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    subprocess.run(
        ["node", str(ROOT / "tests" / "browser" / "visit.mjs")],
        input=json.dumps({"chromium": chromium, "pages": [job]}),
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def main() -> None:
    from PIL import Image

    with tempfile.TemporaryDirectory() as scratch:
        page = Path(sys.argv[1]) if len(sys.argv) > 1 else demo_page(Path(scratch))
        shot = Path(scratch) / "page.png"
        shoot(page, shot)
        with Image.open(shot) as picture:
            picture.convert("RGB").quantize(128).save(PICTURE, optimize=True)
    print(PICTURE)


if __name__ == "__main__":
    main()
