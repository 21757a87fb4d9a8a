"""From an invitation to a roster that everyone has signed."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pbem.archive.folder import layout
from pbem.archive.folder.game_folder import Folder
from pbem.archive.setting_up import before_the_game
from pbem.archive.setting_up.before_the_game import Person
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from pbem.text import canonical
from pbem.text.diagnostics import PbemError, Refused
from pbem.trust.armour import Signed
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in


def refusal(error: pytest.ExceptionInfo[Refused]) -> str:
    return error.value.diagnostics[0].code


@pytest.fixture
def fresh(tmp_path: Path) -> Table:
    """The GM has invited, both players have answered, nobody has read the other's mail."""
    return Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)


def invitation_of(table: Table) -> before_the_game.Invitation:
    (path,) = (table.gm.root / "outbox").glob("*.pbem-invitation")
    return before_the_game.read_invitation(path.read_bytes())


def test_everybody_ends_with_the_same_roster_and_all_signatures(fresh: Table) -> None:
    fresh.start()
    rosters = {(seat.root / "roster.json").read_bytes() for seat in fresh.everybody}
    assert len(rosters) == 1
    for seat in fresh.everybody:
        assert sorted(seat.folder.roster_signatures()) == ["gm", "north", "south"]
        assert seat.folder.unsigned() == ()
    assert [p.id for p in fresh.gm.folder.need_roster().parties] == ["gm", "north", "south"]


def test_what_is_private_is_readable_by_its_owner_only_and_lies_in_private(fresh: Table) -> None:
    fresh.start()
    fresh.play_stage(chooser(1))
    for seat in fresh.everybody:
        private = seat.root / "private"
        assert (private / ".gitignore").read_text().rstrip().endswith("*")
        for path in private.rglob("*"):
            if path.is_file():
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        secrets = json.loads((private / "secrets.json").read_text())
        told = [secrets["chain"], secrets.get("gm", secrets["chain"])]
        for path in seat.root.rglob("*"):
            if path.is_file() and private not in path.parents:
                text = path.read_bytes().decode("utf-8", "replace")
                assert not any(secret in text for secret in told), path
                assert "PRIVATE KEY" not in text


def test_nothing_about_the_private_side_is_printed(fresh: Table) -> None:
    private = fresh.gm.folder.private
    secret = private.gm_secret.hex()
    assert secret not in repr(private) and secret not in str(private)


def test_the_invitation_survives_being_quoted_in_a_mail(fresh: Table) -> None:
    (path,) = (fresh.gm.root / "outbox").glob("*.pbem-invitation")
    quoted = "\r\n".join(f"> {line}" for line in path.read_text().splitlines())
    assert before_the_game.read_invitation(quoted).terms == invitation_of(fresh).terms


def test_a_file_without_an_invitation_is_refused() -> None:
    with pytest.raises(Refused) as error:
        before_the_game.read_invitation(b"\xff\xfe hello")
    assert refusal(error) == "no-invitation"


def test_an_unknown_seat_is_refused_with_the_near_one(fresh: Table, tmp_path: Path) -> None:
    person = Person("Ann", "ann@example.org", signer_of("ann"))
    with pytest.raises(Refused) as error:
        before_the_game.join(tmp_path / "ann", invitation_of(fresh), "nort", person)
    assert refusal(error) == "unknown-seat"
    assert error.value.diagnostics[0].help == ("did you mean 'north'?",)
    assert not (tmp_path / "ann").exists()


def test_the_gm_cannot_play_with_his_own_key(fresh: Table, tmp_path: Path) -> None:
    with pytest.raises(Refused) as error:
        before_the_game.join(tmp_path / "twice", invitation_of(fresh), "north", fresh.gm.person)
    assert refusal(error) == "same-key"


