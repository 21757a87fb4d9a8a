"""Questions of the ocs rules."""
