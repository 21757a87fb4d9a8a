"""Before a game: new, join, sign; what is refused and that nothing is left behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import SEATS
from tests.cli.play import Table, pbem, tree

WHO = ("--name", "Ann", "--mail", "ann@example.org")


@pytest.fixture
def fresh(tmp_path: Path) -> Table:
    """A GM who has just made the invitation."""
    return Table(tmp_path, "primer", SEATS)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "key")
    return tmp_path / "key"


def test_new_makes_folder_and_invitation(fresh: Table) -> None:
    names = set(tree(fresh.gm.root))
    assert {"game.yaml", ".gitignore", ".gitattributes", "private/secrets.json", "private/seal.pem"} <= names
    assert not [name for name in names if name.startswith(("stages", "roster"))]
    assert fresh.invitation.name == "at-dawn.pbem-invitation"
    assert 'title: "At dawn"' in (fresh.gm.root / "game.yaml").read_text()


@pytest.mark.skipif(os.name == "nt", reason="file modes are those of POSIX")
def test_the_private_side_is_for_its_owner_alone(fresh: Table) -> None:
    fresh.join()
    for seat in fresh.everybody:
        for path in (seat.root / "private").rglob("*"):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_no_secret_is_ever_printed(fresh: Table) -> None:
    import json

    held = json.loads((fresh.gm.root / "private" / "secrets.json").read_text())
    secrets = [value for name, value in held.items() if name in ("chain", "gm")]
    assert len(secrets) == 2
    fresh.join()
    fresh.post()
    for args in (("status",), ("status", "--json"), ("sign", "--yes"), ("verify",)):
        said = fresh.gm.pbem(*args, code=None)
        assert not [secret for secret in secrets if secret in said.out + said.err]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("primr/ford",), 1, "did you mean 'primer'?"),
        (("primer/fort",), 1, "did you mean 'ford'?"),
        (("primer/ford", "--option", "turn=3"), 1, "did you mean 'turns'?"),
        (("primer/ford", "--option", "turns=9"), 1, "option turns is '9'. Use one of: 1, 2, 3"),
        (("primer/ford", "--option", "turns"), 1, "name=value"),
        (("primer/ford", "--pair"), 1, "name your own seat"),
        (("primer/ford", "--dice", "locked", "--absent", "skip"), 1, "absent skip needs dice swift"),
        (("primer/ford", "--dice", "own"), 2, "'own'"),
        (("primer/ford", "--gm", "--pair"), 2, ", not both"),
    ],
)
def test_new_refuses_what_it_does_not_know(
    tmp_path: Path, key: Path, args: tuple[str, ...], code: int, words: str
) -> None:
    said = pbem("new", args[0], tmp_path / "game", *args[1:], *WHO, "--key", key, code=code)
    assert words in said.err
    assert not (tmp_path / "game").exists()


def test_new_wants_name_and_mail(tmp_path: Path, key: Path) -> None:
    assert "--name" in pbem("new", "primer/ford", tmp_path / "game", "--key", key, code=2).err


def test_who_has_no_key_gets_one_with_the_first_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    said = pbem("new", "primer/ford", tmp_path / "game", *WHO)
    (made,) = (tmp_path / "data").rglob("id_ed25519")
    assert "so `pbem` makes one" in said.err and str(made) in said.err
    assert pbem("key", "show", "--json").json["file"] == str(made)
    said = pbem("new", "primer/ford", tmp_path / "other", *WHO)
    assert "makes one" not in said.err, "it is used from then on"


def test_a_key_that_is_named_and_not_there_is_not_made(tmp_path: Path) -> None:
    said = pbem("new", "primer/ford", tmp_path / "game", *WHO, "--key", tmp_path / "none", code=1)
    assert "pbem key new --file" in said.err
    assert not (tmp_path / "game").exists()


def test_a_second_game_in_one_folder_is_refused(fresh: Table, key: Path) -> None:
    before = tree(fresh.gm.root)
    said = pbem("new", "primer/ford", fresh.gm.root, *WHO, "--key", key, code=1)
    assert "error[folder-in-use]" in said.err
    assert tree(fresh.gm.root) == before


def test_options_stand_in_what_everybody_signs(tmp_path: Path, key: Path) -> None:
    pbem("new", "primer/ford", tmp_path / "game", *WHO, "--key", key, "--option", "turns=3")
    assert pbem("-C", tmp_path / "game", "status", "--json").json["scenario"] == "ford turns=3"


def test_join_wants_a_seat_of_the_scenario(fresh: Table, tmp_path: Path, key: Path) -> None:
    said = pbem("join", fresh.invitation, tmp_path / "x", *WHO, "--key", key, code=2)
    assert "north, south" in said.err
    said = pbem("join", fresh.invitation, tmp_path / "x", "--as", "nroth", *WHO, "--key", key, code=1)
    assert "did you mean 'north'?" in said.err
    assert not (tmp_path / "x").exists()


def test_join_with_the_key_of_the_gm_is_refused(fresh: Table, tmp_path: Path) -> None:
    gm_key = ("--key", fresh.root / "keys" / "gm")
    said = pbem("join", fresh.invitation, tmp_path / "x", "--as", "north", *WHO, *gm_key, code=1)
    assert "error[same-key]" in said.err
    assert not (tmp_path / "x").exists()


def test_an_observer_joins_under_an_id_of_his_own(fresh: Table, tmp_path: Path, key: Path) -> None:
    pbem("join", fresh.invitation, tmp_path / "watcher", "--observer", "--as", "watcher", *WHO, "--key", key)
    fresh.join()
    mail = next((tmp_path / "watcher" / "outbox").glob("*.eml"))
    assert fresh.gm.pbem("receive", mail).lines[0].startswith("accepted")


def test_status_tells_who_has_not_joined_and_who_has_not_signed(fresh: Table) -> None:
    assert fresh.gm.pbem("status", "--exit-code", code=3).out.count("nobody has taken this seat yet") == 2
    fresh.join()
    fresh.post()
    said = fresh.gm.pbem("status")
    assert "everyone has joined" in said.out and "next: pbem sign" in said.out
    fresh.gm.pbem("sign", "--yes")
    fresh.post()
    states = {party["id"]: party["state"] for party in fresh.gm.status["parties"]}
    assert states == {"gm": "signed", "north": "not signed", "south": "not signed"}
    assert "next: pbem sign" in fresh.players["north"].pbem("status").out


def test_the_gm_cannot_sign_while_a_seat_is_free(fresh: Table) -> None:
    before = tree(fresh.gm.root)
    assert "error[seats-free]" in fresh.gm.pbem("sign", "--yes", code=1).err
    assert tree(fresh.gm.root) == before


def _to_sign(fresh: Table) -> None:
    fresh.join()
    fresh.post()
    fresh.gm.pbem("sign", "--yes")
    fresh.post()


def test_sign_shows_the_roster_and_wants_a_yes(fresh: Table) -> None:
    _to_sign(fresh)
    seat = fresh.players["north"]
    before = tree(seat.root)
    said = seat.pbem("sign", code=2)
    assert "game id   " in said.err and "SHA256:" in said.err and "--yes" in said.err
    assert tree(seat.root) == before
    seat.pbem("sign", "--yes")
    assert "roster.north.sig" in tree(seat.root)


def test_sign_compares_the_game_id(fresh: Table) -> None:
    _to_sign(fresh)
    seat = fresh.players["north"]
    game = seat.status["game"]
    before = tree(seat.root)
    assert "error[short-game-id]" in seat.pbem("sign", "--game", game[:12], code=1).err
    assert "error[other-game]" in seat.pbem("sign", "--game", "0" * 32, code=1).err
    assert tree(seat.root) == before
    seat.pbem("sign", "--game", " ".join(game[i : i + 4] for i in range(0, 40, 4)).upper())


def test_signing_twice_is_refused(fresh: Table) -> None:
    _to_sign(fresh)
    assert "error[signed-already]" in fresh.gm.pbem("sign", "--yes", code=1).err


def test_the_game_does_not_start_before_all_have_signed(fresh: Table) -> None:
    _to_sign(fresh)
    before = tree(fresh.gm.root)
    said = fresh.gm.pbem("adjudicate").err
    assert "north: has not signed the roster yet" in said and "waits" in said
    fresh.gm.pbem("adjudicate", "--exit-code", code=3)
    assert tree(fresh.gm.root) == before


def test_an_unattended_game_master_goes_on_to_his_mail_while_players_join(fresh: Table) -> None:
    """`pbem mail in && pbem adjudicate && pbem mail out` from the day of the invitation on."""
    assert "north: nobody has taken this seat yet" in fresh.gm.pbem("adjudicate").err
    fresh.join()
    fresh.post()
    assert "everyone has joined; sign the roster: pbem sign" in fresh.gm.pbem("adjudicate").err
    assert "it has not arrived yet" in fresh.players["north"].pbem("adjudicate").err


def test_the_invitation_says_who_invites_to_what(tmp_path: Path, key: Path) -> None:
    pbem("new", "victory/sarn_strait", tmp_path / "a", *WHO, "--key", key, "--title", "The Strait")
    text = next((tmp_path / "a" / "outbox").glob("*.eml")).read_text("utf-8")
    assert 'Ann (ann@example.org) invites you to play "The Strait", a board wargame.' in text
    assert "uses the program pbem" in text and "Get it from Ann" in text


def test_who_has_a_game_with_this_key_is_not_asked_again(tmp_path: Path, key: Path) -> None:
    """Name and address are those of the newest game that the key signs; another key has none."""
    pbem("new", "victory/sarn_strait", tmp_path / "a", *WHO, "--key", key)
    pbem("-C", tmp_path / "a", "status")
    pbem("new", "victory/sarn_strait", tmp_path / "b", "--key", key)
    invitation = next((tmp_path / "b" / "outbox").glob("*.eml")).read_text("utf-8")
    assert "Ann (ann@example.org) invites you" in invitation
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "other")
    ran = pbem("new", "victory/sarn_strait", tmp_path / "c", "--key", tmp_path / "other", code=2)
    assert "--name" in ran.err
    assert not (tmp_path / "c").exists()
