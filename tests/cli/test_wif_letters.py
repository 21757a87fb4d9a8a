"""How many letters a turn of `wif` takes: of each side one for each of its impulses, and two more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.cli.play import pbem
from tests.nightly import in_ci


@in_ci
def test_a_turn_of_k_impulses_takes_k_letters_and_two(tmp_path: Path) -> None:
    """6.1 With one player on each side: a letter for each impulse of his own, the letter between the turns,
    and before the first turn the opening letter. Inside an impulse the other side is never waited for."""
    game = tmp_path / "game"
    told = pbem("demo", "wif", "--turns", "1", "--out", game, "--json", HOME=str(tmp_path)).json
    impulses: Counter[str] = Counter()
    for stage in range(1, told["stages"] + 1):
        for event in pbem("-C", game / "gm", "report", stage, "--json").json["events"]:
            if event["kind"] == "impulse-began" and event["place"][0] == "Game turn 1":
                impulses[event["fields"]["side"]] += 1
    assert min(impulses.values()) >= 1
    wrote = [path.name.split("-")[2:4] for path in (game / "mails").iterdir() if "-orders-" in path.name]
    for side, count in told["letters"].items():
        assert count == sum(1 for _, who in wrote if who == side)
        assert count <= impulses[side] + 2, (side, count, impulses)
    senders = Counter(stage for stage, _ in wrote)
    both = sorted(stage for stage, count in senders.items() if count > 1)
    assert both == ["0001", f"{told['stages']:04d}"], "only between the turns both sides write"
