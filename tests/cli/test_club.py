"""All games of a computer at once: one mailbox, one list, and nothing of one game stops another."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive import Folder
from pbem.archive.folder import one_command
from tests.cli.play import Seat, Table, pbem
from tests.copying import copied
from tests.unit.mail.damage import mail


class Club:
    """Six games of two systems on one computer: the GM's folders in one place, one mailbox for all."""

    def __init__(self, root: Path, tables: list[Table]) -> None:
        self.root, self.tables = root, tables
        self.games = root / "games"
        self.box = root / "Maildir"
        for part in ("cur", "new", "tmp"):
            (self.box / part).mkdir(parents=True)
        self.out = root / "out"
        self.out.mkdir()
        self.count = 0
        (self.settings / "mail.yaml").write_text(
            f"in: {{way: files, paths: [{self.box}]}}\nout: {{way: folder, folder: {self.out}}}\n"
        )

    @property
    def settings(self) -> Path:
        place = self.root / "config" / "pbem"
        place.mkdir(parents=True, exist_ok=True)
        return place

    @property
    def gms(self) -> list[Seat]:
        return [table.gm for table in self.tables]

    def into_the_box(self, data: bytes) -> Path:
        self.count += 1
        path = self.box / "new" / f"{1_700_000_000 + self.count}.M{self.count}.host"
        path.write_bytes(data)
        return path

    def orders(self, *names: str) -> list[bytes]:
        """An order of each of these players in every game, as emails that nobody has received."""
        found = []
        for table in self.tables:
            for name in names:
                seat = table.players[name]
                seat.mails()
                table.answer(seat)
                found += [path.read_bytes() for path in seat.mails()]
        return found


@pytest.fixture(scope="session")
def six(tmp_path_factory: pytest.TempPathFactory, started_open: Table, started_fog: Table) -> list[Table]:
    """Six games of two systems at their first question. Do not change them: copy them."""
    root = tmp_path_factory.mktemp("six")
    found = [started_open, started_fog]
    for number in range(4):
        table = Table(root / str(number), ("primer", "primer-fog")[number % 2], ("north", "south"))
        table.start()
        found.append(table)
    return found


def made(tables: list[Table], place: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of copies of these games, in a home of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "data"))
    monkeypatch.chdir(place)
    twins = []
    for number, table in enumerate(tables, 1):
        twin = table.copy(place / "players" / str(number))
        gm = place / "games" / f"game-{number}"
        gm.parent.mkdir(exist_ok=True)
        twin.gm.root.rename(gm)
        twin.gm = Seat(gm)
        twin.gm.mails()
        twins.append(twin)
    return Club(place, twins)


