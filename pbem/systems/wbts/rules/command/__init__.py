"""Command: what leaders are worth, whom they command, depots and loads (4.3, 4.6)."""
