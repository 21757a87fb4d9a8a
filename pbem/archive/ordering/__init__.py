"""Ordering: the form, the checked file, the signed statement."""
