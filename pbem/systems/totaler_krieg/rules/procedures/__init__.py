"""Section 3: The leaves of the sequence of play."""
