"""Reads the pages: blocks of code, and the directives in HTML comments that say what a test does with them.

A directive is a comment on a line of its own. Those that need a block take the fenced one that follows:

    <!-- walk: bob -->            run the block in Bob's shell (`walk: bob, exits 1`: it must end like that)
    <!-- prints -->               this is what the last walk printed; `...` stands for anything
    <!-- screen: bob, types 2 + s -->   Bob's terminal: `$ ` before commands, what he types behind questions
    <!-- file: bob NAME -->       put the block into this file, seen from where Bob stands
    <!-- mail: bob NAME to ann, cid -->   copy the file into the `mail` folders of the others
    <!-- save: NAME -->  <!-- begin: NAME -->   keep everybody's folders as they are now; go on from those
    <!-- check: PLAYER DECISION {...} given {...} -->   the block is a legal answer (or `refused: CODE`)
    <!-- standing -->             the block is a list of standing orders without a fault
    <!-- ahead -->                the block is a list of answers sent ahead without a fault
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_DIRECTIVE = re.compile(r"<!-- *(?P<name>[a-z]+)(?:: *(?P<rest>.*?))? *-->\s*")
_NEEDS_BLOCK = {"walk", "screen", "prints", "file", "check", "standing", "ahead"}


@dataclass(frozen=True)
class Block:
    """Code in a page, without its indentation."""

    language: str
    text: str


@dataclass(frozen=True)
class Step:
    """A directive with its words and, where it needs one, its block."""

    name: str
    rest: str
    block: str
    where: str


def pages() -> list[Path]:
    """Return the pages at the top and everything below docs."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def fenced(text: str) -> Iterator[tuple[int, Block]]:
    """Fenced blocks and the number of the line they begin at (from 0)."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opening = re.fullmatch(r"( *)```(\w*)", lines[at])
        if opening is None:
            at += 1
            continue
        end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == "```")
        inner = [line.removeprefix(opening[1]) for line in lines[at + 1 : end]]
        yield at, Block(opening[2], "\n".join(inner) + "\n")
        at = end + 1


def indented(text: str) -> Iterator[Block]:
    """Blocks that are indented by four blanks and stand after an empty line."""
    outside = re.sub(r"(?ms)^ *```.*?^ *```$", "", text)
    for found in re.finditer(r"(?m)(?<=\n\n)((?:    .*\n)+)", outside):
        yield Block("", re.sub(r"(?m)^    ", "", found[1]))


def blocks(text: str) -> list[Block]:
    """All code blocks of a page."""
    return [block for _, block in fenced(text)] + list(indented(text))


def steps(page: Path) -> list[Step]:
    """The directives of a page in order."""
    text = page.read_text("utf-8")
    lines = text.split("\n")
    opened = dict(fenced(text))
    found = []
    for number, line in enumerate(lines):
        directive = _DIRECTIVE.fullmatch(line.strip())
        if directive is None:
            continue
        where = f"{page.relative_to(ROOT)}:{number + 1}"
        block = ""
        if directive["name"] in _NEEDS_BLOCK:
            following = next((at for at in (number + 1, number + 2) if at in opened), None)
            assert following is not None, f"{where}: no fenced block follows"
            block = opened[following].text
        found.append(Step(directive["name"], directive["rest"] or "", block, where))
    return found
