"""Questions of the victory rules."""
