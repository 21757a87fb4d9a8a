"""Battles, step by step (4.8): one file for each step or two that belong together."""
