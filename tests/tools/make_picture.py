"""The picture in the README, `docs/report.svg`, made made from a real report:
`python -m tests.tools.make_picture [REPORT]`.

Without a report it plays the demo in a scratch folder and takes the first report of a player
with a battle in it. Long parts are cut; a cut shows as dots in square brackets.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

PICTURE = Path(__file__).parents[2] / "docs" / "report.svg"
WIDTH = 78
#: lines shown of each section of a report; sections that are not named are left out
SHOWN = {"": 7, "In short": 7, "Battles": 12, "What happened": 17, "Position": 43}
#: a section that is long is shown from this line on, if it has it
BEGINS = {"What happened": "Battles, Battle"}
CUT = "  [...]"
INK, PAPER = (40, 40, 40), (250, 248, 242)
BLUE = (30, 70, 160)
THEME = TerminalTheme(PAPER, INK, [BLUE] * 8)
# rich's own form without the font it fetches from the net, the shadow and the buttons of a window
FORM = """<svg class="{unique_id}-picture" viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<title>A turn report, as the player of red reads it</title>
<style>
.{unique_id}-matrix {{
  font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px;
}}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
<rect fill="#faf8f2" width="{terminal_width}" height="{terminal_height}" rx="6"/>
<g transform="translate(12, 12) scale(0.965)" clip-path="url(#{unique_id}-clip-terminal)">
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def play_demo() -> str:
    """Play a demo, and return the text of a player's first report with a battle."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "demo"
        command = [sys.executable, "-m", "pbem.cli.main", "demo", "--turns", "1", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in sorted(out.glob("red/private/reports/*-red.txt")):
            text = path.read_text("utf-8")
            if "battle round 1" in text:
                return text
    raise SystemExit("nobody fought in this demo: try again")


def sections(report: str) -> list[tuple[str, list[str]]]:
    """Return the parts of a report: heading and lines, heading included; the title has none."""
    found: list[tuple[str, list[str]]] = [("", [])]
    lines = report.rstrip("\n").split("\n")
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line and set(following) == {"-"} and len(following) == len(line):
            found.append((line, []))
        found[-1][1].append(line)
    return found


def excerpt(report: str) -> list[str]:
    """Return the lines of the picture."""
    shown: list[str] = []
    for heading, lines in sections(report):
        most = SHOWN.get(heading, 0)
        while lines and not lines[-1]:
            lines = lines[:-1]
        if BEGINS.get(heading) in lines:
            lines = [*lines[:2], CUT, *lines[lines.index(BEGINS[heading]) :]]
        shown += lines[:most]
        if most:
            shown += [CUT, ""] if len(lines) > most else [""]
    return shown[:-1]


def picture(report: str) -> str:
    """Return the excerpt as an SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor")
    headings = {heading for heading, _ in sections(report)}
    for line in excerpt(report):
        console.print(Text(line, style="bold blue" if line and line in headings else ""), no_wrap=True)
    return console.export_svg(title="", theme=THEME, code_format=FORM, unique_id="report")


def main() -> None:
    report = Path(sys.argv[1]).read_text("utf-8") if len(sys.argv) > 1 else play_demo()
    PICTURE.write_text(picture(report), "utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
