"""Makes the pictures of the table in `docs/` by playing in a real browser:
`python -m tests.tools.make_table_pictures`.

Needs what the browser tests need (tests/browser/conftest.py), and Pillow to make the files small.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pbem.cli.web.desk import Desk

ROOT = Path(__file__).parents[2]
PICTURES = {name: ROOT / "docs" / f"{name}.png" for name in ("table", "table-why", "table-phone")}
COLOURS = 96


def main() -> None:
    from PIL import Image

    from tests.browser.tables import serving, sit
    from tests.browser.test_board import PHONE, SCREEN, on_a_phone, with_the_mouse

    with tempfile.TemporaryDirectory() as scratch:
        shots = Path(scratch)
        place = Desk(shots / "games")
        place.start.mkdir()
        place.opened.append(place.practice("victory", "red"))
        with serving(place) as link:
            mouse = {"link": link(), "steps": with_the_mouse(shots), **SCREEN}
            sit([mouse, {"link": link(), "steps": on_a_phone(shots), **PHONE}], {})
        for name, path in PICTURES.items():
            with Image.open(shots / f"{name}.png") as picture:
                small = picture.convert("RGB").quantize(COLOURS)
                small.save(path, optimize=True)
            print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
