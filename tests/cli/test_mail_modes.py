"""Every dice mode by mail alone: all write to one mailing list and read it, with `mail out` and `mail in`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_modes import SEATS, People, begun, stages


@pytest.fixture(params=["swift", "locked", "pair"])
def people(request: pytest.FixtureRequest, tmp_path: Path) -> People:
    """A game at its first question, and a list that everybody writes to and reads."""
    if request.param == "pair":
        made = begun(tmp_path, SEATS, "--pair", "--as", "north")
    else:
        made = begun(tmp_path, ("gm", *SEATS), "--dice", request.param)
        made.seats["gm"].pbem("adjudicate")
        made.post()
    box = tmp_path / "list"
    for part in ("cur", "new", "tmp"):
        (box / part).mkdir(parents=True)
    for seat in made.seats.values():
        text = f"out: {{way: folder, folder: {box}}}\nin: {{way: files, paths: [{box}]}}\n"
        (seat.root / "private" / "mail.yaml").write_text(text)
    return made


def _round(people: People) -> None:
    """Everybody runs the two commands until the list is silent; the GM adjudicates in between."""
    box = people.root / "list" / "new"
    while True:
        before = len(list(box.iterdir()))
        for name, seat in people.seats.items():
            seat.pbem("mail", "in")
            if name == "gm":
                seat.pbem("adjudicate")
            seat.pbem("mail", "out")
        if len(list(box.iterdir())) == before:
            return


@pytest.mark.long
def test_three_stages_travel_by_list(people: People) -> None:
    _round(people)
    for _ in range(3):
        before = stages(people)
        for name, seat in [*people.seats.items()] * 2:  # between two, one may have to wait for the other
            if stages(people) == before and seat.status["mine"]:
                people.answer(name, code=None)  # type: ignore[arg-type]
                _round(people)
        assert stages(people) != before and len(stages(people)) == 1
    sent = {
        one["letter"]: one["state"]
        for seat in people.seats.values()
        for one in seat.pbem("mail", "list", "--json").json
    }
    assert not [name for name, state in sent.items() if state in ("ready", "unsure", "partly")]
    for seat in people.seats.values():
        seat.pbem("verify")
