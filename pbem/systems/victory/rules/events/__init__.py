"""Events of the victory rules."""
