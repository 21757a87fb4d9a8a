"""`pbem book`: the whole game as static pages that work from the disk and give nothing away."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.web.desk import Desk
from tests.cli.conftest import SEATS, After
from tests.cli.play import Table, pbem, tree
from tests.nightly import in_ci
from tests.practising import practising

SAMPLE = Path(__file__).parents[2] / "sample_games/victory-sarn-strait"
STAGES = sorted(path.parent.name for path in SAMPLE.glob("stages/*/record.json"))
EVIL = "</title><script>alert(1)</script>"


class Page(HTMLParser):
    """The links, anchors, scripts and headings of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [str(given[name]) for name in ("href", "src") if name in given]
        self.ids += [str(given["id"])] if "id" in given else []
        self.scripts += [given] if tag == "script" else []


def pages(root: Path) -> Iterator[tuple[Path, Page]]:
    for path in sorted(root.rglob("*.html")):
        yield path, Page(path.read_text("utf-8"))


def named(path: Path, *attributes: str) -> list[str]:
    """The values of these attributes in a page, in order; quicker than to parse it."""
    found = re.findall(rf'\s(?:{"|".join(attributes)})="([^"]*)"', path.read_text("utf-8"))
    return [unescape(one) for one in found]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of the bundled game, for all."""
    out = tmp_path_factory.mktemp("books") / "book"
    pbem("book", out, SAMPLE)
    return out


def test_it_has_pages_and_maps_of_all_stages_an_index_a_map_that_steps_and_figures(book: Path) -> None:
    assert [path.stem for path in sorted((book / "stages").iterdir())] == STAGES
    maps = sorted(path.stem for path in (book / "maps").iterdir())
    assert [name for name in maps if name.isdecimal()] == STAGES
    assert {"index.html", "map.html", "figures.html", "style.css"} <= {path.name for path in book.iterdir()}


def test_every_link_leads_to_something_in_the_book(book: Path) -> None:
    ids = {path: named(path, "id") for path in sorted(book.rglob("*.html"))}
    for path, own in ids.items():
        assert len(own) == len(set(own)), f"{path.name}: an id stands twice"
        for link in set(named(path, "href", "src")):
            name, _, anchor = link.partition("#")
            goal = (path.parent / name).resolve() if name else path
            assert goal.is_file() and goal.is_relative_to(book), f"{path.name}: {link}"
            if anchor and not re.fullmatch(r"s[0-9]+", anchor):
                assert anchor in ids.get(goal, ()), f"{path.name}: {link}"


def test_nothing_is_fetched_and_no_path_of_this_machine_is_in_it(book: Path) -> None:
    for name, data in tree(book).items():
        text = data.decode("utf-8").replace("http://www.w3.org/2000/svg", "")
        for word in ("http:", "https:", "file://", "//cdn", "@import", str(book), "/tmp/", "/work/"):
            assert word not in text, f"{name}: {word}"


def test_the_index_goes_by_game_turn_and_names_every_stage(book: Path) -> None:
    page = Page((book / "index.html").read_text("utf-8"))
    assert [id for id in page.ids if id.startswith("turn-")] == ["turn-1", "turn-2", "turn-3", "turn-4"]
    assert {f"stages/{name}.html" for name in STAGES} <= set(page.links)
    assert "The game is over" in (book / "index.html").read_text("utf-8")


def test_the_map_steps_through_every_stage_and_works_without_its_script_as_links(book: Path) -> None:
    text = (book / "map.html").read_text("utf-8")
    found = re.search(r'<script type="application/json" id="frames">(.*?)</script>', text, re.S)
    assert found is not None
    frames = json.loads(found[1])
    assert [frame["map"] for frame in frames] == [f"maps/{n:04}.svg" for n in range(len(frames))]
    assert all(f'href="{frame["page"]}#position"' in text for frame in frames)
    assert re.search(r'id="stepper"[^>]* hidden', text), "what needs the script is not shown without it"


def test_the_book_goes_by_player_turns_that_say_what_happened(book: Path) -> None:
    text = (book / "index.html").read_text("utf-8")
    titles = re.findall(r'<a class="act" href="stages/[0-9]{4}.html">([^<]+)</a>', text)
    assert len(titles) > 8 and any(" took " in title and " from " in title for title in titles)
    assert re.search(r'href="stages/[0-9]{4}.html#battle-1">[0-9]{4}[^<]*</a>', text)
    assert '<li class="quiet">Also: <a href="stages/0000.html">' in text
    assert ".;" not in text


def test_it_tells_how_the_game_ended_and_what_led_to_it(book: Path) -> None:
    index, figures, careers, hidden = (
        (book / f"{name}.html").read_text("utf-8") for name in ("index", "figures", "careers", "hidden")
    )
    ended = index.split("How it ended")[1].split("</ul>")[0]
    assert re.search(r"Red: [0-9]+ points", ended) and "28 or more: Red victory" in ended
    assert re.search(
        r'The moments that moved the score most</h3>\n<ol class="decisive">\n<li><a href="stages/', index
    )
    assert "battles with the most losses" not in index, "the moments name them"
    assert figures.count('<svg class="chart"') == 3 and 'src="maps/losses.svg"' in figures
    assert re.search(r'id="u-R-[A-Z0-9]+"><summary>R-[A-Z0-9]+ [^<]*: [0-9]+ moves, [0-9]+ battles', careers)
    unknown = hidden.split("What Red did not know")[1].split("</section>")[0]
    assert "<td>Blue" in unknown and "<td>Red" not in unknown, "his own he knew"


def test_a_counter_of_the_order_of_battle_leads_to_its_career(book: Path) -> None:
    assert 'href="../careers.html#u-R-' in (book / "stages/0001.html").read_text("utf-8")


def test_after_the_unseal_the_map_can_be_seen_through_each_player_s_eyes(book: Path) -> None:
    """And what stands only in another's map is not in his."""
    page = (book / "map.html").read_text("utf-8")
    assert '<option value="red">' in page and '<option value="green">' in page
    whole, red = ((book / f"maps/{name}.svg").read_text("utf-8") for name in ("0001", "0001-red"))
    assert whole != red and len(red) < len(whole), "counters that are only counted have no face"


