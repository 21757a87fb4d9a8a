"""Work on a game folder: its state, reports, practice, books."""
