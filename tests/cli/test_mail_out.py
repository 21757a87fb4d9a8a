"""`pbem mail out`: what waits leaves once, to everybody, and never a second time unasked."""

from __future__ import annotations

import email
import os
import re
import stat
import subprocess
import sys
import time
from email import policy
from pathlib import Path

import pytest

from pbem.mail.read import read
from tests.cli.play import Seat, Table, pbem, tree
from tests.unit.mail.smtp_server import Manners, certificate, smtp_server

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ALL = ("gm@example.org", "north@example.org", "south@example.org")


def _settings(seat: Seat, text: str) -> None:
    (seat.root / "private" / "mail.yaml").write_text(text)


def _smtp(seat: Seat, port: int, more: str = "") -> None:
    _settings(seat, f"out: {{way: smtp, server: 127.0.0.1, port: {port}, security: none{more}}}\n")


def _signed(table: Table) -> Seat:
    north = table.players["north"]
    table.answer(north)
    return north


def test_without_settings_it_says_where_they_go(table: Table) -> None:
    said = _signed(table).pbem("mail", "out", code=1)
    assert "no-mail-settings" in said.err and "private/mail.yaml" in said.err
    assert not (table.players["north"].root / "private" / "mail-out.jsonl").exists()


def test_an_order_goes_to_all_and_only_once(table: Table) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        first = north.pbem("mail", "out")
        second = north.pbem("mail", "out")
    assert "sent" in first.out and "orders-rev1" in first.out
    assert "no emails wait" in second.err
    ((to, data),) = manners.mails
    assert sorted(to) == ["gm@example.org", "south@example.org"]
    message = email.message_from_bytes(data, policy=policy.default)
    assert message["Date"] and message["X-Unsent"] is None
    assert (message["To"].addresses[0].addr_spec, message["Cc"].addresses[0].addr_spec) == (ALL[0], ALL[2])
    assert len(read(data).signed) == 1


def test_what_lay_there_before_the_first_run_is_not_sent(table: Table) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        said = north.pbem("mail", "out")
        assert "older emails assumed to be sent by hand" in said.err
        assert len(manners.mails) == 1
        north.pbem("mail", "out", "roster-north", "--again")
    assert len(manners.mails) == 2
    states = {one["letter"]: one["state"] for one in north.pbem("mail", "list", "--json").json}
    assert states["outbox/join-north.eml"] == "sent"


