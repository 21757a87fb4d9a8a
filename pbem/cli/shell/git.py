"""The git program, called so that neither its settings nor the user's change a byte of an archive."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha1
from pathlib import Path

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

_KEPT = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME")
_KEPT_TOO = ("GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")
_KEPT_HERE = ("GIT_CEILING_DIRECTORIES",)
_SETTINGS = (
    "core.autocrlf=false",
    "core.eol=lf",
    "core.safecrlf=false",
    "core.quotePath=false",
    "core.fsmonitor=false",
    "core.symlinks=true",
    "advice.addIgnoredFile=false",
)
_MOST_LINES = 8


class Git:
    """The git program in one folder.

    `environment` is the caller's, without what would lead elsewhere.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        ours = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}
        kept = {
            n: v
            for n, v in environment.items()
            if not n.startswith("GIT_") or n in _KEPT + _KEPT_TOO + _KEPT_HERE
        }
        self._environment = {**kept, **ours}
        self._identity: tuple[str, ...] = ()
        self.root = Path()
        self._prefix = ""

    # ---- the repository ------------------------------------------------------------------------------------

    def open(self, root: Path, name: str, mail: str, notes: list[str]) -> None:
        """Use the repository that a folder is in; make one where there is none, or it ignores the folder.

        `name` and `mail` are who commits if git does not know.
        """
        self.root = root
        inside = self._ask("rev-parse", "--is-inside-work-tree") == "true"
        if inside and self._code("check-ignore", "-q", "--", str(root)) == 0:
            inside = False
        if not inside:
            self.run("init", "-q")
            notes.append(Message("cli.git.made-a-repository", root=root))
        self._prefix = self._ask("rev-parse", "--show-prefix")
        if self._code("var", "GIT_AUTHOR_IDENT") or self._code("var", "GIT_COMMITTER_IDENT"):
            self._identity = ("-c", f"user.name={name}", "-c", f"user.email={mail}")

    @property
    def alone(self) -> bool:
        """Return True if the folder is the whole of its repository."""
        return self._prefix == ""

    def tracked(self) -> set[str]:
        """Return the files below the folder that git has, by their names below it."""
        return set(self.run("ls-files", "-z", "--cached").decode("utf-8", "surrogateescape").split("\0")) - {
            ""
        }

    def pending(self, names: Collection[str]) -> set[str]:
        """Return the files that git lacks, has changed, or does not know as removed, in one call.

        A call for each would be a process each.
        """
        if self._code("rev-parse", "-q", "--verify", "HEAD"):
            return set(names)
        changed = self.run("diff", "--name-only", "-z", "--relative", "--no-renames", "HEAD")
        listed = set(changed.decode("utf-8", "surrogateescape").split("\0"))
        return set(names) & (listed | (set(names) - self.tracked()))

    def ever(self) -> set[str]:
        """Return all names that any commit leading to HEAD has touched, from the top of the repository."""
        listed = self.run("log", "-z", "--format=", "--name-only", "-m", "--no-renames", "HEAD")
        return {name.strip("\n") for name in listed.decode("utf-8", "surrogateescape").split("\0")} - {""}

    def commit(self, names: Sequence[str], message: str) -> str | None:
        """Commit these files and nothing else, and return the commit, None if nothing has changed.

        Refused if git would store other bytes, or a hook or a signature stops it; the index is as before
        then.
        """
        if not names:
            return None
        paths = "\0".join(names).encode()
        from_stdin = ("--pathspec-from-file=-", "--pathspec-file-nul")
        try:
            self.run("add", "--force", "--all", *from_stdin, given=paths)
            changed = self.run("diff", "--cached", "--name-only", "-z", "--relative", "--no-renames")
            ours = set(names) & set(changed.decode("utf-8", "surrogateescape").split("\0"))
            if not ours:
                return None
            self._same_bytes(sorted(ours))
            list_ = self.root / "private" / "archive-paths"
            list_.write_bytes("\0".join(sorted(ours)).encode())
            try:
                where = (f"--pathspec-from-file={list_}", "--pathspec-file-nul")
                self.run(*self._identity, "commit", "-q", "--only", *where, "-F", "-", given=message.encode())
            finally:
                list_.unlink()
        except Refused:
            self._code("reset", "-q", *from_stdin, given=paths)
            raise
        return self._ask("rev-parse", "HEAD")

    def tag(self, name: str) -> list[str]:
        """Tag HEAD unless there is a tag of that name, and return the tags made."""
        if self._code("rev-parse", "-q", "--verify", f"refs/tags/{name}") == 0:
            return []
        self.run("update-ref", f"refs/tags/{name}", "HEAD", "")
        return [name]

    def bundle(self, file: Path, label: str) -> None:
        """Write HEAD and the game's tags as one file."""
        refs = self._ask("for-each-ref", "--format=%(refname)", f"refs/tags/pbem/{label}").split()
        self.run("bundle", "create", "-q", str(file), "HEAD", *refs)

    def _same_bytes(self, names: Sequence[str]) -> None:
        """Check that staged files are unchanged, byte for byte.

        Raises Refused if some setting converts line ends.
        """
        staged = self.run("ls-files", "-z", "--stage").decode("utf-8", "surrogateescape").split("\0")
        ids = {
            name: meta.split(" ")[1] for meta, _, name in (line.partition("\t") for line in staged if line)
        }
        for name in names:
            path = self.root / name
            if not path.exists() or len(ids.get(name, "")) != 40:
                continue
            data = path.read_bytes()
            if sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() != ids[name]:
                message = Message("cli.git.git-converts", name=name)
                help_ = (Message("cli.git.an-attribute-or-filter-converts-it"),)
                raise Refused(Diagnostic("git-converts", message, help=help_))

    # ---- calling it ----------------------------------------------------------------------------------------

    def run(self, *args: str, given: bytes = b"") -> bytes:
        """Return what git prints; Refused with its message if it fails."""
        done = self._call(args, given)
        if done.returncode:
            output = (done.stderr + done.stdout).decode("utf-8", "replace").strip().splitlines()
            shown = tuple(
                "".join(c if c.isprintable() else "?" for c in line) for line in output[:_MOST_LINES]
            )
            command = next(word for word in args if not word.startswith("-") and "=" not in word)
            help_ = (Message("cli.git.nothing-was-committed"),)
            raise Refused(
                Diagnostic(
                    "git-failed", Message("cli.git.git-failed", command=command), notes=shown, help=help_
                )
            )
        return done.stdout

    def _ask(self, *args: str) -> str:
        return self._call(args, b"").stdout.decode("utf-8", "replace").strip()

    def _code(self, *args: str, given: bytes = b"") -> int:
        return self._call(args, given).returncode

    def _call(self, args: Sequence[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = ["git", *settings, *args]
        try:
            return subprocess.run(
                command, cwd=self.root, env=self._environment, input=given, capture_output=True, check=False
            )
        except OSError:  # in a browser it is not FileNotFoundError
            help_ = (Message("cli.git.install-git"),)
            raise Refused(Diagnostic("no-git", Message("cli.git.git-is-not-here"), help=help_)) from None
