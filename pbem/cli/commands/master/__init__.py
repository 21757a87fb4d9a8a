"""The commands of a game master."""
