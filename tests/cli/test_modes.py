"""Games with dice locked, and of two without a GM, played by nothing but commands and mails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.play import Ran, Seat, order_file, pbem
from tests.nightly import IN_CI

SEATS = ("north", "south")


class People:
    """Seats that share nothing but mails; the first one begins the game."""

    def __init__(self, root: Path, seats: tuple[str, ...]) -> None:
        self.root = root
        self.seats = {name: Seat(root / name) for name in seats}
        for name in seats:
            pbem("key", "new", "--no-passphrase", "--file", root / "keys" / name)

    def who(self, name: str) -> tuple[str | Path, ...]:
        return ("--name", name.title(), "--mail", f"{name}@example.org", "--key", self.root / "keys" / name)

    def post(self) -> list[Ran]:
        """Everybody mails what is new to all others, who receive it, until nobody has anything to send."""
        said: list[Ran] = []
        while mails := {name: found for name, seat in self.seats.items() if (found := seat.mails())}:
            for sender, found in mails.items():
                for name, seat in self.seats.items():
                    if name != sender:
                        said.append(seat.pbem("receive", *found, code=None))
        return said

    def answer(self, name: str, code: int = 0) -> Ran:
        """The first legal answer to each question."""
        seat = self.seats[name]
        answers = {}
        for option in seat.pbem("orders", "legal", "--json", code=None).json or []:
            if option["complete"]:
                answers.setdefault(option["decision"], option["answer"])
        file = seat.root / "private" / "answers.yaml"
        file.write_text(order_file(seat, answers))
        return seat.pbem("orders", "sign", file, code=code)


def begun(root: Path, seats: tuple[str, ...], *options: str) -> People:
    """From the invitation to the last signature."""
    people = People(root, seats)
    host = people.seats[seats[0]]
    pbem("new", "primer/ford", host.root, *people.who(seats[0]), *options)
    (invitation,) = (host.root / "outbox").glob("*.pbem-invitation")
    host.mails()
    for name in seats[1:]:
        pbem("join", invitation, people.seats[name].root, "--as", name, *people.who(name))
        host.pbem("receive", *people.seats[name].mails())
    for name in seats:
        people.seats[name].pbem("sign", "--yes")
        people.post()
    return people


@pytest.fixture
def pair(tmp_path: Path) -> People:
    return begun(tmp_path, SEATS, "--pair", "--as", "north")


@pytest.fixture
def locked(tmp_path: Path) -> People:
    people = begun(tmp_path, ("gm", *SEATS), "--dice", "locked")
    people.seats["gm"].pbem("adjudicate")
    people.post()
    return people


def first_and_other(pair: People) -> tuple[str, str]:
    """Whose turn it is between two, and the other."""
    asked = next(name for name, seat in pair.seats.items() if seat.status["next"] == "pbem orders new")
    return asked, next(name for name in pair.seats if name != asked)


def stages(people: People) -> set[int]:
    return {seat.status["stage"] for seat in people.seats.values()}


def test_two_play_without_a_gm_and_the_last_link_is_given_by_receive(pair: People) -> None:
    assert stages(pair) == {0}
    asked, other = first_and_other(pair)
    assert pair.seats[asked].status["next"] == "pbem orders new"
    assert "the other player's email" in pair.seats[other].status["next"]
    pair.answer(asked)
    said = pair.post()
    assert any("signed your link without asking" in one.err for one in said)
    assert stages(pair) == {1}
    for seat in pair.seats.values():
        assert "No errors found in" in seat.pbem("verify").out


def test_who_may_not_order_yet_is_told_why(pair: People) -> None:
    for _ in range(8):
        asked = [one["id"] for one in pair.seats["north"].status["parties"]]
        waiting = [name for name, seat in pair.seats.items() if "orders first" in str(seat.status["mine"])]
        if waiting:
            break
        pair.answer(asked[0])
        pair.post()
    (name,) = waiting
    said = pair.answer(name, code=1)
    assert "not-your-turn" in said.err and "those orders have not arrived yet" in said.err


def test_a_claim_and_a_record_go_out_by_mail(pair: People) -> None:
    asked, other = first_and_other(pair)
    assert "your-turn" in pair.seats[asked].pbem("claim", code=1).err
    pair.seats[other].pbem("claim", "since spring")
    pair.seats[other].mails()
    pair.seats[asked].pbem("compare", "--write")
    mails = pair.seats[asked].mails()
    same = pair.seats[other].pbem("compare", *mails)
    assert "both records have the head" in same.out
    as_data = pair.seats[other].pbem("compare", "--json", *mails).json
    assert as_data["member"] is None and len(set(as_data["heads"].values())) == 1


def test_there_is_no_forfeit_between_two(pair: People) -> None:
    assert (
        "nobody judges deadlines" in pair.seats["north"].pbem("adjudicate", "--forfeit", "south", code=2).err
    )


def test_a_stage_with_a_lock_takes_the_gm_two_runs(locked: People) -> None:
    gm = locked.seats["gm"]
    asked = [one["id"] for one in gm.status["parties"] if one["id"] != "gm"]
    for name in asked:
        locked.answer(name)
    locked.post()
    first = gm.pbem("adjudicate")
    assert "is locked" in first.out and gm.status["stage"] == 0
    assert "email it to everyone; when all links are here" in first.err
    said = locked.post()
    assert sum("signed your link without asking" in one.err for one in said) == 2, "also who was not asked"
    assert gm.status["next"] == "pbem adjudicate"
    ran = gm.pbem("adjudicate")
    assert "ended at" in ran.out and "the .eml beside it is ready to send" in ran.err
    locked.post()
    assert stages(locked) == {1}
    for seat in locked.seats.values():
        assert "No errors found in" in seat.pbem("verify").out


def test_a_link_that_needs_a_passphrase_is_given_by_its_own_command(locked: People, tmp_path: Path) -> None:
    gm, north = locked.seats["gm"], locked.seats["north"]
    for one in gm.status["parties"]:
        locked.answer(one["id"])
    locked.post()
    gm.pbem("adjudicate")
    key = locked.root / "keys" / "north"
    hidden = key.rename(key.with_suffix(".away"))
    said = north.pbem("receive", *gm.mails())
    assert "`pbem link`" in said.err and north.status["next"] == "pbem link"
    assert not north.mails()
    north.pbem("link", "--key", hidden)
    assert [path.name for path in north.mails()] == ["stage-0001-north-link.eml"]
    assert "no-lock" not in north.pbem("status").out


def test_new_explains_the_modes_on_one_screen() -> None:
    said = pbem("new", "--modes")
    assert len(said.lines) <= 25 and max(map(len, said.lines)) <= 110
    assert all(word in said.out for word in ("swift", "locked", "pair", "one mail", "two mails"))


@pytest.mark.parametrize("dice", [pytest.param("locked", marks=IN_CI), "pair"])
def test_a_demo_in_every_mode(tmp_path: Path, dice: str) -> None:
    said = pbem("demo", "primer", "--dice", dice, "--out", tmp_path / "demo", "--json").json
    assert said["over"] and set(said["verified"].values()) == {True}


@pytest.mark.long
def test_victory_with_locks_to_its_end(tmp_path: Path) -> None:
    said = pbem(
        "demo", "victory", "--dice", "locked", "--turns", "3", "--out", tmp_path / "demo", "--json"
    ).json
    assert set(said["verified"].values()) == {True}
