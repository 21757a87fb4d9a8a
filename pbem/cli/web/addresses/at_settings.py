"""Mail settings as a form: the same file that the commands read, for one game or for all of them.

A password that is typed goes into the keyring of the system and nowhere else; what the form does not know of
a file (tokens, programs, certificates) stays as it is.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.web import shown
from pbem.cli.web.rooms import Room, Route
from pbem.report.language import languages
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

WAYS = {"out": ("smtp", "folder", "sendmail"), "in": ("imap", "files")}
FIELDS = {
    "smtp": ("server", "port", "security", "user"),
    "imap": ("server", "port", "security", "user", "folder", "move_to", "since"),
    "folder": ("folder",),
    "sendmail": (),
    "files": ("paths",),
}
ALWAYS = {"out": ("from", "cc"), "in": ()}
EMPTY = {"way": "", "security": "", "cc": "", "password": {}}
BEGINNING = "# how pbem sends and fetches mail; docs/mail.md says what may stand here\n"
SERVICE = "pbem"
"""Under which passwords that are typed here are in the keyring."""


class AtSettings(Room):
    """The pages of email settings."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/settings", self.settings),
            ("POST", "/settings", self.changed),
            ("GET", "/g/<name>/settings", self.settings),
            ("POST", "/g/<name>/settings", self.changed),
        ]

    def settings(self, name: str | None = None, **more: Any) -> str:
        """Return the form as the file has it."""
        folder = self.place.open(name) if name is not None else None
        path = _file(folder)
        faults: list[Any] = []
        data = more.pop("data", None)
        if data is None:
            try:
                data = _read(path)
            except Refused as fault:
                data, faults = {}, shown.faults(fault.diagnostics)
        values = {
            "data": {side: {**EMPTY, **(data.get(side) or {})} for side in WAYS},
            "secrets": {side: _secret(data.get(side) or {}) for side in WAYS},
            "ways": {side: [way for way in WAYS[side] if _may(way, folder)] for side in WAYS},
            "keyring": _keyring() is not None,
            "providers": _providers(),
            "languages": languages(),
            "language": data.get("language", ""),
            "path": str(path),
            "faults": faults,
            "said": [],
            "good": True,
            "here_name": name or "",
            **more,
        }
        if name is None or folder is None:
            return self.plain("settings.html.j2", **values)
        return self.page("settings.html.j2", name, folder, **values)

    def changed(self, name: str | None = None) -> str:
        """Fill in what a provider wants; keep the file; or keep it and try it."""
        folder = self.place.open(name) if name is not None else None
        path = _file(folder)
        before = _readable(path)
        data: dict[str, Any] = {
            side: kept for side in WAYS if (kept := self._side(side, before.get(side) or {}))
        }
        if spoken := self.field("language"):
            data["language"] = spoken
        if self.field("fill"):
            provider = next((way for way in _providers() if way["name"] == self.field("provider")), None)
            users = {side: self.field(f"{side}-user") for side in WAYS}
            return self.settings(name, data=_of_provider(data, provider, users))
        try:
            self._keep(path, data, folder)
        except Refused as fault:
            return self.settings(name, data=data, faults=shown.faults(fault.diagnostics))
        outcome, good = [self.words.say("settings-kept", file=path.name)], True
        if self.field("try"):
            tried, good = self._tried(path, folder)
            outcome += tried
        return self.settings(name, said=outcome, good=good)

    def _side(self, side: str, before: dict[str, Any]) -> dict[str, Any]:
        """Return one half of the file as filled in; what is not on the form stays."""
        way = self.field(f"{side}-way")
        if way not in WAYS[side]:
            return {}
        same = before.get("way") == way
        known = {"way", "password", "token", *FIELDS[way], *ALWAYS[side]}
        data: dict[str, Any] = {"way": way}
        for key in (*FIELDS[way], *ALWAYS[side]):
            value = self.field(f"{side}-{key}")
            if key == "paths":
                data[key] = [line.strip() for line in value.splitlines() if line.strip()]
            elif key == "port" and value.isdigit():
                data[key] = int(value)
            elif value:
                data[key] = value
        if way in ("smtp", "imap") and "user" in data:
            data |= self._login(side, before if same else {})
        return data | {key: value for key, value in before.items() if same and key not in known}

    def _login(self, side: str, before: dict[str, Any]) -> dict[str, Any]:
        how = self.field(f"{side}-secret")
        if how == "keyring":
            return {"password": {"keyring": _service(before)}}
        if how == "variable":
            return {"password": {"variable": self.field(f"{side}-variable")}}
        return {key: before[key] for key in ("password", "token") if key in before}

    def _keep(self, path: Path, data: dict[str, Any], folder: Folder | None) -> None:
        """Write the file if it is right, 0600, and put typed passwords into the keyring.

        Raises Refused with its faults.
        """
        from pbem.mail.settings import load
        from pbem.text.writing import write_all

        text = rewritten(path.read_text("utf-8") if path.is_file() else BEGINNING, data).encode()
        found_settings = load(text, path.name)
        if folder is not None and found_settings.programs:
            message = Message("cli.web.program-in-game")
            raise Refused(Diagnostic("program-in-game", message))
        for side, kept in ((side, data[side]) for side in WAYS if side in data):
            typed = self._typed(side)
            if typed and "keyring" in (kept.get("password") or {}):
                _put(kept["password"]["keyring"], kept["user"], typed)
        write_all({path: text}, private=[path])

    def _typed(self, side: str) -> str:
        """Return a typed password, which goes into the keyring and on no page or file."""
        import bottle

        return str(bottle.request.forms.getunicode(f"{side}-typed", ""))

    def _tried(self, path: Path, folder: Folder | None) -> tuple[list[str], bool]:
        """Connect and log in, and say what came of it."""
        from pbem.cli.post.mail_trial import try_in, try_out
        from pbem.cli.shell.language import spoken
        from pbem.mail.settings import load

        root = folder.root if folder is not None else Path.home()
        loaded = load(path.read_bytes(), path.name)
        outcome, good = [], True
        for label in ("try-out", "try-in"):
            try:
                if label == "try-out":
                    words = try_out(loaded.out, root) if loaded.out is not None else ""
                else:
                    words = try_in(loaded.in_, root) if loaded.in_ is not None else ""
            except PbemError as fault:
                words, good = str(fault), False
            outcome += [f"{self.words.say(label)} {spoken(words)}"] if words else []
        return outcome or [self.words.say("nothing-to-try")], good


