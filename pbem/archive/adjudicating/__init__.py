"""Adjudicating: running the current stage, publishing it, and what belongs to its end."""
