"""What players are asked (section 6)."""
