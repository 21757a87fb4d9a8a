"""The look of the game: maps, holders of centres, the end."""
