"""The front door of the game folder: everything that commands do with one, by name.

Each name is loaded from its room when somebody asks for it, so that a command costs only what it uses. A
family of functions is a module here (`proposing.draft`), everything else a class or a function.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.archive.adjudicating import comparing
    from pbem.archive.adjudicating.between_two import close_between_two
    from pbem.archive.adjudicating.by_hand import StateFile, adjudicate_files, side_of
    from pbem.archive.adjudicating.comparing import Computed
    from pbem.archive.adjudicating.correcting import correct, written_again
    from pbem.archive.adjudicating.gm_stage import StageResult, adjudicate
    from pbem.archive.adjudicating.link_due import give_link, link_due
    from pbem.archive.adjudicating.locks_and_links import lock_of
    from pbem.archive.adjudicating.publishing import Render, people, report_name
    from pbem.archive.adjudicating.unsealing import never_opened, unseal
    from pbem.archive.amending import new_rules, proposing, wishes
    from pbem.archive.amending.joining_late import handed_on, join_as_deputy, join_running, terms_of
    from pbem.archive.amending.new_keys import fresh_chain, remember_key
    from pbem.archive.amending.proposing import Proposed
    from pbem.archive.deputies import charging, handing_over, lent, taking_over
    from pbem.archive.folder import changes, layout, one_command, private_side, two_reports
    from pbem.archive.folder.changes import Changes
    from pbem.archive.folder.counting_reports import deadline_in, report_taken
    from pbem.archive.folder.earlier import earlier, since_answer, view_at
    from pbem.archive.folder.game_folder import Folder
    from pbem.archive.folder.game_over import ended, need_going_on, need_over, unsealed
    from pbem.archive.folder.joined import joined, seats
    from pbem.archive.folder.private_side import Private
    from pbem.archive.git import commits
    from pbem.archive.git.commits import is_published, shelve
    from pbem.archive.git.merging import merge
    from pbem.archive.letters import arrivals, outbox, seat_addresses, sending_on, waiting_letters
    from pbem.archive.letters.acknowledging import acknowledge
    from pbem.archive.letters.awaited import Awaited, Step, awaited, awaited_before_the_game
    from pbem.archive.letters.protesting import protest
    from pbem.archive.letters.reminding import remind, was_reminded
    from pbem.archive.letters.waiting_letters import Waiting, came_back, undelivered
    from pbem.archive.ordering import (
        answers_ahead,
        next_questions,
        nothing_more,
        order_file,
        order_form,
        row,
        row_entries,
    )
    from pbem.archive.ordering.nothing_more import NothingMore
    from pbem.archive.ordering.order_file import Checked
    from pbem.archive.ordering.overtaken import orders_to_sign_again
    from pbem.archive.ordering.row import Row, RowStep
    from pbem.archive.ordering.signing import sign_orders
    from pbem.archive.ordering.undoing import last_signed, take_back
    from pbem.archive.press import grey_letters, letter_writing, letters_kept, published_letters
    from pbem.archive.receiving.following_up import Intake, follow_up, of_another_game
    from pbem.archive.receiving.missing_statements import lost
    from pbem.archive.receiving.receive import Receipt, receive
    from pbem.archive.setting_up.before_the_game import (
        GM,
        Invitation,
        Person,
        build_roster,
        join,
        need_free,
        new_game,
        read_invitation,
        sign_roster,
    )
    from pbem.archive.verifying import results_note
    from pbem.archive.verifying.dice_rolls import Rolled, dice_ledger, dice_recipe
    from pbem.archive.verifying.findings import Finding
    from pbem.archive.verifying.history import Chapter, History, history
    from pbem.archive.verifying.public_evidence import public_evidence
    from pbem.archive.verifying.results_note import Verified
    from pbem.archive.verifying.verdicts import severity
    from pbem.archive.verifying.verification import Verification
    from pbem.archive.verifying.verify import verify

_LISTED = re.compile(r"from pbem\.archive\.([\w.]+) import (\([^)]*\)|.*)")


def _where() -> dict[str, tuple[str, str]]:
    """Return the names that this file imports for type checkers, so that each is listed once."""
    with open(__file__, encoding="utf-8") as source:
        imports = _LISTED.findall(source.read())
    return {
        name: (module, name) if "." in module else (f"{module}.{name}", "")
        for module, names in imports
        for name in re.findall(r"\w+", names)
    }


WHERE = _where()
"""Every name, with the module it lies in below this package, and what it is called there ("": a module)."""


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(name)
    module, attribute = WHERE[name]
    value: Any = import_module(f"{__name__}.{module}")
    return getattr(value, attribute) if attribute else value


def __dir__() -> list[str]:
    return sorted({*globals(), *WHERE})
