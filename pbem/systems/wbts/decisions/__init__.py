"""What players decide (section 6)."""
