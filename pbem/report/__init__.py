"""Events and a view made into text for one reader: turn reports, maps, orders of battle, dice ledger."""
