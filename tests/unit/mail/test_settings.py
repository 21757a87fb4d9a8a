"""mail.yaml: three ways out, two ways in, no password in it, and every fault named at its place."""

from __future__ import annotations

import pytest

from pbem.mail.settings import In, Out, Password, Server, Settings, load
from pbem.text.diagnostics import Diagnostic, Refused

WHOLE = """\
out:
  way: smtp
  server: smtp.example.org
  user: ann@example.org
  password: {keyring: pbem}
in:
  way: imap
  server: imap.example.org
  user: ann@example.org
  password: {command: [pass, show, mail]}
  folder: Games
  move_to: Games/done
"""


def _load(text: str) -> Settings:
    return load(text.encode(), "mail.yaml")


def _faults(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(Refused) as told:
        _load(text)
    return told.value.diagnostics


def test_usual_ports_and_encryption_are_understood() -> None:
    found = _load(WHOLE)
    ann = "ann@example.org"
    smtp = Server("smtp.example.org", 587, "starttls", ann, Password(keyring="pbem"))
    imap = Server("imap.example.org", 993, "tls", ann, Password(command=("pass", "show", "mail")))
    assert found == Settings(Out(smtp), In(imap, "Games", "Games/done"))


def test_programs_folders_and_files() -> None:
    found = _load("out: {way: sendmail}\nin: {way: files, paths: [../mail]}\n")
    assert found == Settings(Out(program=("/usr/sbin/sendmail",)), In(paths=("../mail",)))
    assert _load("out: {way: folder, folder: drafts, cc: none}\n").out == Out(folder="drafts", cc_all=False)
    assert _load("out: {way: folder, folder: drafts, subjects: one}\n").out == Out(
        folder="drafts", one_subject=True
    )


def test_a_game_goes_before_its_user() -> None:
    game, user = _load("out: {way: folder, folder: here}\n"), _load(WHOLE)
    assert game.over(user) == Settings(game.out, user.in_)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("out: {way: smtp}\n", "missing-key", 1),
        ("out:\n  way: pigeon\n", "not-one-of", 2),
        ("out:\n  way: smtp\n  server: a.example\n  pasword: x\n", "unknown-key", 4),
        ("out:\n  way: folder\n  folder: x\n  server: a.example\n", "other-way", 4),
        ("out:\n  way: smtp\n  server: a.example\n  security: none\n", "in-the-clear", 4),
        ("in:\n  way: imap\n  server: a.example\n  user: u\n  password: open sesame\n", "wrong-type", 5),
        ("out:\n  way: smtp\n  server: a.example\n  user: ann\n", "half-a-login", 2),
        ("in: {way: files}\n", "missing-key", 1),
        (
            "out:\n  way: smtp\n  server: a.example\n  user: ann\n  password: {variable: PW}\n"
            "  token: {command: [get-token]}\n",
            "two-logins",
            6,
        ),
    ],
)
def test_a_fault_is_named_at_its_place(text: str, code: str, line: int) -> None:
    (fault,) = _faults(text)
    assert fault.code == code
    assert fault.message.startswith(f"mail.yaml:{line}:")


@pytest.mark.parametrize(
    "line",
    [
        "password: hunter2",
        "pasword: hunter2",
        "password: {variable: hunter2 }x",
        "password: {variable: 'hunter2 -'}",
        "password: {hunter2: x}",
        "password: [hunter2]",
        "password: *hunter2",
    ],
)
def test_a_password_written_down_is_not_quoted(line: str) -> None:
    faults = _faults(f"out:\n  way: smtp\n  server: a.example\n  user: u\n  {line}\n")
    assert all(fault.span is None for fault in faults)  # with a span, the line of the file would be shown
    assert "hunter2" not in str([(fault.message, fault.help, fault.notes) for fault in faults])


def test_without_encryption_only_on_this_machine() -> None:
    found = _load("out: {way: smtp, server: localhost, security: none}\n").out
    assert found is not None and found.server is not None
    assert (found.server.security, found.server.port) == ("none", 25)


def test_an_empty_file_says_nothing() -> None:
    assert _load("{}\n") == Settings()
