"""Adjudicating: running the open stage, publishing it, and what belongs to its end."""
