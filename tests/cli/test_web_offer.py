"""The offer to give the same "nothing" for the rest of the game turn, where it was given before."""

from __future__ import annotations

from pathlib import Path

from tests import luck
from tests.cli.test_board import Sitting

NOTHING = "no action: the segment ends"


def test_the_same_nothing_a_second_time_is_offered_for_the_rest_of_the_game_turn(tmp_path: Path) -> None:
    with luck.drawn_for("nothing a second time"):
        one = Sitting(tmp_path, "ocs", "aster")
        one.choose(one.next()["question"]["key"], "first")
        one.sign()
        first = one.next()["question"]["key"]
        one.choose(first, NOTHING)
        assert one.next()["offer"] is None, "it was not given before"
        one.sign()
        row = one.next()
        second = row["question"]["key"]
        assert row["offer"] is None and second != first, "it is not given yet"
        one.choose(second, NOTHING)
        row = one.next()
        entry = {"decision": "actions", "name": f"always-actions-{row['stage']}", "until": "T", "answer": {}}
        assert row["offer"] == {
            "key": second,
            "text": f"Always answer this: {NOTHING}",
            "words": f"You are not asked again until Game Turn ends: {row['steps'][0]['text']}",
            "entry": entry,
        }
        one.post("stand", entry=entry)
        assert one.next()["offer"]["entry"] == entry and "always-actions" in one.get("state")["text"]