def test_a_second_person_on_a_taken_seat_is_refused(fresh: Table, tmp_path: Path) -> None:
    fresh.post()
    late = Seat(tmp_path / "late", "late")
    before_the_game.join(late.root, invitation_of(fresh), "north", late.person)
    (receipt,) = fresh.gm.receive(*late.mails())
    assert receipt.outcome == "refused" and "taken by North" in receipt.reason


def test_a_copied_chain_or_seal_key_is_refused(fresh: Table, tmp_path: Path) -> None:
    fresh.gm.receive(*fresh.players["north"].mails())
    thief = Seat(tmp_path / "thief", "thief")
    before_the_game.join(thief.root, invitation_of(fresh), "south", thief.person)
    (signed,) = statements_in(*thief.mails())
    data = json.loads(signed.data)
    theirs = json.loads((fresh.players["north"].root / layout.JOINS / "north.json").read_bytes())
    data["body"]["anchor"] = theirs["body"]["anchor"]
    raw = canonical.dumps(data)
    found = Signed(raw, (thief.signer.sign(raw),))
    from pbem.archive.receiving.receive import receive

    (receipt,) = receive(fresh.gm.folder, [found])
    assert receipt.outcome == "refused" and "same anchor" in receipt.reason


def test_no_roster_while_a_seat_is_free(fresh: Table) -> None:
    fresh.gm.receive(*fresh.players["north"].mails())
    with pytest.raises(Refused) as error:
        before_the_game.sign_roster(fresh.gm.folder, fresh.gm.signer)
    assert refusal(error) == "seats-free" and "south" in str(error.value)
    assert not (fresh.gm.root / "roster.json").exists()


def test_a_player_does_not_take_a_roster_with_another_entry_under_his_name(fresh: Table) -> None:
    fresh.post()
    before_the_game.sign_roster(fresh.gm.folder, fresh.gm.signer)
    (signed,) = statements_in(*fresh.gm.mails())
    data = json.loads(signed.data)
    data["parties"][1]["mail"] = "mallory@example.org"
    raw = canonical.dumps(data)
    from pbem.archive.receiving.receive import receive

    north = fresh.players["north"]
    (receipt,) = receive(north.folder, [Signed(raw, (fresh.gm.signer.sign(raw),))])
    assert receipt.outcome == "refused" and "not the one you joined with" in receipt.reason
    assert not (north.root / "roster.json").exists()


def test_a_player_does_not_take_a_roster_on_other_terms(fresh: Table) -> None:
    fresh.post()
    before_the_game.sign_roster(fresh.gm.folder, fresh.gm.signer)
    (signed,) = statements_in(*fresh.gm.mails())
    data = json.loads(signed.data)
    data["absent"] = "skip"
    raw = canonical.dumps(data)
    from pbem.archive.receiving.receive import receive

    (receipt,) = receive(fresh.players["north"].folder, [Signed(raw, (fresh.gm.signer.sign(raw),))])
    assert receipt.outcome == "refused" and "differ from the invitation" in receipt.reason


def test_a_roster_the_gm_has_not_signed_is_not_taken(fresh: Table) -> None:
    fresh.post()
    before_the_game.sign_roster(fresh.gm.folder, fresh.gm.signer)
    (signed,) = statements_in(*fresh.gm.mails())
    south = Signed(signed.data, (fresh.players["south"].signer.sign(signed.data),))
    from pbem.archive.receiving.receive import receive

    (receipt,) = receive(fresh.players["north"].folder, [south])
    assert receipt.outcome == "refused" and "gm, who invited you, has not signed it" in receipt.reason


def test_nobody_signs_twice_or_with_another_key(fresh: Table) -> None:
    fresh.post()
    before_the_game.sign_roster(fresh.gm.folder, fresh.gm.signer)
    fresh.post()
    north = fresh.players["north"]
    with pytest.raises(Refused) as error:
        before_the_game.sign_roster(north.folder, signer_of("south"))
    assert refusal(error) == "other-key"
    before_the_game.sign_roster(north.folder, north.signer)
    with pytest.raises(Refused) as error:
        before_the_game.sign_roster(north.folder, north.signer)
    assert refusal(error) == "signed-already"