@pytest.fixture
def club(six: list[Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    return made(six, tmp_path, monkeypatch)


def _sent_by_hand(club: Club) -> None:
    """What the tables sent each other before the club began is in nobody's way."""
    pbem("mail", "out", "--in", club.games, code=None)
    for path in club.out.iterdir():
        path.unlink()


def test_one_reading_hands_each_statement_to_its_game(club: Club) -> None:
    for data in reversed(club.orders("north")):
        club.into_the_box(data)
    club.into_the_box(mail(b"shall we have lunch?"))
    said = pbem("mail", "in", "--in", club.games)
    assert said.out.count("accepted     order of north for stage 1") == 6
    assert said.err.count("Ask the sender to attach") == 1
    again = pbem("mail", "in", "--in", club.games)
    assert again.out == "" and "0 new messages" in again.err


def test_one_email_may_hold_the_orders_of_all_games(club: Club) -> None:
    club.into_the_box(mail(b"\n\n".join(club.orders("south"))))
    said = pbem("mail", "in", "--in", club.games, "--json").json
    assert [one["receipts"][0]["outcome"] for one in said["games"]] == ["taken"] * 6
    assert said["foreign"] == [] and said["messages"] == 1


def test_one_email_with_two_orders_of_one_number_for_two_games_loses_nothing(
    started_open: Table, started_fog: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are kept as proof, each game names who signed twice, and the others' orders count."""
    club = made([started_open, started_fog], tmp_path, monkeypatch)
    twins = [
        Seat(copied(table.players["north"].root, tmp_path / f"twin-{n}"))
        for n, table in enumerate(club.tables)
    ]
    sent = club.orders("north", "south")
    for table, twin in zip(club.tables, twins, strict=True):
        twin.mails()
        table.answer(twin)
        sent += [path.read_bytes() for path in twin.mails()]
    club.into_the_box(mail(b"\n\n".join(sent)))
    said = pbem("mail", "in", "--in", club.games, code=None)
    assert said.out.count("accepted     order of south") == 2
    for seat in club.gms:
        kept = Folder.open(seat.root).of(1, "order")
        assert sorted(one.sender for one in kept) == ["north", "north", "south"]
        assert "north signed two different" in seat.pbem("status").out
    assert pbem("mail", "in", "--in", club.games, code=None).out == ""


def test_a_statement_for_no_game_here_is_told_once(club: Club, six: list[Table], tmp_path: Path) -> None:
    stranger = Table(tmp_path / "stranger", "primer", ("north", "south"))
    stranger.start()
    north = stranger.players["north"]
    north.mails()
    stranger.answer(north)
    report = (stranger.gm.root / "outbox" / "stage-0000-gm-report.eml").read_bytes()
    club.into_the_box(mail(b"\n\n".join([report, north.mails()[0].read_bytes()])))
    said = pbem("mail", "in", "--in", club.games)
    assert said.out.count("is for no game here") == 1 and north.status["game"][:12] in said.out
    assert "no game here" not in pbem("mail", "in", "--in", club.games).out


def test_a_broken_game_is_named_and_gets_its_orders_once_it_is_mended(club: Club) -> None:
    broken = club.gms[2].root / "stages" / "0000" / "record.json"
    whole = broken.read_bytes()
    for data in club.orders("north"):
        club.into_the_box(data)
    broken.write_bytes(b"{")
    said = pbem("mail", "in", "--in", club.games, code=1)
    assert said.out.count("accepted     order of north for stage 1") == 5
    assert "games/game-3 did not take part" in said.out
    assert pbem("mail", "in", "--in", club.games, code=1).out.count("did not take part") == 1
    broken.write_bytes(whole)
    assert "accepted     order of north" in pbem("mail", "in", "--in", club.games).out
    assert pbem("mail", "in", "--in", club.games).out == ""


def test_status_lists_all_games_the_soonest_first(club: Club) -> None:
    said = pbem("status", "--in", club.games, "--json").json
    assert len(said["games"]) == 6 and not said["broken"]
    assert {tuple(p["id"] for p in one["parties"] if p["awaited"]) for one in said["games"]} == {
        ("north", "south")
    }
    text = pbem("status", "--in", club.games)
    assert text.out.count("-- games/game-") == 6 and text.out.count("waits for north and south") == 6
    (club.gms[0].root / "roster.json").write_bytes(b"{}")
    assert "games/game-1 did not take part" in pbem("next", "--in", club.games).out


def test_a_players_pile_of_twenty_emails_is_one_page(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports and receipts of six games and two emails of strangers: each is told once, in one list."""
    sent = club.orders("north", "south")
    for path in [*club.gms[0].root.parent.parent.glob("out/*")]:
        path.unlink()
    for data in sent:
        club.into_the_box(data)
    pbem("postmaster", "--in", club.games, "--once")
    mine = club.root / "mine"
    mine.mkdir()
    for number, table in enumerate(club.tables):
        table.players["north"].root.rename(mine / f"game-{number}")
    for part in ("cur", "new", "tmp"):
        (mine / "Maildir" / part).mkdir(parents=True)
    club.box = mine / "Maildir"
    text = (club.settings / "mail.yaml").read_text()
    (club.settings / "mail.yaml").write_text(text.replace(str(club.root / "Maildir"), str(club.box)))
    for path in club.out.iterdir():
        club.into_the_box(path.read_bytes())
    club.into_the_box(mail(b"shall we have lunch?"))
    club.into_the_box(mail(b"News: buy now!"))
    assert club.count - len(sent) >= 20
    monkeypatch.chdir(mine)
    said = pbem("mail", "in")
    assert said.out.count("accepted     report of gm for stage 1") == 6 and "already here" not in said.out
    assert said.err.count("Ask the sender to attach") == 2
    assert pbem("mail", "in").out == ""
    page, following = pbem().out.splitlines(), pbem("next").out.splitlines()
    games = [line for line in page if line.startswith("-- ")]
    assert games == [line for line in following if line.startswith("-- ")] and len(games) == 6
    assert sum(line.startswith("news: ") for line in page) == 6 and len(page) < 50
    mine_now = [line.split()[3] for line in page if line.startswith("next: pbem -C ")]
    assert mine_now and [f"-- {name}" for name in mine_now] == games[: len(mine_now)], page


def test_outside_a_folder_commands_work_over_the_games_below(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(club.games)
    assert pbem("status").out.count("-- game-") == 6
    assert "nothing new for any game" in pbem("mail", "in").err
    assert len(pbem("remind", "--json").json["files"]) == 24
    assert "would send" in pbem("mail", "out", "--dry-run").out


def test_letters_of_all_games_leave_and_none_twice(club: Club) -> None:
    _sent_by_hand(club)
    pbem("remind", "--in", club.games)
    pbem("mail", "out", "--in", club.games)
    assert len(list(club.out.iterdir())) == 12
    assert "no emails wait" in pbem("mail", "out", "--in", club.games).err
    assert len(list(club.out.iterdir())) == 12


def test_our_own_letters_in_the_mailbox_are_known(club: Club) -> None:
    for data in club.orders("north"):
        club.into_the_box(data)
    pbem("mail", "in", "--in", club.games)
    pbem("remind", "--in", club.games)
    pbem("mail", "out", "--in", club.games)
    for path in club.out.iterdir():
        club.into_the_box(path.read_bytes())
    said = pbem("mail", "in", "--in", club.games)
    assert said.out == "" and "Ask the sender" not in said.err


def test_the_record_of_a_mailbox_is_private_and_grows_by_a_mark_an_email(club: Club) -> None:
    for _ in range(3):
        club.into_the_box(mail(b"hello"))
    pbem("mail", "in", "--in", club.games)
    (place,) = (club.root / "data" / "pbem" / "mailboxes").iterdir()
    note = (place / "read.json").read_bytes()
    assert (place / "marks").stat().st_size == 3 * 16
    moved = club.into_the_box(mail(b"hello again"))
    pbem("mail", "in", "--in", club.games)
    assert (place / "marks").stat().st_size == 4 * 16 and (place / "read.json").read_bytes() == note
    moved.rename(club.box / "cur" / f"{moved.name}:2,S")  # a mail program has shown it
    assert "0 new messages" in pbem("mail", "in", "--in", club.games).err
    assert {path.stat().st_mode & 0o077 for path in place.iterdir() if path.is_file()} == {0}


def test_a_game_that_is_added_later_gets_what_came_before(
    started_open: Table, started_fog: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = made([started_open, started_fog], tmp_path, monkeypatch)
    for data in club.orders("north"):
        club.into_the_box(data)
    away = club.gms[1].root.rename(tmp_path / "away")
    assert pbem("mail", "in", "--in", club.games).out.count("accepted") == 1
    away.rename(club.gms[1].root)
    said = pbem("mail", "in", "--in", club.games).out
    assert said.count("accepted     order of north") == 1 and "game-2" in said
    assert pbem("mail", "in", "--in", club.games).out == ""


def test_while_a_command_works_in_a_game_its_emails_wait(
    started_open: Table, started_fog: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = made([started_open, started_fog], tmp_path, monkeypatch)
    for data in club.orders("north"):
        club.into_the_box(data)
    with one_command.hold(club.gms[0].root):
        assert "game-1 did not take part" in pbem("mail", "in", "--in", club.games, code=1).out
    said = pbem("mail", "in", "--in", club.games).out
    assert said.count("accepted     order of north") == 1 and "game-1" in said


def test_the_first_page_of_the_table_has_all_games_the_soonest_first_and_takes_a_pile_of_emails(
    club: Club,
) -> None:
    """A broken game is named on it, and the orders of all others arrive where they belong."""
    import html

    from pbem.cli.games.memory import Memory
    from pbem.cli.web.addresses.at_lobby import AtLobby
    from pbem.cli.web.desk import Desk
    from pbem.cli.web.intake import look_at

    desk = Desk(club.games, Memory(None))
    broken = club.gms[2].root / "stages" / "0000" / "record.json"
    whole = broken.read_bytes()
    broken.write_bytes(b"{")
    page = html.unescape(AtLobby(desk).lobby())
    assert page.count("At dawn") >= len(club.tables) - 1 and "game-3" in page
    assert "north" in page, "who is awaited"
    broken.write_bytes(whole)
    sent = [(f"{number}.eml", data) for number, data in enumerate(club.orders("north", "south"))]
    found = look_at(desk, sent)
    assert len(found.games) == len(club.tables) and found.foreign == 0
    assert all(len(reading.signed) == 2 for reading in found.games.values())
