"""The runner of example files and the conformance suite, for authors of rules systems.

    from pbem.testing import examples, run          # worked examples, without pytest

    # a test file of yours, with pytest: every example, and the duties of every system
    from my_system import SYSTEM
    from pbem.testing.conformance import *
    SYSTEMS = [SYSTEM]

Example files are lists of examples. Nothing but what `expect` names is compared:

    - example: "EX-8 march by road"      # others may use the first word alone, if it is unique
      rule: "4.4.2"
      why: a road link costs 1 whatever the terrain
      given:                             # a scenario with changes
        scenario: sarn_strait            # default: the first
        options: {}
        only: [R-AR1]                    # keep only these counters; `remove:` removes some
        counters: {R-AR1: {hex: "0305"}} # set these fields; an unknown id makes a new counter
        tracks: {turn: 1}                # mappings are merged
        breaks_invariants: in mid-battle # otherwise the position must keep the invariants
      play: "2.T.2"                      # a leaf, a group or a step; "2.c.6.." plays on from a step
      phasing: red
      orders: {red: {turn-order: {...}}} # by kind, key or end of a key (attack/italy); {in_turn: [a, b]}
      standing: {green: [{doctrine: {...}}]}
      dice: [[2, 5, 6], [1, 4]]          # one list per roll, in order; for a shuffle the places; use all
      forfeits: [red]                    # use the defaults of these
      expect:
        counters: {R-AR1: {hex: "0507"}} # these fields of these counters
        gone: [G-IN1]                    # not on the map
        tracks: {turn: 1}                # these entries
        events: [moved, {event: fought, hits: 2}]  # in this order, and no other of these kinds
        events_among: [moved]            # in this order, with others between
        events_exactly: [moved, fought]  # these and no other
        not_events: [{event: fought, hex: "0305"}]
        says: {red: ["Haska taken"], public: ["2 battles"]}  # parts of the report; not_says: the opposite
        refused: [E-MOV-05, {code: E-MOV-06, rule: "4.4.2", path: [moves, 0], says: no road}]  # exactly these
        # refused: {contains: [E-MOV-05]}: these among others
        asked: {red: [bid]}              # kinds still awaited when play stops
        view: {blue: {"blocks/0305/red": 4}}  # facts in a player's view; null: not there

    - example: "EX-9 the same in winter" # a variant: the same except for what it changes
      like: EX-8                         # null removes an entry
      given: {options: {season: winter}}
      expect: {refused: [E-MOV-05]}      # replaces all of EX-8's `expect`

    - example: "EX-8f ..."               # only check one answer; as: on that player's view
      check: {player: red, decision: turn-order, fields: {}, answer: {...}, as: red}
      expect: {refused: [E-MOV-05], repaired: {...}}  # []: legal; repaired: what is left of it
      # of a legal answer: words: [parts of what the check says], not_words: [...], doubts: its warnings

    - example: "EX-6 ..."                # these are (not) among the legal answers
      options: {player: red, decision: turn-order, fields: {}, so_far: {...}}  # of: a counter or a hex
      expect: {options: [{...}], not_options: [{...}]}  # words: [parts of their words], not_words: [...]
      # options_exactly: [...]; offers: [{answer: ..., way: ...}]; waits: false; beside: [...]; ahead: [...]

`compute:` with `System(example_hook=...)`, a function `(game, what) -> list[str]` of errors, is for anything
that is no decision (a modified value, who is in supply). `schemas/examples.schema.json` is the schema. The
suite compares the order of options with `snapshots/` beside the test, which `python -m pbem.testing` writes.
"""

from pbem.testing.examples import examples, resolved
from pbem.testing.runner import prepare, run, view_facts

__all__ = ["examples", "prepare", "resolved", "run", "view_facts"]
