"""Options of commands and what they refuse, in a game of two players: what is said and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.games import clock
from tests import luck
from tests.cli.conftest import _here, started_open  # noqa: F401
from tests.cli.play import Table
from tests.golden.at_a_desk import Terminal

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DE = ("--lang", "de")


class Scene(Terminal):
    """A game of north and south at its first question."""

    table: Table

    def owing(self) -> str:
        """Return who owes an answer."""
        return next(name for name, seat in self.table.players.items() if seat.owes)


def the_gm_rules(at: Scene) -> None:
    for change in (
        ("--move", "n1"),
        ("--set", "steps=1"),
        ("--add", "x=7"),
        ("--add", 'x={"owner": "north"'),
        (),
        ("--remove", "zz"),
        ("--move", "zz=0102"),
        ("--track", "pints=3"),
        ("--override", "dance"),
    ):
        at.says("gm", "rule", "--reason", "a slip", *change, "--yes")
    at.says("gm", "rule", "--remove", "n1")
    at.says("north", "rule", "--remove", "n1", "--reason", "mine", "--yes")
    at.says("gm", "rule", "--remove", "n2", "--reason", "a slip")
    at.says("gm", "rule", "--remove", "n2", "--reason", "a slip", typed="n\n")
    new = ("--add", 'n9={"owner": "north", "hex": "0102", "steps": 1}', "--set", "n9.steps=2")
    at.says("gm", *DE, "rule", "--reason", "as agreed", "--track", "points.north=2", "--yes")
    at.says("gm", "rule", "--reason", "as agreed", "--remove", "s2", "--json", typed="y\n")
    at.says("gm", *DE, "rule", "--reason", "as agreed", *new, "--move", "s1=0103", "--yes")
    at.says("gm", "undo", "--yes")
    at.says("gm", "rule", "--reason", "as agreed", "--set", "s1.hex=0.5", "--set", "s1.note=0102", "--yes")
    at.says("gm", "undo", "--yes")
    at.says("gm", "rule", "--reason", "as agreed", "--remove", "s2", typed="y\n")
    at.says("gm", "amend", "list")


def changes_are_proposed(at: Scene) -> None:
    for words in (
        ("option", "absent=maybe"),
        ("option", "absent"),
        ("option", "answer_days=two"),
        ("drop", "west"),
        ("key", "--name", ""),
        ("module",),
        ("module", "--restart"),
        ("power", "italy", "north"),
        ("sign",),
        ("sign", "ffff"),
        ("takeover", "nothing.txt"),
    ):
        at.says("north", "amend", *words, "--yes")
    at.says("north", "amend", "list")
    at.says("north", "amend", "option", "answer_days=9")
    at.says("north", "amend", "option", "answer_days=9", typed="n\n")
    at.says("north", *DE, "amend", "option", "answer_days=9", typed="y\n")
    at.says("north", "amend", "list")
    at.says("north", *DE, "amend", "list")
    at.says("gm", "amend", "list")
    at.says("south", "receive", *(at.root / "north/outbox").glob("stage-*.eml"))
    at.says("south", "status")
    at.says("south", "amend", "sign", typed="n\n")
    at.says("south", *DE, "amend", "sign", typed="y\n")
    at.says("south", "amend", "sign", "--yes")
    at.says("south", *DE, "amend", "list")
    at.says("south", "undo", typed="n\n")
    at.says("south", *DE, "undo", typed="y\n")
    at.says("south", "undo", "--yes")
    for words in (("option", "turns=3"), ("drop", "south"), ("proxy",), ("key", "--name", "Anne")):
        at.says("north", "undo", "--yes")
        at.says("north", *DE, "amend", *words, "--yes")


def a_stage_is_run(at: Scene) -> None:
    me = at.owing()
    at.says("gm", "adjudicate")
    at.says("gm", "adjudicate", "--exit-code")
    at.says("gm", *DE, "adjudicate", "--dry-run")
    at.says("gm", "adjudicate", "--forfeit", "west")
    at.says("gm", "adjudicate", "--forfeit", "gm")
    at.says("gm", "adjudicate", "--out", "there")
    at.says(me, "adjudicate")
    at.says("gm", "remind")
    at.says("gm", *DE, "remind")
    at.says(me, "remind")
    at.says("gm", "ack")
    at.says("gm", "unseal")
    at.says("gm", "unseal", "--early")
    at.says("gm", "unseal", "--early", typed="n\n")
    at.says("gm", "correct")
    at.says("gm", "rewind", "5", "--yes")
    at.says("gm", "rewind", "-1", "--yes")
    at.says("gm", "next")
    at.says(me, *DE, "protest", "I have no report", "--about", "ffff")
    at.says(me, "protest", "I have no report")
    at.says("gm", "receive", *(at.root / me / "outbox").glob("*protest*.eml"))
    at.says("gm", "status")
    at.says("gm", *DE, "status", "--exit-code")
    at.says("gm", "adjudicate", "--dry-run", "--json")
    at.says("gm", "adjudicate", "--forfeit", me, "--forfeit", me, "--by", "Sunday")
    at.says("gm", "report", "--public")
    at.says("gm", "undo", "--yes")


def what_two_or_a_deputy_do(at: Scene) -> None:
    """Commands of other kinds of games are refused with the reason."""
    me = at.owing()
    for words in (
        ("link",),
        ("claim",),
        ("compare",),
        ("deputy", "handover"),
        ("deputy", "ready"),
        ("deputy", "charge"),
        ("deputy", "return"),
        ("deputy", "takeover"),
        ("plain",),
        ("plain", "--sign"),
        ("plain", "x", "--drop"),
        ("plain", "x", "--sign", "--drop"),
        ("plain", "--send", me),
        ("mail", "address", me, "tom@example.org"),
        ("orders", "again"),
        ("orders", "withdraw"),
        ("orders", "withdraw", "x"),
        ("orders", "withdraw", "--all"),
        ("board", "use", "scan.png"),
        ("board", "drop"),
        ("certificate", "c.txt"),
        ("letter", "--pass-on"),
        ("sign",),
        ("sign", "--game", "ffff"),
    ):
        at.says("gm", *words)
        at.says(me, *DE, *words)


def a_game_is_looked_at(at: Scene) -> None:
    at.table.play_stage()
    at.table.play_stage()
    at.forget()
    for words in (
        ("report", "9"),
        ("report", "--as", "west"),
        ("report", "--as", "south"),
        ("report", "1", "--public"),
        ("report", "--out", "r.doc"),
        ("report", "--out", "r.html"),
        ("report", "--format", "json", "--out", "r.txt"),
        ("report", "--public", "--out", "public.txt"),
        ("verify", "--since", "9"),
        ("verify", "--game", "ff"),
        ("verify", "--game", "f" * 32),
        ("verify", "--since", "last"),
        ("map", "--as", "south"),
        ("map", "--words"),
        ("map", "--out", "m.svg", "--hide", "x"),
        ("odds", "0101"),
        ("stats", "--public"),
        ("sequence", "--ids"),
        ("dice", "--stage", "2"),
        ("dice", "--stage", "2", "--how"),
        ("dice", "--stage", "9"),
        ("archive", "--merge", "south"),
        ("archive", "--merge", "nowhere"),
        ("book", "book", "--public"),
        ("letters",),
        ("letters", "--with", "west"),
        ("letter", "--text", "x"),
        ("letter", "--to", "south", "--public", "--text", "x"),
        ("letter", "--to", "south", "--re", "ffff", "--text", "x"),
        ("letter", "--to", "south", "--grey", "--text", "x"),
        ("letter", "--to", "south", "--text", " "),
    ):
        at.says("north", *words)
        if words[0] in ("report", "stats", "dice", "sequence", "verify") and "--out" not in words:
            at.says("north", *DE, *words)


def mail_goes_wrong(at: Scene) -> None:
    me = at.owing()
    at.says(me, "mail", "list")
    at.says(me, *DE, "mail", "out")
    at.says(me, "mail", "in")
    at.says(me, "mail", "link", "nothing.eml")
    at.says(me, "receive", "nothing.eml")
    (at.root / "lunch.eml").write_bytes(b"From: a@example.org\n\nshall we have lunch?\n")
    at.says(me, "receive", "lunch.eml")
    at.says(me, *DE, "receive", "lunch.eml")
    at.says(me, "receive", "--late", "lunch.eml")
    for settings in (
        "out: {way: pigeon}\n",
        "in: {way: imap}\nout: {way: folder}\n",
        "nonsense",
        "out: [1]\n",
    ):
        (at.root / me / "private/mail.yaml").write_text(settings)
        at.says(me, "mail", "out")
        at.says(me, *DE, "mail", "in")
    (at.root / me / "private/mail.yaml").write_text("out: {way: folder, folder: sent}\n")
    at.says(me, "mail", "out", "--try")
    at.says(me, "mail", "out", "--dry-run")
    at.says(me, "mail", "out", "no-such-letter.eml")
    letters = sorted(path.name for path in (at.root / me / "outbox").glob("*.eml"))
    at.says(me, "mail", "out", f"outbox/{letters[0]}", "--again", "--to", "x@example.org")
    at.says(me, "mail", "out", f"outbox/{letters[0]}", "--sent")
    at.says(me, "mail", "list")
    at.says(me, *DE, "mail", "list")


def keys_and_games_are_made(at: Scene) -> None:
    who = ("--name", "Ann", "--mail", "ann@example.org", "--key", "ann")
    at.says("", "key", "new", "--file", "ann", "--no-passphrase")
    at.says("", "key", "new", "--file", "ann", "--no-passphrase")
    at.says("", "key", "new", "--file", "bob", "--no-passphrase")
    at.says("", "key", "show", "--key", "nobody")
    at.says("", *DE, "key", "show", "--key", "lunch")
    for words in (
        ("primer", "gm"),
        ("primer/moon", "new-game"),
        ("moon", "new-game"),
        ("primer/ford", "new-game", "--option", "turns=9"),
        ("primer/ford", "new-game", "--option", "moons"),
        ("primer/ford", "new-game", "--pair"),
        ("primer/ford", "new-game", "--pair", "--as", "west"),
        ("primer/ford", "new-game", "--dice", "pair"),
        ("primer/ford", "new-game", "--absent", "skip", "--dice", "locked"),
    ):
        at.says("", "new", *words[:2], *who, *words[2:])
    for words in (("--play", "norht"), ("--play", "north", "--out", "gm"), ("--out", "gm")):
        at.says("", "demo", "primer", *words)
    at.says("", "new", "--modes")
    at.says("", "new", "primer/ford", "new-game", "--title", "Noon", "--option", "turns=3", *who)
    (invitation,) = (at.root / "new-game/outbox").glob("*.pbem-invitation")
    at.says("", "join", invitation, "joined", "--as", "west", *who)
    at.says("", "join", invitation, "new-game", "--as", "north", *who)
    at.says("", "join", invitation, "seen", "--as", "north", "--observer", *who)
    at.says("", *DE, "join", invitation, "joined", "--as", "north", *who)
    at.says("", *DE, "join", invitation, "joined", "--as", "north", *who[:-1], "bob")
    at.says("joined", "status")
    at.says("joined", *DE, "next")
    at.says("new-game", "status")
    at.says("new-game", "next")
    at.says("", "join", "lunch", "third", "--as", "south", *who)
    at.says("north", "key", "backup", "north/backup", PBEM_PASSPHRASE="pst")
    at.says("", "key", "restore", "north/backup", "--into", "again", PBEM_PASSPHRASE="other")
    at.says("", "key", "restore", "north/backup", "--into", "again", PBEM_PASSPHRASE="pst")
    at.says("north", "key", "restore", "north/backup", PBEM_PASSPHRASE="pst")


def newcomers_type(at: Scene) -> None:
    """Without a key and with one, under one's own name and a pseudonym, with mistakes at each question."""
    home = {"HOME": str(at.root / "home"), "SSH_AUTH_SOCK": ""}
    at.says(
        "", "new", "primer/ford", "noon", "--title", "Noon", typed="pst\npts\npst\npst\n \nAnn\nann\n", **home
    )
    at.says("", "key", "new", "--file", "gm-key", typed="\n", **home)
    who = ("--name", "Ann", "--mail", "ann@example.org", "--key", "gm-key")
    at.says(
        "", "new", "primer/ford", "noon", "--title", "Noon", "--encrypt", *who, typed="one\none\n", **home
    )
    (invitation,) = (at.root / "noon/outbox").glob("*.pbem-invitation")
    at.says("", "join", invitation, **home)
    typed = ("", "west", " NORTH ", "", "Bob", "bob at home", "bob@example.org")
    bob = {**home, "XDG_DATA_HOME": str(at.root / "bob")}
    at.says("", *DE, "join", invitation, typed="".join(f"{line}\n" for line in typed), **bob)
    at.says("noon-north", "status", **home)
    at.says("", "new", "primer/ford", "dusk", "--title", "Dusk", "--option", "gunboat=yes", *who, **home)
    (masked,) = (at.root / "dusk/outbox").glob("*.pbem-invitation")
    at.says("", "join", masked, "--as", "south", "--key", "gm-key", typed="", **home)
    typed = ("secret", "secret", "Cid", "cid@example.org")
    at.says("", "join", masked, "--as", "south", typed="".join(f"{line}\n" for line in typed), **home)


