"""4.8: Battles, with a file for each step or two that belong together."""
