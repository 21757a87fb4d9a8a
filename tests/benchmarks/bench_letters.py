"""What the mails of whole games weigh, by system: text, page, picture, statements; and their subjects.

`python -m tests.benchmarks.bench_letters [SYSTEM...] [--games N] [--out DIR] [--subjects]`: the median, what
nine mails in ten keep below, and the largest, for reports and for orders. With --out the mails stay there.
"""

from __future__ import annotations

import argparse
import email
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import policy
from email.message import Message
from pathlib import Path

from pbem.cli.games.table import Table
from pbem.engine import system as systems
from pbem.text.writing import thrown_away
from tests import luck
from tests.benchmarks.timing import play_stages

SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
PARTS = ("text", "page", "picture", "statements", "headers")
KINDS = ("report", "orders")
GOAL = 60_000
"""Bytes of a usual stage's mail (product 7)."""


@dataclass(frozen=True)
class Weighed:
    """A mail: where it lies, its subject, bytes as they travel, by part."""

    path: Path
    subject: str
    size: int
    parts: Counter[str]


def weigh(path: Path) -> Weighed:
    """What a mail weighs; a part as it is encoded in it, and what is left as headers."""
    data = path.read_bytes()
    message = email.message_from_bytes(data)
    parts: Counter[str] = Counter()
    for leaf in leaves(message):
        payload = str(leaf.get_payload())
        parts[part_of(leaf)] += len(payload.encode("utf-8", "surrogateescape").replace(b"\n", b"\r\n"))
    parts["headers"] = len(data) - sum(parts.values())
    read = email.message_from_bytes(data, policy=policy.default)
    return Weighed(path, str(read["Subject"]), len(data), parts)


def leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something."""
    return (part for part in message.walk() if not part.is_multipart())


def part_of(leaf: Message) -> str:
    """What a part of a mail is for."""
    if leaf.get_filename() and leaf.get_content_maintype() != "image":
        return "statements"
    kinds = {"text/plain": "text", "text/html": "page"}
    return kinds.get(leaf.get_content_type(), "picture")


def games(name: str, count: int, root: Path, most: int) -> Iterator[Path]:
    """Play so many stages of that many games of a system's first scenario between players who do what
    they can, each with dice of its own; gives the folders of their mails."""
    system = systems.find(name)
    scenario = system.scenarios()[0]
    title = str(system.scenario(scenario).get("title") or name)
    for number in range(count):
        with luck.drawn_for(f"letters/{name}/{number}"), thrown_away():
            table = Table(root / f"{name}-{number}", system, scenario, seed=f"letters-{number}")
            table.root.mkdir(parents=True)
            table.sit_down(title)
            for seat in table.players:
                seat.standing = system.standing_well(seat.id)
            play_stages(table, most)
            yield table.root / "mails"


def row(what: str, found: Sequence[Weighed]) -> str:
    """A line of the table; kB."""
    sizes = sorted(one.size for one in found)
    shares = [sum(one.parts[part] for one in found) / len(found) / 1000 for part in PARTS]
    over = sum(size > GOAL for size in sizes)
    told = [sizes[len(sizes) // 2], sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)], sizes[-1]]
    figures = "".join(f"{size / 1000:7.1f}" for size in told)
    return f"  {what:<24}{len(found):>5}{figures}{over:>6}  " + "".join(f"{share:>11.1f}" for share in shares)


def heading() -> str:
    """What the columns of the table are."""
    means = "".join(f"{part:>11}" for part in PARTS)
    return (
        f"  {'kB':<24}{'mails':>5}{'half':>7}{'90%':>7}{'most':>7}{'>60':>6}  {means}   (mean of each part)"
    )


def kind_of(path: Path) -> str:
    """What a mail is, by its name."""
    return next((kind for kind in KINDS if f"-{kind}" in path.name), "other")


def told(name: str, found: Iterable[Weighed], subjects: bool) -> None:
    """Print what a system's mails weigh, and maybe their subjects."""
    by_kind: dict[str, list[Weighed]] = defaultdict(list)
    for one in found:
        by_kind[kind_of(one.path)].append(one)
        if subjects:
            print(f"    {one.size:>7} {one.subject}")
    for kind in KINDS:
        if by_kind[kind]:
            print(row(f"{name}, {kind}", by_kind[kind]))


def main(smoke: bool = False, given: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="bench_letters")
    parser.add_argument("systems", nargs="*")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--subjects", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    asked = parser.parse_args(list(given))
    few = smoke or asked.smoke
    print(heading())
    with luck.patched(), tempfile.TemporaryDirectory() as scratch:
        for name in asked.systems or (SYSTEMS[:1] if few else SYSTEMS):
            for mails in games(name, asked.games, asked.out or Path(scratch), 5 if few else 9999):
                told(name, [weigh(path) for path in sorted(mails.glob("*.eml"))], asked.subjects)


if __name__ == "__main__":
    import sys

    main(given=sys.argv[1:])