def test_the_same_archive_gives_the_same_bytes_wherever_it_is_made_and_is_only_read(
    after: After, tmp_path: Path
) -> None:
    table = after("open", 1)
    copy, before = tmp_path / "copy", tree(table.gm.root)
    shutil.copytree(table.gm.root, copy)
    table.gm.pbem("book", tmp_path / "one")
    pbem("book", tmp_path / "two", copy, TZ="Asia/Tokyo", LC_ALL="C", COLUMNS="40")
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert tree(table.gm.root) == tree(copy) == before


@in_ci
def test_it_can_be_for_one_reader_and_in_german(tmp_path: Path) -> None:
    pbem("book", tmp_path / "out", SAMPLE, "--as", "red", "--lang", "de")
    page = (tmp_path / "out/stages/0005.html").read_text("utf-8")
    assert 'lang="de"' in page and "Bericht für Rot" in page
    assert "G-IN1" not in page, "what red did not see is not in his book"


def test_a_player_writes_a_book_of_what_he_knows_that_nobody_else_reads(after: After, tmp_path: Path) -> None:
    fog = after("fog", 1)
    ran = fog.players["north"].pbem("book", tmp_path / "mine")
    assert "publish it once the game is unsealed" in ran.err
    files = [path for path in (tmp_path / "mine").rglob("*") if path.is_file()]
    assert files and all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert (tmp_path / "mine/.gitignore").read_text("utf-8").splitlines()[-1] == "*"
    assert "n1" in (tmp_path / "mine/stages/0000.html").read_text("utf-8")


def test_the_public_book_is_the_same_from_every_folder_and_holds_no_secret(
    after: After, tmp_path: Path
) -> None:
    fog = after("fog", 1)
    made: list[Any] = []
    for n, seat in enumerate(fog.everybody):
        seat.pbem("book", tmp_path / str(n), "--public")
        made.append(tree(tmp_path / str(n)))
    assert made[0] == made[1] == made[2]
    assert not any(
        re.search(rb"\b[ns][12]\b", re.sub(rb"[A-Za-z0-9+/=]{40,}", b"", data))  # base64 reads like anything
        for name, data in made[0].items()
        if name.endswith("html")
    )
    assert ".gitignore" not in made[0]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_public_book_in_the_place_of_a_private_one_can_be_read_by_all(fog: Table, tmp_path: Path) -> None:
    north, out = fog.players["north"], tmp_path / "out"
    north.pbem("book", out)
    north.pbem("book", out, "--public")
    usual = stat.S_IMODE(tmp_path.stat().st_mode)
    (tmp_path / "usual").write_text("")
    assert stat.S_IMODE(out.stat().st_mode) == usual and not (out / ".gitignore").exists()
    wanted = stat.S_IMODE((tmp_path / "usual").stat().st_mode)
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.rglob("*.html")} == {wanted}
    assert tree(out) == _public(fog, tmp_path / "fresh")


