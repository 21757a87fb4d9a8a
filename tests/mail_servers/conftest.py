"""The servers, started once; skipped, saying why, where they cannot run."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mail_servers.servers import PASSWORD, Servers, missing, running


@pytest.fixture(scope="session", autouse=True)
def _here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home without keys or settings, no agent; the password that everybody has at the servers."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE", "PBEM_DEBUG", "NO_COLOR"):
            patch.delenv(name, raising=False)
        for name, folder in (("HOME", home), ("XDG_DATA_HOME", home / "d"), ("XDG_CONFIG_HOME", home / "c")):
            patch.setenv(name, str(folder))
        patch.setenv("PBEM_TEST_MAIL", PASSWORD)
        yield


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Postfix and Dovecot on this machine."""
    why = missing()
    if why:
        pytest.skip(why)
    root = Path(tempfile.mkdtemp(prefix="pbem-mail-"))  # pytest's own folders are closed to other users
    try:
        with running(root) as made:
            yield made
    finally:
        shutil.rmtree(root, ignore_errors=True)
