"""The leaves of the sequence of play (section 3)."""
