"""The orders of `pbem next`: ask for the answers or open the file, check, show, sign.

`Wishes` and `Done` are for all its steps: the options of the command, and the account of what it did.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import is_terminal, note, result, wants_json
from pbem.cli.shell.language import code, spoken
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder, NothingMore
    from pbem.engine.resolve import Question


@dataclass(frozen=True)
class Wishes:
    """The user's options of the command."""

    files: tuple[str, ...] = ()
    editor: bool = False
    by: str | None = None
    yes: bool = False
    key_file: str | None = None


@dataclass
class Done:
    """The result of a run: what it did, the email to send by hand, and what comes next."""

    did: list[str] = field(default_factory=list)
    mail: list[str] = field(default_factory=list)
    next: str = ""

    def data(self) -> dict[str, Any]:
        return {"did": self.did, "mail": self.mail, "next": self.next or None}

    def tell(self, text: str) -> None:
        """Report something that was done."""
        self.did.append(text)
        if not wants_json():
            result(text)


def asks() -> bool:
    """Return True if somebody can be asked."""
    return is_terminal() and not wants_json()


def give_orders(folder: Folder, wishes: Wishes, done: Done) -> None:
    """Ask for the answers, or open the file; check, show, sign."""
    from pbem.cli.writing.orders import order_file, shown

    path = order_file(folder)
    fresh = not path.is_file()
    if fresh:
        _write_template(folder, path)
        done.did.append(Message("cli.next.file-written", path=shown(path)))
    if asks():
        checked = _by_asking(folder, path, wishes)
    else:
        checked = _as_it_is(folder, path, wishes, done, fresh)
    if checked is not None:
        _signed(folder, checked, wishes, done)


def _write_template(folder: Folder, path: Path) -> None:
    from pbem.archive import order_form
    from pbem.cli.writing.units import unit_lines
    from pbem.text.writing import write_all

    schema = folder.root / order_form.SCHEMA
    text = order_form.template(folder, schema.name, unit_lines(folder), code(), spoken)
    write_all(
        {path: text.encode(), schema: order_form.schema_text(folder, spoken).encode()}, private=[path, schema]
    )


def _as_it_is(folder: Folder, path: Path, wishes: Wishes, done: Done, fresh: bool) -> Checked | None:
    """Return the checked file without a terminal; it is signed with --yes alone."""
    from pbem.archive import order_file
    from pbem.cli.writing.orders import checked_file, show_faults, show_understood, shown

    if fresh and not order_file.only_ready(folder):
        done.tell(Message("cli.next.fill-it-in", path=shown(path)))
        return None
    checked = checked_file(folder, shown(path))
    if not wants_json():
        show_faults(checked)
    if not checked.ok:
        done.tell(Message("cli.next.not-right-yet", path=shown(path)))
        return None
    if not wants_json():
        show_understood(checked)
    if not wishes.yes:
        done.next = "pbem orders sign"
        done.tell(Message("cli.next.nothing-is-signed-yet"))
        return None
    return checked


def _by_asking(folder: Folder, path: Path, wishes: Wishes) -> Checked | None:
    """Return the checked file after questions or editing, until it is right and the player agrees."""
    from pbem.cli.writing import nothing
    from pbem.cli.writing.editor import open_in_editor
    from pbem.cli.writing.orders import checked_file, show_faults, show_understood, shown

    name = shown(path)
    in_editor = wishes.editor or not _ask(folder, path, anew=False)
    if in_editor:
        open_in_editor(path)
    while True:
        checked = checked_file(folder, name)
        show_faults(checked)
        if checked.ok:
            show_understood(checked)
        offer = nothing.offered(folder, path) if checked.ok else None
        if offer is not None:
            note(nothing.words_of(folder, offer))
        choice = _choose(checked.ok, "editor" if in_editor else "again", nothing=offer is not None)
        if choice == "sign":
            return checked
        if choice == "nothing" and offer is not None and _no_more(folder, path, offer):
            continue
        if choice == "leave":
            note(Message("cli.next.left-as-it-is", name=name))
            return None
        in_editor = choice == "editor" or not _ask(folder, path, anew=True)
        if in_editor:
            open_in_editor(path)


def _no_more(folder: Folder, path: Path, rest: NothingMore) -> bool:
    """Write what "nothing more" answers; False if the file has no room, and goes into the editor."""
    from pbem.cli.writing import nothing

    try:
        nothing.write(folder, path, rest)
    except ValueError:
        note(Message("cli.nothing.no-room", path=path.name))
        return False
    return True


def _choose(ok: bool, mend: str, *, nothing: bool) -> str:
    answers = {"e": "editor", "a": "again", "l": "leave", "q": "leave"} | ({"s": "sign"} if ok else {})
    answers |= {"n": "nothing"} if nothing else {}
    words = (
        spoken(Message("cli.next.sign-editor-again-or-leave", nothing=nothing))
        if ok
        else spoken(Message("cli.next.editor-again-or-leave"))
    )
    while True:
        typed: str = click.prompt(words, default="s" if ok else mend[0], err=True, prompt_suffix=" > ")
        answer = answers.get(typed.strip().lower()[:1])
        if answer is not None:
            return answer


def _ask(folder: Folder, path: Path, *, anew: bool) -> bool:
    """Ask what has no answer in the file yet, or everything `anew`, and write each answer at once.

    Returns False if the player wants the file in an editor.
    """
    from pbem.archive import order_file
    from pbem.cli.writing import nothing
    from pbem.cli.writing.asking import InEditor, NothingMore, ask
    from pbem.cli.writing.filling import Begun, given

    asked = order_file.questions(folder)
    have = given(path, asked)
    if have is None and not anew:
        return True  # report the file's faults first
    begun = Begun(folder)
    for question in order_file.choices(folder):
        key = question.key
        so_far = begun.answers.get(key)
        if not anew and so_far is None and key in (have or {}):
            continue
        so_far = so_far if so_far is not None else (have or {}).get(key)
        offered = nothing.offered(folder, path)
        offer = nothing.words_of(folder, offered) if offered is not None else None
        try:
            answer = ask(folder, question, so_far, partial(begun.note, key), offer)
        except NothingMore:
            return offered is not None and _no_more(folder, path, offered)
        except InEditor:
            if key in begun.answers:
                _write_answer(folder, path, question, begun.answers[key])
                begun.done(key)
            return False
        _write_answer(folder, path, question, answer)
        begun.done(key)
    return True


def _write_answer(folder: Folder, path: Path, question: Question, answer: Any) -> None:
    """Put an answer into the file.

    If that has no room, a new file replaces it and the old one stays beside it.
    """
    from pbem.cli.writing.filling import filled, names_of
    from pbem.cli.writing.orders import shown
    from pbem.text.writing import write_all

    called = {question.key: names_of(question)}
    try:
        text = filled(path.read_bytes().decode("utf-8"), {question.key: answer}, called)
    except ValueError:
        old = path.with_name(f"{path.stem}-before{path.suffix}")
        write_all({old: path.read_bytes()}, private=[old])
        note(Message("cli.next.former-file-is-kept", path=shown(old)))
        _write_template(folder, path)
        text = filled(path.read_bytes().decode("utf-8"), {question.key: answer}, called)
    write_all({path: text.encode()}, private=[path])


def _signed(folder: Folder, checked: Checked, wishes: Wishes, done: Done) -> None:
    from pbem.cli.commands.orders.sign import sign_now
    from pbem.cli.shell.keys import folder_key

    sign_now(folder, checked, folder_key(folder, wishes.key_file))
    done.did.append(Message("cli.next.signed-orders"))
