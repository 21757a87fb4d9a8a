"""The front door of the game folder: everything that commands do with one, by name.

Each name is loaded from its room when somebody asks for it, so that a command costs only what it uses. A
family of functions is a module here (`proposing.draft`), everything else a class or a function.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.archive.adjudicating import comparing as comparing
    from pbem.archive.adjudicating.between_two import close_between_two as close_between_two
    from pbem.archive.adjudicating.by_hand import StateFile as StateFile
    from pbem.archive.adjudicating.by_hand import adjudicate_files as adjudicate_files
    from pbem.archive.adjudicating.by_hand import side_of as side_of
    from pbem.archive.adjudicating.comparing import Computed as Computed
    from pbem.archive.adjudicating.correcting import correct as correct
    from pbem.archive.adjudicating.correcting import written_again as written_again
    from pbem.archive.adjudicating.gm_stage import StageResult as StageResult
    from pbem.archive.adjudicating.gm_stage import adjudicate as adjudicate
    from pbem.archive.adjudicating.link_due import give_link as give_link
    from pbem.archive.adjudicating.link_due import link_due as link_due
    from pbem.archive.adjudicating.locks_and_links import lock_of as lock_of
    from pbem.archive.adjudicating.publishing import Render as Render
    from pbem.archive.adjudicating.publishing import people as people
    from pbem.archive.adjudicating.publishing import report_name as report_name
    from pbem.archive.adjudicating.unsealing import never_opened as never_opened
    from pbem.archive.adjudicating.unsealing import unseal as unseal
    from pbem.archive.amending import new_rules as new_rules
    from pbem.archive.amending import proposing as proposing
    from pbem.archive.amending import wishes as wishes
    from pbem.archive.amending.joining_late import HandedOn as HandedOn
    from pbem.archive.amending.joining_late import handed_on as handed_on
    from pbem.archive.amending.joining_late import join_as_deputy as join_as_deputy
    from pbem.archive.amending.joining_late import join_running as join_running
    from pbem.archive.amending.joining_late import terms_of as terms_of
    from pbem.archive.amending.new_keys import fresh_chain as fresh_chain
    from pbem.archive.amending.new_keys import remember_key as remember_key
    from pbem.archive.amending.proposing import Proposed as Proposed
    from pbem.archive.deputies import charging as charging
    from pbem.archive.deputies import handing_over as handing_over
    from pbem.archive.deputies import lent as lent
    from pbem.archive.deputies import taking_over as taking_over
    from pbem.archive.folder import changes as changes
    from pbem.archive.folder import layout as layout
    from pbem.archive.folder import one_command as one_command
    from pbem.archive.folder import private_side as private_side
    from pbem.archive.folder import two_reports as two_reports
    from pbem.archive.folder.changes import Changes as Changes
    from pbem.archive.folder.counting_reports import deadline_in as deadline_in
    from pbem.archive.folder.counting_reports import report_taken as report_taken
    from pbem.archive.folder.earlier import earlier as earlier
    from pbem.archive.folder.earlier import since_answer as since_answer
    from pbem.archive.folder.earlier import view_at as view_at
    from pbem.archive.folder.game_folder import Folder as Folder
    from pbem.archive.folder.game_over import OVER as OVER
    from pbem.archive.folder.game_over import ended as ended
    from pbem.archive.folder.game_over import need_going_on as need_going_on
    from pbem.archive.folder.game_over import unsealed as unsealed
    from pbem.archive.folder.joined import joined as joined
    from pbem.archive.folder.joined import seats as seats
    from pbem.archive.folder.private_side import Private as Private
    from pbem.archive.git import commits as commits
    from pbem.archive.git.commits import is_published as is_published
    from pbem.archive.git.commits import shelve as shelve
    from pbem.archive.git.merging import merge as merge
    from pbem.archive.letters import arrivals as arrivals
    from pbem.archive.letters import outbox as outbox
    from pbem.archive.letters import seat_addresses as seat_addresses
    from pbem.archive.letters import sending_on as sending_on
    from pbem.archive.letters import waiting_letters as waiting_letters
    from pbem.archive.letters.acknowledging import acknowledge as acknowledge
    from pbem.archive.letters.awaited import Awaited as Awaited
    from pbem.archive.letters.awaited import Step as Step
    from pbem.archive.letters.awaited import awaited as awaited
    from pbem.archive.letters.awaited import awaited_before_the_game as awaited_before_the_game
    from pbem.archive.letters.protesting import protest as protest
    from pbem.archive.letters.reminding import remind as remind
    from pbem.archive.letters.reminding import was_reminded as was_reminded
    from pbem.archive.letters.waiting_letters import Waiting as Waiting
    from pbem.archive.letters.waiting_letters import came_back as came_back
    from pbem.archive.letters.waiting_letters import undelivered as undelivered
    from pbem.archive.ordering import answers_ahead as answers_ahead
    from pbem.archive.ordering import next_questions as next_questions
    from pbem.archive.ordering import nothing_more as nothing_more
    from pbem.archive.ordering import order_file as order_file
    from pbem.archive.ordering import order_form as order_form
    from pbem.archive.ordering import row as row
    from pbem.archive.ordering import row_entries as row_entries
    from pbem.archive.ordering.nothing_more import NothingMore as NothingMore
    from pbem.archive.ordering.order_file import Checked as Checked
    from pbem.archive.ordering.overtaken import orders_to_sign_again as orders_to_sign_again
    from pbem.archive.ordering.row import Row as Row
    from pbem.archive.ordering.row import RowStep as RowStep
    from pbem.archive.ordering.signing import sign_orders as sign_orders
    from pbem.archive.ordering.undoing import last_signed as last_signed
    from pbem.archive.ordering.undoing import take_back as take_back
    from pbem.archive.press import grey_letters as grey_letters
    from pbem.archive.press import letter_writing as letter_writing
    from pbem.archive.press import letters_kept as letters_kept
    from pbem.archive.press import published_letters as published_letters
    from pbem.archive.receiving.following_up import Intake as Intake
    from pbem.archive.receiving.following_up import follow_up as follow_up
    from pbem.archive.receiving.following_up import of_another_game as of_another_game
    from pbem.archive.receiving.missing_statements import lost as lost
    from pbem.archive.receiving.receive import Receipt as Receipt
    from pbem.archive.receiving.receive import receive as receive
    from pbem.archive.setting_up.before_the_game import GM as GM
    from pbem.archive.setting_up.before_the_game import Invitation as Invitation
    from pbem.archive.setting_up.before_the_game import Person as Person
    from pbem.archive.setting_up.before_the_game import build_roster as build_roster
    from pbem.archive.setting_up.before_the_game import join as join
    from pbem.archive.setting_up.before_the_game import need_free as need_free
    from pbem.archive.setting_up.before_the_game import new_game as new_game
    from pbem.archive.setting_up.before_the_game import read_invitation as read_invitation
    from pbem.archive.setting_up.before_the_game import sign_roster as sign_roster
    from pbem.archive.verifying import results_note as results_note
    from pbem.archive.verifying.dice_rolls import Rolled as Rolled
    from pbem.archive.verifying.dice_rolls import dice_ledger as dice_ledger
    from pbem.archive.verifying.dice_rolls import dice_recipe as dice_recipe
    from pbem.archive.verifying.findings import Finding as Finding
    from pbem.archive.verifying.history import Chapter as Chapter
    from pbem.archive.verifying.history import History as History
    from pbem.archive.verifying.history import history as history
    from pbem.archive.verifying.public_evidence import public_evidence as public_evidence
    from pbem.archive.verifying.results_note import Verified as Verified
    from pbem.archive.verifying.verdicts import severity as severity
    from pbem.archive.verifying.verification import Verification as Verification
    from pbem.archive.verifying.verify import verify as verify

_LISTED = re.compile(r"from pbem\.archive\.([\w.]+) import (\w+) as")


def _where() -> dict[str, tuple[str, str]]:
    """Return the names that this file imports for type checkers, so that each is listed once."""
    with open(__file__, encoding="utf-8") as source:
        listed = _LISTED.findall(source.read())
    return {name: (module, name) if "." in module else (f"{module}.{name}", "") for module, name in listed}


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
