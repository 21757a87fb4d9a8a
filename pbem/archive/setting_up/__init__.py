"""Setting up: the invitation, joining, the roster that everybody signs."""
