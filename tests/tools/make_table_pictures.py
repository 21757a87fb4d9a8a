"""Makes the pictures of the table, `docs/table.png` and `docs/table-why.png`, by playing in a real browser:
`python -m tests.tools.make_table_pictures`.

Needs what the browser tests need (tests/browser/conftest.py), and Pillow to make the files small.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pbem.cli._web.desk import Desk

ROOT = Path(__file__).parents[2]
PICTURES = {"march": ROOT / "docs" / "table.png", "why": ROOT / "docs" / "table-why.png"}
COLOURS = 96


def main() -> None:
    from PIL import Image

    from tests.browser.tables import serving, sit
    from tests.browser.test_table import with_the_mouse

    with tempfile.TemporaryDirectory() as scratch:
        with serving(Desk(Path(scratch))) as link:
            sit([{"link": link, "steps": with_the_mouse(Path(scratch))}], {})
        for name, path in PICTURES.items():
            with Image.open(Path(scratch) / f"table-{name}.png") as picture:
                small = picture.convert("RGB").quantize(COLOURS)
                small.save(path, optimize=True)
            print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