def a_stage_is_typed(at: Scene) -> None:
    """Questions with a few answers, a bid, a letter in an editor; then the GM runs the stage."""
    me = at.owing()
    at.says(me, "next", typed="3\nstorm\n1\nl\n")
    at.says(me, *DE, "next", typed="a\n\n2\ns\n")
    at.says(me, "orders", "check", "--fix")
    path = at.root / me / "private/orders-0001.yaml"
    path.write_text(path.read_text("utf-8").replace("game:", "game:\xa0").replace('"', "\u201c"), "utf-8")
    at.says(me, "orders", "check")
    at.says(me, "orders", "check", "--fix")
    at.says(me, "orders", "check", "--fix", typed="n\n")
    at.says(me, *DE, "orders", "check", "--fix", typed="y\n")
    at.says(me, "orders", "check", "--fix", "--yes", "--json")
    at.says("gm", "receive", *(at.root / me / "outbox").glob("stage-0001-*orders*.eml"))
    other = "south" if me == "north" else "north"
    at.says(other, "next", "--yes")
    at.says("gm", "receive", *(at.root / other / "outbox").glob("stage-0001-*orders*.eml"))
    at.says("gm", "next", typed="n\n")
    at.says("gm", "next", typed="\nMonday\n")
    (at.root / "draft.txt").write_text("Leave the ford.\nNorth\n", "utf-8")
    at.says("north", "letter", "--to", "south", typed="y\n", EDITOR=f"cp {at.root}/draft.txt")
    at.says("north", *DE, "letter", "--to", "gm", "--text", "Hello.", typed="n\n")
    at.says("north", "letter", "--to", "south", typed="y\n", EDITOR="true")
    at.says("gm", "letter", "--public", "--text", "Hello to all.", typed="")
    for name in ("north", "south"):
        at.says(name, "receive", *(at.root / "gm/outbox").glob("stage-0001-gm-report.eml"))
    at.says("north", "next", typed="9\n3\ns\n")
    at.says("south", "bid", "2")
    at.says("south", "bid", "1", "--json")
    at.says("south", "status")
    at.says("south", "undo", typed="y\n")


