"""The facts of a report that come from a game folder."""
