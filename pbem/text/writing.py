"""Writing a set of files so that after a failure none of them is half there.

Every file is written under a temporary name in its own folder and forced to the disk; only when all are there
are they renamed, one after the other, and the folders forced to the disk.
"""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message

#: How temporary files are called: this, a number, and `.tmp`.
TEMPORARY = ".pbem-"


_FORCED = [True]
_MANY = 60  # above this many files, one sync of the whole disk is quicker


@contextmanager
def thrown_away() -> Iterator[None]:
    """Allow losing files written inside in a power failure, as in games played only for show."""
    _FORCED.append(False)
    try:
        yield
    finally:
        _FORCED.pop()


class NotWritten(PbemError):
    """Files that could not be written.

    `path` is the one at fault, `done` those that were already in place.
    """

    def __init__(self, path: Path, reason: str, done: tuple[Path, ...] = ()) -> None:
        super().__init__(Message("text.writing.cannot-write", path=path, reason=reason))
        self.path = path
        self.done = done


def write_all(files: Mapping[Path, bytes], private: Collection[Path] = ()) -> None:
    """Write all files or none; makes missing folders.

    The paths in `private` (each also in `files`) can be read by their owner only, from the first moment;
    other files keep the permissions they had. Raises `NotWritten`; the old files are then as they were
    and nothing new is left over. Only if a rename fails after another one succeeded, which a rename in
    one folder hardly does, are some files new: `done` names them. A process killed between two renames
    leaves the same, one killed before may leave temporary files.
    """
    assert set(private) <= set(files), "a private file is one of those written"
    job = _Job()
    path = Path()
    shared = {path.parent for path in files if path not in private}
    try:
        for path in files:
            job.prepare(path, files[path], path in private, path.parent not in shared)
        for path in files:
            job.put_in_place(path)
        job.finish()
    except OSError as error:
        job.clean_up()
        raise NotWritten(path, (error.strerror or str(error)).lower(), tuple(job.done)) from error
    except BaseException:
        job.clean_up()
        raise


def write_new(path: Path, content: bytes, beside: Path | None = None) -> None:
    """Write a file that is not there, whole or not at all; nothing is done if the same one is there.

    `beside` is the name it has until it is whole. FileExistsError for another file of that name, else as
    `write_all`.
    """
    if _is_there(path, content):
        return
    draft = beside or path.with_name(f"{TEMPORARY}{path.name}.tmp")
    write_all({draft: content})
    try:
        _name_once(draft, path)
    except FileExistsError:
        if not _is_there(path, content):
            raise
    except OSError as error:
        raise NotWritten(path, (error.strerror or str(error)).lower()) from error
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def _is_there(path: Path, content: bytes) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return data == content


def _name_once(draft: Path, path: Path) -> None:
    """Give a file a second name that no file has; write it anew where file systems have no second names."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        with path.open("xb") as file:
            file.write(draft.read_bytes())
            file.flush()
            os.fsync(file.fileno())


class _Job:
    def __init__(self) -> None:
        self.done: list[Path] = []
        self._temporary: dict[Path, str] = {}
        self._made: list[Path] = []  # folders, outermost first
        self._there: set[Path] = set()  # folders
        self._number = 0  # in the next temporary name

    def prepare(self, path: Path, content: bytes, is_private: bool, alone: bool) -> None:
        """Write one file under its temporary name; `alone` with private ones in its folder."""
        try:
            before: int | None = os.stat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            before = None
        if before is not None and stat.S_ISDIR(before):
            raise IsADirectoryError(0, Message("text.writing.folder-name"))
        if before is not None and not stat.S_ISREG(before):
            raise FileExistsError(0, Message("text.writing.device-name"))
        folder = path.parent
        if folder not in self._there:
            self._make_folder(folder, 0o700 if alone else 0o777)
            self._there.add(folder)
        descriptor = self._create(path, folder, 0o600 if is_private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            if not is_private and before is not None:
                os.chmod(self._temporary[path], stat.S_IMODE(before))
            file.write(content)
            file.flush()
            if _FORCED[-1]:
                os.fsync(file.fileno())

    def _create(self, path: Path, folder: Path, mode: int) -> int:
        """Open a new file in the folder of `path` for writing; `mode` is reduced by the umask."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        while True:
            temporary = f"{folder}{os.sep}{TEMPORARY}{self._number}.tmp"
            self._number += 1
            with suppress(FileExistsError):
                descriptor = os.open(temporary, flags, mode)
                self._temporary[path] = temporary
                return descriptor

    def put_in_place(self, path: Path) -> None:
        """Give one prepared file its name."""
        os.replace(self._temporary[path], path)
        del self._temporary[path]
        self.done.append(path)

    def finish(self) -> None:
        """Force the new names to the disk."""
        folders = [path.parent for path in self.done] + [made.parent for made in self._made]
        for folder in dict.fromkeys(folders):
            sync_folder(folder)

    def clean_up(self) -> None:
        """Remove prepared files and the empty folders made for them."""
        for temporary in self._temporary.values():
            with suppress(OSError):
                os.unlink(temporary)
        for folder in reversed(self._made):
            with suppress(OSError):
                folder.rmdir()

    def _make_folder(self, folder: Path, mode: int) -> None:
        missing = []
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for index, missing_folder in enumerate(reversed(missing), 1):
            missing_folder.mkdir(mode if index == len(missing) else 0o777)
            self._made.append(missing_folder)


def force(paths: Iterable[Path]) -> None:
    """Force files to the disk that were written without it, and the names in their folders."""
    if not _FORCED[-1]:
        return
    known = list(paths)
    if len(known) > _MANY and hasattr(os, "sync"):
        os.sync()
        return
    for path in known:
        with suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_RDWR)  # Windows flushes only files open for writing
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    folders = dict.fromkeys(folder for path in known for folder in (path.parent, path.parent.parent))
    for folder in folders:
        if folder.is_dir():
            sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk."""
    if os.name == "nt" or not _FORCED[-1]:  # Windows cannot open folders
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
