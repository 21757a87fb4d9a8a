"""Events of a game of wif."""
