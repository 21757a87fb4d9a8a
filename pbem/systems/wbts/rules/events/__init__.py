"""What happens, as reports tell it (4.12)."""