def test_without_a_gm_two_play_what_hides_nothing_and_the_initiator_names_his_seat(tmp_path: Path) -> None:
    person = Seat(tmp_path / "me", "north").person
    for system, seat, code in ((FOG, "north", "not-for-pair"), (SYSTEM, None, "unknown-seat")):
        with pytest.raises(Refused) as error:
            before_the_game.new_game(tmp_path / "me", system, "ford", person, dice="pair", seat=seat)
        assert refusal(error) == code
    assert not (tmp_path / "me").exists()


def test_options_stand_in_the_roster_and_shape_the_game(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, options={"turns": 1})
    assert table.gm.folder.need_roster().terms.scenario.name == "ford turns=1"
    assert table.players["north"].folder.state().options == {"turns": 1}


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_an_observer_follows_the_game_and_orders_nothing(tmp_path: Path, system: System) -> None:
    table = Table(tmp_path, system, "ford", ["north", "south"], chain_length=64)
    watcher = Seat(tmp_path / "press", "press")
    before_the_game.join(watcher.root, invitation_of(table), "press", watcher.person, role="observer")
    table.players["press"] = watcher
    table.start()
    del table.players["press"]  # asked for nothing
    table.players = {"north": table.players["north"], "south": table.players["south"]}
    for stage in range(3):
        table.play_stage(chooser(stage))
        for mail in [path for path in table.sent if path not in watcher.seen]:
            watcher.receive(mail)
            watcher.seen.add(mail)
    assert watcher.folder.head(3) == table.gm.folder.head(3)
    assert verify(watcher.root).ok
    hidden = system is FOG
    assert (watcher.root / "state.yaml").exists() is not hidden  # nobody tells him what is public of it
    assert (watcher.root / "stages/0003/report.txt").exists() is not hidden


def test_secrets_can_be_encrypted_with_a_passphrase(tmp_path: Path) -> None:
    person = Person("Gm", "gm@example.org", signer_of("gm"), passphrase="open sesame")
    before_the_game.new_game(tmp_path / "gm", SYSTEM, "ford", person, title="locked away", chain_length=64)
    pem = (tmp_path / "gm/private/seal.pem").read_text()
    assert "ENCRYPTED" in pem and not (tmp_path / "gm/private/secrets.json").exists()
    assert len(Folder.open(tmp_path / "gm", lambda _: "open sesame").private.gm_secret) == 32
    assert len(Folder.open(tmp_path / "gm", lambda _: "open sesame").private.seal_key) == 32
    with pytest.raises(PbemError):
        Folder.open(tmp_path / "gm", lambda _: "wrong").private.gm_secret  # noqa: B018
    with pytest.raises(PbemError):
        Folder.open(tmp_path / "gm").private.gm_secret  # noqa: B018


def test_comments_in_game_yaml_are_left_alone(fresh: Table) -> None:
    path = fresh.players["north"].root / "game.yaml"
    path.write_text(path.read_text() + "# we play on Thursdays\n")
    fresh.start()
    assert "# we play on Thursdays" in path.read_text()
    other = (fresh.players["south"].root / "game.yaml").read_text()
    assert "South <" not in other and '"south@example.org"' in other


def test_a_folder_that_holds_a_game_is_not_used_again(fresh: Table) -> None:
    with pytest.raises(Refused) as error:
        before_the_game.new_game(fresh.gm.root, SYSTEM, "ford", fresh.gm.person)
    assert refusal(error) == "folder-in-use"


def test_outside_a_game_folder_there_is_one_clear_refusal(tmp_path: Path) -> None:
    with pytest.raises(Refused) as error:
        Folder.open(tmp_path)
    assert refusal(error) == "no-game"


def test_a_command_works_from_inside_the_folder(fresh: Table) -> None:
    assert Folder.open(fresh.gm.root / "private").root == fresh.gm.root