def _public(fog: Table, out: Path) -> dict[str, bytes]:
    fog.gm.pbem("book", out, "--public")
    return tree(out)


def test_of_a_game_that_goes_on_a_stranger_gets_a_book_of_public_events(after: After, tmp_path: Path) -> None:
    fog = after("fog", 1)
    copy = tmp_path / "copy"
    shutil.copytree(fog.gm.root, copy, ignore=shutil.ignore_patterns("private", "outbox", "inbox"))
    ran = pbem("book", tmp_path / "out", copy)
    assert "Public report" in ran.err
    assert (tmp_path / "out/stages/0001.html").is_file() and not (tmp_path / "out/maps").exists()
    refused = pbem("book", tmp_path / "no", copy, "--as", "north", code=1).err
    assert "this archive doesn't contain north's view" in refused
    assert not (tmp_path / "no").exists()


def test_names_of_people_and_games_are_text_and_nothing_else(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", SEATS, "--title", EVIL, "--name", EVIL)
    table.start()
    table.gm.pbem("book", tmp_path / "out")
    for path, page in pages(tmp_path / "out"):
        assert all("src" in one or one.get("type") == "application/json" for one in page.scripts), path
        assert "alert" not in page.tags and "<script>alert" not in path.read_text("utf-8"), path
    assert "alert(1)" in (tmp_path / "out/index.html").read_text("utf-8"), "the name is shown, as text"


def test_a_newer_book_takes_the_place_of_an_older_one_and_of_nothing_else(
    table: Table, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    table.gm.pbem("book", out)
    manifest = json.loads((out / "book.json").read_text())
    manifest["files"] += ["stages/0999.html", "../kept.txt", "/etc/passwd", "notes.txt", 7]
    (out / "book.json").write_text(json.dumps(manifest))
    for name in ("stages/0999.html", "notes.txt", "../kept.txt"):
        (out / name).write_text("x")
    table.gm.pbem("book", out)
    assert not (out / "stages/0999.html").exists()
    assert (out / "notes.txt").exists() and (tmp_path / "kept.txt").exists()


def test_a_folder_with_anything_else_in_it_is_left_alone(table: Table, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.txt").write_text("years of work")
    assert "is not empty and contains no book" in table.gm.pbem("book", full, code=1).err
    assert tree(full) == {"thesis.txt": b"years of work"}


def test_an_archive_that_is_not_sound_is_refused_and_nothing_written(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SAMPLE, copy)
    record = copy / "stages/0007/record.json"
    record.write_text(record.read_text().replace('"forfeits": []', '"forfeits": ["red"]'))
    ran = pbem("book", tmp_path / "out", copy, code=1)
    assert (
        "the archive is false: stage 7: record.json differs from the signed report" in ran.err
        and "pbem verify" in ran.err
    )
    assert not (tmp_path / "out").exists()


def test_its_result_as_data(fog: Table, tmp_path: Path) -> None:
    data = fog.gm.pbem("book", tmp_path / "out", "--json").json
    assert data["reader"] == "gm" and data["secret"] is True
    assert str((tmp_path / "out/index.html").absolute()) in data["written"]


@pytest.mark.parametrize(
    ("who", "options", "eyes"),
    [("gm", (), {"red", "blue", "green"}), ("gm", ("--public",), set()), ("red", (), set())],
)
def test_before_the_unseal_only_the_gm_sees_the_map_through_each_players_eyes(
    tmp_path: Path, who: str, options: tuple[str, ...], eyes: set[str]
) -> None:
    place = Desk(tmp_path / "games")
    game = place.open(practising(place, "victory", "red")).root.parent
    pbem("-C", game / who, "book", tmp_path / "out", *options)
    page = (tmp_path / "out" / "map.html").read_text("utf-8")
    maps = {path.stem.partition("-")[2] for path in tmp_path.glob("out/maps/0*.svg")}
    assert set(re.findall(r'<option value="(\w+)">', page)) == maps - {""} == eyes
