"""What is told of a game of wif."""
