"""Events and a view made into text for one reader: turn reports, maps, orders of battle, dice ledger."""

LAYOUT = 12
"""Rises with every change of the words or lines of a report. It stands in the report, so that `verify` does
not call false what an earlier version wrote in other words."""
