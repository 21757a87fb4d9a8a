"""An archive as one git bundle for email: safe to inspect, since it has no settings and no hooks."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pbem.archive import Folder, commits
from pbem.cli.shell.git import Git
from pbem.cli.shell.language import spoken
from pbem.text.messages import Message


def write_bundle(folder: Folder, git: Git, file: Path, environment: Mapping[str, str]) -> list[str]:
    """Write the history of the archive to a file, and return what its reader should know.

    Where the repository has, or ever had, anything but the game in it, the bundle holds the game alone,
    without its history: what else is there is nobody's business.
    """
    if git.alone and commits.only_ours(git.ever()):
        git.bundle(file, folder.need_roster().game[:12])
        return [Message("cli.bundle.others-clone-it", file=file.name)]
    with tempfile.TemporaryDirectory(prefix="pbem-") as scratch:
        root = Path(scratch) / "game"
        for name in sorted(commits.published(folder)):
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder.root / name, target)
        (root / "private").mkdir()
        entry = folder.need_roster().by_id[folder.need_me()]
        alone = Git({**environment, "GIT_CEILING_DIRECTORIES": scratch})
        alone.open(root, entry.name, entry.mail, [])
        title = folder.need_roster().terms.title
        subject = spoken(Message("cli.bundle.up-to-stage", title=title, stage=folder.stage))
        alone.commit(sorted(commits.published(folder)), f"{subject}\n")
        alone.bundle(file, folder.need_roster().game[:12])
    return [
        Message("cli.bundle.without-history"),
        Message("cli.bundle.others-clone-it", file=file.name),
    ]
