"""Events of the ocs rules."""