def help_is_asked_for(at: Scene) -> None:
    for words in (
        (),
        ("--help",),
        ("help",),
        ("help", "mail", "out"),
        ("orders", "legal", "--help"),
        ("map", "-h"),
    ):
        at.says("", *words)
        at.says("", *DE, *words)
    for words in (
        ("statsu",),
        ("help", "statsu"),
        ("orders",),
        ("status", "--jsno"),
        ("bid",),
        ("rewind", "x"),
    ):
        at.says("", *words)
        at.says("", *DE, *words)
    at.says("north", "bid", "7")
    at.says("north", "bid", "x" * 60)
    at.says("north")
    at.says("gm", *DE)
    at.says("", "status")
    at.says("", "status", "--json")
    (at.root / "empty").mkdir()
    at.says("", *DE, "status", "--in", "empty")
    at.says("", "mail", "in", "--in", "empty")
    at.says("north", "bid", "1", "--decision", "x")
    at.says("north", "report", "0101")
    at.says("", *DE, "next")
    at.says("north", "status", "--lang", "de")
    at.says("", "completion", "fish")


def systems_are_listed(at: Scene) -> None:
    for words in (
        ("list",),
        ("show", "wbts"),
        ("show", "victory", "firepower"),
        ("show", "victory", "fierpower"),
        ("show", "victory", "zzz"),
        ("show", "moon"),
        ("lint", "nowhere"),
        ("schemas", "victory", "bid"),
        ("schemas", "victory", "bit"),
    ):
        at.says("", "rules", *words)
    at.says("", *DE, "rules", "show", "totaler-krieg", "lodestar")
    at.says("", "rules", "show", "wif", "narrow_sea_1943", "--json")
    at.says("", *DE, "rules", "show", "diplomacy")
    at.says("", *DE, "rules", "list")


SCENES = [
    the_gm_rules,
    changes_are_proposed,
    a_stage_is_run,
    what_two_or_a_deputy_do,
    a_game_is_looked_at,
    mail_goes_wrong,
    keys_and_games_are_made,
    newcomers_type,
    a_stage_is_typed,
    help_is_asked_for,
    systems_are_listed,
]


@pytest.fixture
def at(
    started_open: Table,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Scene]:
    scene = Scene(tmp_path_factory.mktemp("scene"), monkeypatch, "")
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=1))
    scene.table = started_open.copy(scene.root)
    scene.forget()
    yield scene


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_what_is_said_in_a_game(
    at: Scene, scene: Callable[[Scene], None], golden: Callable[[str, str], None]
) -> None:
    with luck.drawn_for(scene.__name__):
        scene(at)
    golden(f"game-{scene.__name__}.txt", "\n".join(at.lines).lstrip() + "\n")
