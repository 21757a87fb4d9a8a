"""How the game looks: who holds what, and how it ended."""