def test_each_player_can_have_his_own_report_by_mail(table: Table) -> None:
    """`reports: own`: the text of his mail is his own report; what counts is the same in every mail."""
    _settings(table.gm, "out: {way: folder, folder: sent, reports: own}\n")
    for seat in table.players.values():
        table.answer(seat)
    table.post()
    table.gm.pbem("adjudicate")
    letters = {path.name: path for path in (table.gm.root / "private" / "letters").glob("*.eml")}
    assert sorted(letters) == [f"stage-0001-gm-report-to-{name}.eml" for name in ("north", "south")]
    assert not list((table.gm.root / "outbox").glob("stage-0001-gm-report*.eml")), (
        "nobody reads the public one"
    )
    assert not (table.gm.root / "private" / "reports").exists(), (
        "where nothing is hidden nothing is kept twice"
    )
    counts = set()
    for name, seat in table.players.items():
        path = letters[f"stage-0001-gm-report-to-{name}.eml"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        message = email.message_from_bytes(path.read_bytes(), policy=policy.default)
        assert [one.addr_spec for one in message["To"].addresses] == [f"{name}@example.org"]
        assert message["Cc"] is None
        body = message.get_body(("plain",))
        assert body is not None and f"Report for {name}" in body.get_content()
        counts.add(frozenset(one.data for one in read(path.read_bytes()).signed))
        assert "stage 1" in seat.pbem("receive", path).out
        assert f"Report for {name}" in seat.pbem("report").out
    assert len(counts) == 1
    waiting = [
        one["letter"] for one in table.gm.pbem("mail", "list", "--json").json if one["state"] == "ready"
    ]
    assert {f"private/letters/{name}" for name in letters} <= set(waiting)


def test_a_revision_that_was_replaced_is_not_sent(table: Table) -> None:
    north, manners = _signed(table), Manners()
    table.answer(north)
    with smtp_server(manners) as port:
        _smtp(north, port)
        said = north.pbem("mail", "out", "--json")
    assert [one["letter"] for one in said.json["letters"]] == ["outbox/stage-0001-north-orders-rev2.eml"]
    assert len(manners.mails) == 1


def test_a_server_that_is_away_changes_nothing_and_the_next_run_sends(table: Table) -> None:
    north, manners = _signed(table), Manners()
    _smtp(north, 1)
    said = north.pbem("mail", "out", code=1)
    assert "failed" in said.out and "can't connect to 127.0.0.1, port 1" in said.out
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
    assert len(manners.mails) == 1


def test_after_a_broken_connection_the_same_bytes_go_again_and_the_owner_is_asked_at_last(
    table: Table,
) -> None:
    north, manners = _signed(table), Manners(hang_up_after_data=True)
    name = "stage-0001-north-orders-rev1"
    with smtp_server(manners) as port:
        _smtp(north, port)
        for count in range(1, 4):
            said = north.pbem("mail", "out", code=1)
            assert "unsure" in said.out and len(manners.mails) == count
            assert f"{name} may have been sent" in north.pbem("status").out
        assert len({data for _, data in manners.mails}) == 1, "with one date and one Message-ID"
        assert len({tuple(sorted(to)) for to, _ in manners.mails}) == 1
        manners.hang_up_after_data = False
        said = north.pbem("mail", "out", code=1)
        assert "unsure" in said.out and len(manners.mails) == 3, "it is not sent for ever"
        assert f"`pbem mail out --sent {name}`" in north.pbem("status").out
        assert "sent-already" in north.pbem("mail", "out", name, code=1).err
        north.pbem("mail", "out", "--again", name)
        assert len(manners.mails) == 4
        north.pbem("mail", "out")
    assert len(manners.mails) == 4
    assert "may have been sent" not in north.pbem("status").out


def test_what_went_again_after_a_broken_connection_is_sent(table: Table) -> None:
    north, manners = _signed(table), Manners(hang_up_after_data=True)
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out", code=1)
        manners.hang_up_after_data = False
        _smtp(north, port, ", cc: none, subjects: one")  # other settings change nothing of what went before
        assert "sent" in north.pbem("mail", "out").out
        assert "no emails wait" in north.pbem("mail", "out").err
    one, two = manners.mails
    assert one == two
    assert len(read(one[1] + two[1]).signed) == 1
    assert "may have been sent" not in north.pbem("status").out


def test_the_owner_says_that_it_is_there(table: Table) -> None:
    north, manners = _signed(table), Manners(hang_up_after_data=True)
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out", code=1)
        north.pbem("mail", "out", "--sent", "stage-0001-north-orders-rev1")
        north.pbem("mail", "out")
    assert len(manners.mails) == 1


def test_an_address_that_is_refused_does_not_get_the_others_a_second_mail(table: Table) -> None:
    north, manners = _signed(table), Manners(refuse={ALL[2]: "450 try later"})
    with smtp_server(manners) as port:
        _smtp(north, port)
        assert "450 try later" in north.pbem("mail", "out", code=1).out
        manners.refuse.clear()
        north.pbem("mail", "out")
        north.pbem("mail", "out")
    assert [to for to, _ in manners.mails] == [(ALL[0],), (ALL[2],)]


def test_a_program_named_in_a_game_folder_is_not_run(table: Table, tmp_path: Path) -> None:
    """Whoever hands over a folder must not make the reader run something."""
    north, ran = _signed(table), tmp_path / "ran"
    program = f"[{sys.executable}, -c, \"open('{ran}', 'w')\"]"
    for text in (
        f"out: {{way: sendmail, program: {program}}}\n",
        f"out: {{way: smtp, server: a.invalid, user: n, password: {{command: {program}}}}}\n",
        f"in: {{way: imap, server: a.invalid, user: n, password: {{command: {program}}}}}\n",
    ):
        _settings(north, text)
        assert "program-in-game" in north.pbem("mail", text[: text.index(":")], code=1).err
    assert not ran.exists()


def test_after_a_kill_while_the_server_has_the_mail_the_same_bytes_go_again(
    table: Table, tmp_path: Path
) -> None:
    """The program dies after the mail was taken and before that could be noted."""
    north = _signed(table)
    script = north.root / "sendmail.py"
    took = tmp_path / "took"
    script.write_text(
        f"import os, signal, sys\nopen({str(took)!r}, 'wb').write(sys.stdin.buffer.read())\n"
        "os.kill(os.getppid(), signal.SIGKILL)\n"
    )
    own = tmp_path / "own.yaml"
    own.write_text(f"out: {{way: sendmail, program: [{sys.executable}, {script}]}}\n")
    code = (
        "from pbem.engine import system as s; from tests.primer import SYSTEM\n"
        "real = s.find; s.find = lambda name: SYSTEM if name == 'primer' else real(name)\n"
        "from pbem.cli.main import main; main()"
    )
    run = [sys.executable, "-c", code, "-C", str(north.root), "mail", "out", "--settings", str(own)]
    root = Path(__file__).parents[2]
    env = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run(run, cwd=root, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode == -9, done.stderr
    assert "`pbem mail out` sends the same email again" in north.pbem("status").out
    manners = Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        assert "sent" in north.pbem("mail", "out").out
    ((_, data),) = manners.mails
    assert data.replace(b"\r\n", b"\n").strip() == took.read_bytes().strip()
    assert "may have been sent" not in north.pbem("status").out


@pytest.mark.parametrize("way", ["variable", "command"])
def test_a_password_comes_from_outside_and_is_written_nowhere(table: Table, tmp_path: Path, way: str) -> None:
    north, manners = _signed(table), Manners()
    trusted, context = certificate(tmp_path)
    source = {
        "variable": "{variable: PBEM_TEST_MAIL}",
        "command": f"{{command: [{sys.executable}, -c, \"print('open sesame')\"]}}",
    }[way]
    with smtp_server(manners, starttls=context) as port:
        own = tmp_path / "own.yaml"
        own.write_text(
            f"out:\n  way: smtp\n  server: localhost\n  port: {port}\n  user: north\n"
            f"  certificates: {trusted}\n  password: {source}\n",
        )
        said = north.pbem("mail", "out", "--settings", own, PBEM_TEST_MAIL="open sesame")
    assert manners.logins == [("north", "open sesame")]
    assert not [name for name, data in tree(north.root).items() if b"open sesame" in data]
    assert "open sesame" not in said.out + said.err


def test_a_password_that_is_missing_or_wrong_is_said_without_it(table: Table, tmp_path: Path) -> None:
    north, manners = _signed(table), Manners()
    trusted, context = certificate(tmp_path)
    with smtp_server(manners, starttls=context) as port:
        _settings(
            north,
            f"out:\n  way: smtp\n  server: localhost\n  port: {port}\n  user: north\n"
            f"  certificates: {trusted}\n  password: {{variable: PBEM_TEST_MAIL}}\n",
        )
        none = north.pbem("mail", "out", code=1)
        wrong = north.pbem("mail", "out", code=1, PBEM_TEST_MAIL="hunter2")
    assert "[no-password]" in none.err and "PBEM_TEST_MAIL gives none" in none.err
    assert "localhost rejected the login of north" in wrong.out
    everything = wrong.out + wrong.err + str(tree(north.root))
    assert "hunter2" not in everything
    assert manners.mails == []


def test_a_keyring_is_asked(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    monkeypatch.setattr(keyring, "get_password", lambda service, user: {"pbem": f"secret of {user}"}[service])
    manners = Manners(secret="secret of north")
    north, (trusted, context) = _signed(table), certificate(tmp_path)
    with smtp_server(manners, starttls=context) as port:
        _settings(
            north,
            f"out: {{way: smtp, server: localhost, port: {port}, user: north, certificates: {trusted},"
            f" password: {{keyring: pbem}}}}\n",
        )
        north.pbem("mail", "out")
    assert manners.logins == [("north", "secret of north")]


def test_a_folder_takes_files_for_a_mail_program(table: Table) -> None:
    north = _signed(table)
    _settings(north, "out: {way: folder, folder: drafts, from: me@elsewhere.example}\n")
    north.pbem("mail", "out")
    (file,) = (north.root / "drafts").glob("stage-0001-north-orders-rev1-*.eml")
    data = file.read_bytes()
    assert email.message_from_bytes(data)["From"] == "me@elsewhere.example"
    assert len(read(data).signed) == 1


def test_six_games_share_a_folder_as_the_manual_says(tmp_path: Path) -> None:
    """The example of docs/mail.md, in the file for all games: no letter takes the place of another."""
    manual = (Path(__file__).parents[2] / "docs" / "mail.md").read_text("utf-8")
    (example,) = re.findall(r"^ {4}(out: \{way: folder, folder: ~/Mail/to-send\})$", manual, re.MULTILINE)
    (tmp_path / "config" / "pbem").mkdir(parents=True)
    (tmp_path / "config" / "pbem" / "mail.yaml").write_text(f"{example}\n")
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    letters: list[str] = []
    for number in range(6):
        table = Table(tmp_path / f"game {number}", "primer", ("north", "south"))
        table.start()
        table.answer(table.players["north"])
        for seat in (table.gm, table.players["north"]):
            handed = seat.pbem("mail", "out", **home).out.splitlines()
            letters += [line for line in handed if line.startswith("sent")]
    there = list((tmp_path / "Mail" / "to-send").iterdir())
    assert len(there) == len(letters) >= 12 and all(path.suffix == ".eml" for path in there)
    found = [read(path.read_bytes()).signed for path in there]
    assert len({each[0].data for each in found if each}) == len(there)


def test_without_cc_only_the_game_master_gets_it(table: Table) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port, ", cc: none")
        north.pbem("mail", "out")
        north.pbem("mail", "out")
    ((to, data),) = manners.mails
    assert to == (ALL[0],)
    assert email.message_from_bytes(data)["Cc"] is None


def test_an_invitation_goes_to_whom_the_owner_names(tmp_path: Path, table: Table) -> None:
    key = tmp_path / "key"
    pbem("key", "new", "--no-passphrase", "--file", key)
    who = ("--name", "Ann", "--mail", "ann@example.org", "--key", key)
    pbem("new", "primer/ford", tmp_path / "new", "--title", "At noon", *who)
    ann, manners = Seat(tmp_path / "new"), Manners()
    with smtp_server(manners) as port:
        _smtp(ann, port)
        assert "has no address" in ann.pbem("mail", "out").err
        assert "no-address" in ann.pbem("mail", "out", "at-noon", code=1).err
        ann.pbem("mail", "out", "--to", "bob@example.org", "at-noon")
        assert "sent-already" in ann.pbem("mail", "out", "--to", "bob@example.org", "at-noon", code=1).err
        ann.pbem("mail", "out", "--to", "cid@example.org", "at-noon")
    (to, data), (second, _) = manners.mails
    assert second == ("cid@example.org",)
    assert to == ("bob@example.org",)
    assert len(read(data).signed) == 1


def test_a_game_is_one_thread(table: Table) -> None:
    """Every mail names one and the same mail as the beginning; a reply names the report it answers."""
    _signed(table)
    ids, first = set(), set()
    for seat in table.everybody:
        for file in sorted((seat.root / "outbox").glob("*.eml")):
            message = email.message_from_bytes(file.read_bytes())
            ids.add(message["Message-ID"])
            before = (message["References"] or "").split()
            if file.name.startswith(("stage", "roster")) and before:
                first.add(before[0])
            if file.name.startswith("stage-0001-north"):
                assert before[1:] == [message["In-Reply-To"]]
    (start,) = {one for one in first if "game-" in one}
    assert start in ids
    assert all("invitation-" in one for one in first - {start})


def test_two_at_once_send_once(table: Table) -> None:
    from pbem.archive.folder import one_command

    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        with one_command.hold(north.root, one_command.MAIL):
            assert "folder-busy" in north.pbem("mail", "out", code=1).err
        assert manners.mails == []
        north.pbem("mail", "out", "--wait")
    assert len(manners.mails) == 1


def test_wait_waits_until_the_other_has_ended(table: Table) -> None:
    from threading import Thread

    from pbem.archive.folder import one_command

    north, ended = table.players["north"], []

    def hold() -> None:
        with one_command.hold(north.root):
            started.append(1)
            time.sleep(0.3)
            ended.append(1)

    started: list[int] = []
    other = Thread(target=hold)
    other.start()
    while not started:
        time.sleep(0.01)
    with one_command.hold(north.root, wait=True):
        assert ended
    other.join()


def test_a_link_writes_a_short_order(table: Table) -> None:
    from urllib.parse import parse_qs, unquote, urlsplit

    link = _signed(table).pbem("mail", "link", "stage-0001-north-orders-rev1").out.strip()
    parts = urlsplit(link)
    fields = parse_qs(parts.query)
    assert (parts.scheme, unquote(parts.path), fields["cc"]) == ("mailto", ALL[0], [ALL[2]])
    assert len(link) <= 2000
    assert len(read(fields["body"][0].encode()).signed) == 1


def test_a_report_is_too_long_for_a_link(fog: Table) -> None:
    assert "no-link" in fog.gm.pbem("mail", "link", "stage-0000-gm-report", code=1).err


def test_the_log_says_what_left_and_no_secret(table: Table) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
    log = (north.root / "private" / "mail.log").read_text()
    assert "outbox/stage-0001-north-orders-rev1.eml to 2: sent" in log


def test_a_dry_run_sends_nothing_and_writes_nothing(table: Table) -> None:
    north = _signed(table)
    before = tree(north.root)
    assert "would send outbox/stage-0001-north-orders-rev1.eml" in north.pbem("mail", "out", "--dry-run").out
    after = tree(north.root)
    assert {n: d for n, d in after.items() if "lock" not in n} == {
        n: d for n, d in before.items() if "lock" not in n
    }
