"""Makes the picture of the editor, `docs/editor.png`, by laying the grid on a photograph in a real browser:
`python -m tests.tools.make_editor_picture`.

Needs what the browser tests need (tests/browser/conftest.py), and Pillow to make the file small.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pbem.board.map import GameMap
from pbem.engine.system import find
from pbem.workshop.writing import files_of

PICTURE = Path(__file__).parents[2] / "docs" / "editor.png"
COLOURS = 96
KINDS = {".": "clear", "~": "sea", "f": "forest", "h": "hills", "m": "mountain", "s": "swamp"}


def main() -> None:
    from PIL import Image

    from tests.browser.benches import CHECKED, READY, editing
    from tests.browser.photographs import photograph
    from tests.browser.tables import sit
    from tests.browser.test_editor import emptied, laid, sampled

    system = find("victory")
    chart = GameMap.from_data(system.scenario("sarn_strait")["map"], legend=KINDS)
    data, at = photograph(chart)
    with tempfile.TemporaryDirectory() as scratch:
        root, board, shot = (Path(scratch) / name for name in ("my-river", "board.png", "shot.png"))
        root.mkdir()
        for name, text in files_of(system, "sarn_strait", "my-river").items():
            (root / name).write_text(text, "utf-8")
        board.write_bytes(data)
        emptied(root, chart)
        steps = [*laid(board, at), *sampled(chart), {"wait": CHECKED}, {"shot": str(shot), "full": False}]
        with editing(root) as link:
            sit([{"link": link(), "width": 1280, "height": 800, "steps": [{"wait": READY}, *steps]}], {})
        with Image.open(shot) as picture:
            picture.convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(PICTURE, PICTURE.stat().st_size)


if __name__ == "__main__":
    main()
