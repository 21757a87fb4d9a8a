"""`pbem rules lint` looks at look.yaml too."""

from __future__ import annotations

from pathlib import Path

from tests.cli.play import pbem
from tests.nightly import in_ci


@in_ci
def test_a_sound_look_has_no_breach() -> None:
    """The conformance suite looks at all of them; this is what the command says."""
    assert "0 errors" in pbem("rules", "lint", "victory").err


def test_a_name_that_there_is_not_is_shown_in_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "look").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "look/look.yaml").write_text("look: mine\nterrain:\n  wood: {tint: wods}\n")
    said = pbem("rules", "lint", folder, code=1)
    assert (
        "mine/look/look.yaml:3:" in said.out
        and "there is no 'wods'" in said.out
        and "did you mean 'woods'?" in said.out
    )


def test_a_file_that_cannot_be_read_is_told_as_that(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "look.yaml").write_text("look: [mine\n")
    said = pbem("rules", "lint", folder, code=1)
    assert "mine/look.yaml:" in said.out
