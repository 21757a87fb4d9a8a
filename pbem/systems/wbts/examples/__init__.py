"""Worked examples, and what holds after every stage of a game."""
