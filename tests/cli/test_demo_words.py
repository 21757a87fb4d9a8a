"""`pbem demo` in words and as data: who hosts, what is verified, the page to look at, what can be tried."""

from __future__ import annotations

from pathlib import Path

from tests import luck
from tests.cli.play import pbem


def test_a_demo_between_two_has_no_game_master(tmp_path: Path) -> None:
    """Both archives are verified; the first player's is shown, and hosts."""
    root = tmp_path / "game"
    with luck.drawn_for("a demo between two"):
        said = pbem("demo", "primer", "--turns", "1", "--dice", "pair", "--out", root).out
    stages = len(list((root / "north" / "stages").iterdir())) - 1
    assert said.startswith("stage   1  (Game turn 1, ") and said.count("\nstage ") == stages - 1
    assert f"The ford at dawn: north and south played {stages} stages\n" in said
    assert f"they wrote {len(list((root / 'mails').iterdir()))} emails; their archives are verified" in said
    assert "with orders: north 2, south 2\nnow: Game turn 2, Card choice\n" in said
    files = {line.split()[0]: line.split()[1] for line in said.split("\n\n")[2].splitlines()}
    assert files["folder"] == str(root) and Path(files["report"]).name == f"{stages:04d}-north.txt"
    (page,) = (root / "north").rglob("*.html")
    assert files["page"] == str(page) and page.stat().st_mode & 0o777 == 0o600
    me = f"  pbem -C {root}/north"
    assert said.endswith(f"try next\n{me} status\n{me} orders new\n{me} verify\n")
    for party in ("north", "south"):
        pbem("-C", root / party, "verify")


def test_the_page_of_a_demo_is_the_one_of_its_fullest_stage(tmp_path: Path) -> None:
    """Not that of the last one; of a fuller stage the page takes the place of the earlier one."""
    root = tmp_path / "game"
    with luck.drawn_for("a demo as data"):
        said = pbem("demo", "primer-fog", "--turns", "1", "--out", root, "--json").json
    assert said["players"] == ["north", "south"] == sorted(said["letters"]) and not said["over"]
    assert (said["verified"], said["host"]) == ({"gm": True, "north": True}, "gm")
    assert (said["folder"], said["first"]) == (str(root), str(root / "north"))
    assert said["mails"] == len(list((root / "mails").iterdir()))
    reports = root / "north" / "private" / "reports"
    assert said["report"] == str(reports / f"{said['stages']:04d}-north.txt")
    (page,) = reports.glob("*.html")
    opened = [path.stem for path in reports.glob("*.txt") if "played storm" in path.read_text("utf-8")]
    assert said["page"] == str(page) and [page.stem] == opened != [Path(said["report"]).stem]
