"""The key that signs: `--key`, the folder's, that of `pbem key new`, the usual one, or an agent's.

Only this room looks into the environment: SSH_AUTH_SOCK names the agent, PBEM_PASSPHRASE opens keys without
a prompt.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import is_terminal, note
from pbem.cli.shell.language import spoken
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Private
    from pbem.trust.keys import Signer


@dataclass(frozen=True)
class Key:
    """A key that can sign, and the file it is in (None: the ssh-agent holds it)."""

    signer: Signer
    file: str | None


_TYPED: ContextVar[str | None] = ContextVar("typed", default=None)


@contextmanager
def passphrase_is(typed: str | None) -> Iterator[None]:
    """Use a passphrase typed outside a terminal inside this block.

    With an empty text nothing was typed, and nobody is asked.
    """
    before = _TYPED.set(typed)
    try:
        yield
    finally:
        _TYPED.reset(before)


def passphrase(name: str) -> str | None:
    """Return a passphrase: typed, from PBEM_PASSPHRASE, else asked on a terminal, else None.

    A command asks once for each name, however many games and files it opens with it.
    """
    typed = _TYPED.get()
    given = typed or os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    if typed is not None or not is_terminal():
        return None
    asked = _asked()
    if name not in asked:
        asked[name] = _hidden(spoken(Message("cli.keys.ask-for-passphrase", name=name)))
    return asked[name] or None


def _asked() -> dict[str, str]:
    """Return the passphrases that were typed since the command began; they are kept nowhere else."""
    context = click.get_current_context(silent=True)
    phrases: dict[str, str] = context.find_root().meta.setdefault("pbem.asked", {}) if context else {}
    return phrases


def new_passphrase(what: str) -> str | None:
    """Return a passphrase for something new; None if the user wants none, or cannot be asked."""
    typed = _TYPED.get()
    given = typed or os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given or None
    if typed is not None or not is_terminal():
        return None
    while True:
        answer = _hidden(spoken(Message("cli.keys.ask-for-new-passphrase", what=what)))
        if not answer or _hidden(spoken(Message("cli.keys.the-same-once-more"))) == answer:
            return answer or None
        note(Message("cli.keys.two-different-passphrases"))


def _hidden(words: str) -> str:
    typed: str = click.prompt(words, hide_input=True, default="", show_default=False, err=True)
    return typed


def game_passphrase(encrypt: bool) -> str | None:
    """Return the passphrase for the secrets of a new game, if they are to be encrypted."""
    words = new_passphrase(Message("cli.keys.secrets-of-this-game")) if encrypt else None
    if encrypt and not words:
        raise click.UsageError(Message("cli.keys.encrypt-wants-a-passphrase"))
    return words


def own_key_file() -> Path:
    """Return where `pbem key new` puts a key."""
    from platformdirs import user_data_path

    return user_data_path("pbem", appauthor=False) / "id_ed25519"


def login_key_file() -> Path:
    """Return the usual OpenSSH key."""
    return Path("~/.ssh/id_ed25519").expanduser()


def agent_socket() -> str | None:
    """Return the socket of the ssh-agent, if there is one."""
    return os.environ.get("SSH_AUTH_SOCK") or None


def usual_key(key_file: str | None) -> Key:
    """Return the key for a new game: `--key`, that of `pbem key new`, the usual one, or an agent's.

    TrustError if one of the first two exists and is unusable; another never replaces it silently.
    """
    from pbem.trust.errors import NoSigner, TrustError
    from pbem.trust.keys import public_of

    own, login = own_key_file(), login_key_file()
    named = Path(key_file) if key_file is not None else own if own.exists() else None
    if key_file is not None and not Path(key_file).exists():
        raise NoSigner(Message("cli.keys.no-such-key-file", key_file=key_file))
    if named is not None:
        return _key(public_of(_bytes(named), str(named)), named)
    for path in (login, None):
        try:
            public = _agent_key() if path is None else public_of(_bytes(path), str(path))
        except (OSError, TrustError):
            continue
        return _key(public, path)
    raise NoSigner(Message("cli.keys.no-key-to-sign-with", own=own, login=login))


def playing_key(key_file: str | None) -> Key:
    """Return the key for a new game; without one, make it as `pbem key new` would, and say so."""
    from pbem.trust.errors import NoSigner

    try:
        return usual_key(key_file)
    except NoSigner:
        if key_file is not None:
            raise
    from pbem.text.writing import write_all
    from pbem.trust import keys, sshsig

    path = own_key_file()
    note(Message("cli.keys.one-is-made-for-you"))
    words = new_passphrase(Message("cli.keys.new-key"))
    data = keys.make_key(words)
    line = sshsig.public_line(keys.public_of(data))
    write_all({path: data, path.with_name(path.name + ".pub"): f"{line}\n".encode()}, private=[path])
    note(Message("cli.keys.your-key-was-made", path=path))
    return Key(keys.FileSigner.load(data, lambda name: words), str(path))


def key_of_the_game(root: Path) -> Key:
    """Return a key made for one game alone, in its folder: no published key that could name its owner."""
    from pbem.text.writing import write_all
    from pbem.trust import keys

    words = new_passphrase(Message("cli.keys.new-key"))
    data = keys.make_key(words)
    path = root / "private" / "id_ed25519"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_all({path: data}, private=[path])
    note(Message("cli.keys.made-for-this-game", path=path))
    return Key(keys.FileSigner.load(data, lambda name: words), str(path.absolute()))


def _key(public: bytes, file: Path | None) -> Key:
    from pbem.trust.keys import find_signer

    files = [file] if file is not None else []
    signer = find_signer(public, files=files, agent_socket=agent_socket(), passphrase=passphrase)
    return Key(signer, str(file.absolute()) if file is not None else None)


def folder_key(folder: Folder, key_file: str | None) -> Signer:
    """Return a signer for the owner of a folder; NoSigner says what was tried."""
    folder.need_me()
    return key_for(folder.private, key_file, folder.own_key())


def key_for(side: Private, key_file: str | None, public: bytes | None = None) -> Signer:
    """Return a signer for the owner of a private side: by default the key that joined.

    NoSigner says where it was, and how to name it.
    """
    from pbem.trust.errors import NoSigner
    from pbem.trust.keys import find_signer
    from pbem.trust.sshsig import parse_public_line

    me = side.me
    assert me is not None
    files = [Path(key_file)] if key_file else list(_usual_files(side.key_files(), side.side))
    public = public if public is not None else parse_public_line(me.sign)
    agent = None if key_file else agent_socket()
    try:
        return find_signer(public, files=files, agent_socket=agent, passphrase=passphrase)
    except NoSigner as fault:
        if key_file:
            raise NoSigner(Message("cli.keys.leave-key-out", fault=fault)) from None
        lost = Message("cli.keys.say-where-it-is", fault=fault, party=me.party, file=me.key_file)
        raise NoSigner(lost) from None


def key_at_hand(folder: Folder) -> Signer | None:
    """Return a signer for the owner of a folder who needs no passphrase, or None."""
    from pbem.trust.errors import NoSigner, TrustError
    from pbem.trust.keys import find_signer

    me = folder.private.me
    if me is None:
        return None
    files = list(_usual_files(folder.private.key_files(), folder.private.side))
    public, agent = folder.own_key(), agent_socket()
    try:
        return find_signer(
            public, files=files, agent_socket=agent, passphrase=known_passphrase, ssh_keygen=None
        )
    except (NoSigner, TrustError):
        return None


def known_passphrase(name: str) -> str | None:
    """Return the passphrase in PBEM_PASSPHRASE, or one that was typed before; nobody is asked."""
    return os.environ.get("PBEM_PASSPHRASE") or _asked().get(name) or None


def opens(name: str, words: str | None) -> None:
    """Note that this passphrase opens another file too, so that nobody is asked for that."""
    if words:
        _asked().setdefault(name, words)


def ask_for_all(roots: Iterable[Path]) -> None:
    """Ask on a terminal for the passphrases with which a GM's or deputy's folders are opened, each once.

    BadKey at the first that opens nothing; with an empty one the games of that key are left as they are.
    Other faults of a game are not reported here.
    """
    from pbem.archive import Folder
    from pbem.trust.errors import BadKey

    for root in roots if is_terminal() and "PBEM_PASSPHRASE" not in os.environ else ():
        try:
            folder = Folder.open(root, passphrase)
            if folder.role in ("gm", "deputy"):
                _ = folder.private.seal_key  # asks, or raises BadKey
                folder_key(folder, None)
        except BadKey:
            if list(_asked().values())[-1]:
                raise
        except (PbemError, OSError):
            continue


def _usual_files(remembered: Iterable[str], side: Path) -> Iterator[Path]:
    """Yield where the keys were, where they moved with the private side, and the usual places."""
    named = [path for file in remembered for path in (file, side / Path(file).name)]
    for path in (*named, own_key_file(), login_key_file()):
        if path is not None and Path(path).is_file():
            yield Path(path)


def _agent_key() -> bytes:
    from pbem.trust.agent import agent_keys
    from pbem.trust.errors import NoSigner

    socket = agent_socket()
    keys = agent_keys(socket) if socket else ()
    if not keys:
        raise NoSigner(Message("cli.keys.agent-holds-no-key"))
    return keys[0]


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1 << 16)
