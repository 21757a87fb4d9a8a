"""The state of a game from signed statements alone: no module in here opens a file."""
