"""The nouns of a board wargame: hex grid, map, position, tables. No rules of any system in here."""