def rewritten(text: str, data: dict[str, Any]) -> str:
    """Return a file of settings with new values.

    The owner's comments and unchanged values stay. A file that is no YAML is begun anew.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    file = YAML()
    file.preserve_quotes = True
    file.width = 1 << 12
    try:
        there = file.load(text)
    except YAMLError:
        text, there = BEGINNING, None
    if not isinstance(there, dict) or not there:
        lines = "".join(f"{line}\n" for line in text.splitlines() if line.startswith("#"))
        there = file.load(lines + "out:\n")  # remarks alone are kept by what they stand before
    _become(there, data)
    made = StringIO()
    file.dump(there, made)
    return made.getvalue()


def _become(there: Any, data: dict[str, Any]) -> None:
    """Change a mapping of a file into one with these values, entry by entry."""
    for key in [key for key in there if key not in data]:
        del there[key]
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(there.get(key), dict):
            _become(there[key], value)
        elif key not in there or there[key] != value:
            there[key] = value


def _file(folder: Folder | None) -> Path:
    """Return the file of a game, or that for all games."""
    from pbem.archive import private_side
    from pbem.cli.post.mail import user_settings

    return folder.root / private_side.MAIL_SETTINGS if folder is not None else user_settings()


def _read(path: Path) -> dict[str, Any]:
    """Return the content of the file; Refused if it has faults."""
    from pbem.mail.settings import load
    from pbem.text.loading import load_data

    if not path.is_file():
        return {}
    source = path.read_bytes()
    load(source, path.name)
    return dict(load_data(source, path.name) or {})


def _readable(path: Path) -> dict[str, Any]:
    try:
        return _read(path)
    except Refused:
        return {}


def _secret(kept: dict[str, Any]) -> str:
    """Return the place of a half's password: keyring, variable, or another that stays."""
    password = kept.get("password") or {}
    return next(
        (place for place in ("keyring", "variable") if place in password), "other" if password else ""
    ) or ("other" if "token" in kept else "")


def _service(before: dict[str, Any]) -> str:
    return str((before.get("password") or {}).get("keyring", SERVICE))


def _may(way: str, folder: Folder | None) -> bool:
    """Return True if a form may set this way.

    A game folder, perhaps a stranger's, names no program to run.
    """
    return folder is None or way != "sendmail"


def _keyring() -> Any:
    """Return the library for the system's keyring, or None."""
    try:
        import keyring
    except ImportError:
        return None
    return keyring


def _put(service: str, user: str, typed: str) -> None:
    """Put a password into the keyring; Refused, without quoting it, if that cannot be done."""
    keyring = _keyring()
    if keyring is None:
        message = Message("cli.mail.keyring-wants-a-library")
        raise Refused(Diagnostic("no-keyring", message))
    try:
        keyring.set_password(service, user, typed)
    except Exception as fault:
        message = Message("cli.mail.keyring-cannot-be-opened", name=type(fault).__name__)
        raise Refused(Diagnostic("no-keyring", message)) from None


def _providers() -> list[dict[str, Any]]:
    """Return the settings of email providers, from a file of facts."""
    from pbem.text.loading import load_data

    path = Path(__file__).parents[1] / "providers.yaml"
    providers: list[dict[str, Any]] = load_data(path.read_bytes(), "table/providers.yaml")["providers"]
    return providers


def _of_provider(
    data: dict[str, Any], provider: dict[str, Any] | None, users: dict[str, str]
) -> dict[str, Any]:
    """Return the servers of a provider in the form; user names and copies stay as typed."""
    if provider is None:
        return data
    kept = {key: value for key, value in data.items() if key not in WAYS}
    return kept | {
        side: {
            **{key: value for key, value in (data.get(side) or {}).items() if key in ("from", "cc")},
            "user": users[side] or users["in" if side == "out" else "out"],
            "way": "smtp" if side == "out" else "imap",
            "server": provider[side],
            "security": provider.get(f"{side}-security", "starttls" if side == "out" else "tls"),
            "password": {"keyring": SERVICE},
        }
        for side in WAYS
    }
