"""`pbem archive`: the game as a history in git, in any repository, with anybody's settings (product 4)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import After
from tests.cli.play import Seat, Table, pbem, tree
from tests.cli.test_git import ARCHIVE, git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings but those of a test."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


def log(where: Path, form: str = "%s") -> list[str]:
    """The history, oldest first."""
    return [one for one in git(where, "log", "--reverse", f"--format={form}").splitlines() if one]


def files(where: Path) -> set[str]:
    return set(git(where, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")) - {""}


@pytest.fixture(params=["open", "hidden"])
def played(request: pytest.FixtureRequest, after: After) -> Table:
    return after("open" if request.param == "open" else "fog", 3)


def test_each_stage_is_a_commit_that_reads_like_a_history(played: Table) -> None:
    for seat in played.everybody:
        done = seat.pbem("archive", "--json").json
        assert [one["stage"] for one in done["commits"]] == [None, 0, 1, 2, 3]
        subjects = log(seat.root)
        assert subjects[0].endswith("the roster, signed by gm, north, south")
        assert subjects[1].startswith("Start")
        assert all(subject.startswith("GT 1") for subject in subjects[2:]), subjects
        assert all(len(subject) <= 72 for subject in subjects[1:])
        bodies = git(seat.root, "log", "--format=%b", "-1")
        assert f"head {seat.pbem('verify', '--json').json['head']}" in bodies
        assert seat.pbem("archive").lines == ["nothing new to commit"]
        assert git(seat.root, "status", "--short") == ""


def test_stages_that_come_later_are_later_commits_and_game_turns_are_tagged(table: Table) -> None:
    seat = table.gm
    told = []
    while not seat.status["finished"]:
        told.append(seat.pbem("archive").err)
        table.play_stage()
    told.append(seat.pbem("archive").err)
    seat.pbem("unseal", "--yes")
    table.post()
    assert len(seat.pbem("archive").lines) == 1
    assert log(seat.root)[-1] == "The game is over and unsealed"
    label = seat.status["game"][:12]
    assert git(seat.root, "tag").split() == [f"pbem/{label}/gt-01", f"pbem/{label}/gt-02"]
    assert [line for said in told for line in said.splitlines() if line.startswith("1 tag: ")] == [
        f"1 tag: pbem/{label}/gt-01",
        f"1 tag: pbem/{label}/gt-02",
    ]
    assert seat.status["stage"] + 3 == len(log(seat.root))


def test_variables_that_lead_git_elsewhere_lead_nowhere(table: Table, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    git(tmp_path / "there", "init", "-q")
    elsewhere = {
        "GIT_DIR": str(tmp_path / "there/.git"),
        "GIT_WORK_TREE": str(tmp_path / "there"),
        "GIT_INDEX_FILE": str(tmp_path / "there/index"),
        "GIT_AUTHOR_NAME": "Ann Other",
        "LC_ALL": "de_DE.UTF-8",
    }
    assert len(table.gm.pbem("archive", "--json", **elsewhere).json["commits"]) == 2
    assert log(table.gm.root, "%an")[-1] == "Ann Other" and "roster.json" in files(table.gm.root)
    assert not (tmp_path / "there/index").exists()


def test_only_what_all_may_read_is_committed(played: Table) -> None:
    for seat in played.everybody:
        (seat.root / "notes.txt").write_text("attack at dawn")
        (seat.root / "stages" / "mine.txt").write_text("attack at dawn")
        seat.pbem("archive")
        names = files(seat.root)
        assert [name for name in names if not ARCHIVE.fullmatch(name)] == []
        everything = subprocess.run(["git", "log", "-p", "--text"], cwd=seat.root, capture_output=True).stdout
        assert b"order of north" in everything and b"attack at dawn" not in everything


def test_a_clone_verifies_whatever_line_ends_its_owner_likes(played: Table, tmp_path: Path) -> None:
    seat = played.gm
    git(tmp_path, "init", "-q", str(seat.root))
    git(seat.root, "config", "core.autocrlf", "true")
    git(seat.root, "config", "core.eol", "crlf")
    seat.pbem("archive")
    git(
        tmp_path, "-c", "core.autocrlf=true", "clone", "-q", "--no-local", str(seat.root), str(tmp_path / "c")
    )
    verified = pbem("verify", tmp_path / "c", "--json").json
    assert verified["ok"] and verified["head"] == seat.pbem("verify", "--json").json["head"]


def test_what_git_would_convert_all_the_same_is_refused(table: Table) -> None:
    seat = table.gm
    table.play_stage()
    git(seat.root, "init", "-q")
    (seat.root / ".git/info").mkdir(exist_ok=True)
    (seat.root / ".git/info/attributes").write_text("*.yaml filter=upper\n")
    git(seat.root, "config", "filter.upper.clean", "tr a-z A-Z")
    told = seat.pbem("archive", code=1)
    assert "git would store game.yaml with different bytes" in told.err and ".git/info/attributes" in told.err
    assert git(seat.root, "status", "--short").count("A ") == 0


def test_it_works_below_other_content_and_leaves_that_alone(table: Table, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "thesis.tex").write_text("chapter one")
    (home / ".gitignore").write_text("*.json\n*.sig\n")
    git(home, "init", "-q")
    git(home, "config", "user.name", "Ann")
    git(home, "config", "user.email", "ann@example.org")
    git(home, "add", ".gitignore")
    git(home, "commit", "-q", "-m", "begin")
    git(home, "add", "thesis.tex")
    table.play_stage()
    root = home / "games" / "ford"
    shutil.copytree(table.gm.root, root)
    Seat(root).pbem("archive")
    assert git(home, "diff", "--cached", "--name-only").split() == ["thesis.tex"]
    assert "thesis.tex" not in files(home)
    assert {"games/ford/roster.json", "games/ford/stages/0001/record.json"} <= files(home)
    assert set(log(home, "%an")[1:]) == {"x@y.z"} or set(log(home, "%an")[1:]) == {"Ann"}
    bundle = tmp_path / "game.bundle"
    Seat(root).pbem("archive", "--bundle", bundle)
    git(tmp_path, "clone", "-q", str(bundle), str(tmp_path / "c"))
    assert "thesis" not in git(tmp_path / "c", "log", "-p", "--text")
    assert pbem("verify", tmp_path / "c").code == 0


def test_a_folder_that_the_repository_around_it_ignores_gets_its_own(table: Table, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    git(tmp_path, "init", "-q")
    told = table.gm.pbem("archive")
    assert "made a git repository" in told.err
    assert (table.gm.root / ".git").is_dir() and git(tmp_path, "ls-files") == ""


def test_hooks_of_the_user_run_and_may_refuse(table: Table) -> None:
    seat = table.gm
    table.play_stage()
    git(seat.root, "init", "-q")
    hook = seat.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'not on a Sunday' >&2\nexit 1\n")
    hook.chmod(0o755)
    before = {n: d for n, d in tree(seat.root).items() if not n.startswith(".git/")}
    told = seat.pbem("archive", code=1)
    assert "not on a Sunday" in told.err
    assert subprocess.run(["git", "rev-parse", "HEAD"], cwd=seat.root, capture_output=True).returncode != 0
    after = {n: d for n, d in tree(seat.root).items() if not n.startswith(".git/")}
    assert {n for n in after if after[n] != before.get(n)} <= {n for n in after if n.startswith("stages/")}
    hook.write_text("#!/bin/sh\nexit 0\n")
    seat.pbem("archive")
    assert len(log(seat.root)) == 3


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_commits_are_signed_by_who_signs_his_commits(table: Table, tmp_path: Path) -> None:
    seat, key = table.gm, tmp_path / "signing"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    git(seat.root, "init", "-q")
    wanted = {
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "commit.gpgSign": "true",
        "tag.gpgSign": "true",
    }
    for name, value in wanted.items():
        git(seat.root, "config", name, value)
    seat.pbem("archive")
    assert "gpgsig" in git(seat.root, "cat-file", "commit", "HEAD")
    git(seat.root, "config", "user.signingKey", str(tmp_path / "gone"))
    table.play_stage()
    told = seat.pbem("archive", code=1)
    assert "`git commit` failed" in told.err
    assert git(seat.root, "diff", "--cached", "--name-only") == ""


def test_who_has_no_identity_commits_under_his_name_in_the_roster(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(table.gm.root, "init", "-q")
    git(table.gm.root, "config", "user.useConfigOnly", "true")
    table.gm.pbem("archive")
    assert set(log(table.gm.root, "%an <%ae>")) == {"Gm <gm@example.org>"}


def test_secrets_that_git_has_already_are_named(table: Table) -> None:
    seat = table.gm
    git(seat.root, "init", "-q")
    git(seat.root, "add", "--force", "private/secrets.json")
    told = seat.pbem("archive", code=1)
    assert "private/secrets.json" in told.err and "git rm -r --cached private outbox" in told.err
    git(seat.root, "rm", "-r", "--cached", "-q", "private")
    (letter, *_) = sorted((seat.root / "outbox").iterdir())
    git(seat.root, "add", "--force", f"outbox/{letter.name}")
    assert f"outbox/{letter.name}" in seat.pbem("archive", code=1).err


def test_git_log_shows_counters_and_orders_and_no_signatures(table: Table) -> None:
    for _ in range(3):
        table.play_stage()
        table.gm.pbem("archive")
    shown = git(table.gm.root, "log", "-p", "-1")
    assert "BEGIN SSH SIGNATURE" not in shown and '"pbem":1' not in shown
    assert "+order of " in shown
    changed = [line for line in shown.splitlines() if line[:1] in "+-" and '"steps"' in line]
    assert all(line.count('"steps"') == 1 for line in changed)


def test_a_bundle_brings_the_whole_history_to_somebody_else(played: Table, tmp_path: Path) -> None:
    bundle = tmp_path / "ford.bundle"
    played.gm.pbem("archive", "--bundle", bundle)
    git(tmp_path, "clone", "-q", str(bundle), str(tmp_path / "c"))
    assert log(tmp_path / "c") == log(played.gm.root)
    assert pbem("verify", tmp_path / "c").code == 0


def test_nobody_archives_a_folder_that_was_handed_over(played: Table, tmp_path: Path) -> None:
    """It may bring settings and hooks of its own (protocol 12.3)."""
    copy = tmp_path / "copy"
    shutil.copytree(played.gm.root, copy, ignore=shutil.ignore_patterns("private"))
    git(copy, "init", "-q")
    git(copy, "config", "core.fsmonitor", f"touch {tmp_path / 'ran'}")
    told = pbem("-C", copy, "archive", code=1)
    assert "[no-secret]: this copy of the game has no private files" in told.err
    pbem("verify", copy)
    assert not (tmp_path / "ran").exists()


def test_without_git_it_says_so(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in table.gm.pbem("archive", code=1).err


def test_words_beside_a_statement_that_are_not_its_own_are_named(table: Table) -> None:
    seat = table.gm
    table.play_stage()
    seat.pbem("archive")
    assert "another version worded it" not in seat.pbem("verify").out
    (path, *_) = sorted(seat.root.glob("stages/0001/*-order-*.txt"))
    path.write_text(path.read_text() + "and surrenders\n")
    stray = path.with_name("north-order-9-00000000.txt")
    stray.write_text("x")
    told = seat.pbem("verify").out
    assert f"{path.name} differs from the statement" in told
    assert f"{stray.name} belongs to no statement here" in told
