"""Decisions of players of wif."""
