"""A whole game: its book, statistics, moments and end."""
