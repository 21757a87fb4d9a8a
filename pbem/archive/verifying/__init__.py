"""Verifying an archive from its evidence, and telling the game from what was verified."""
