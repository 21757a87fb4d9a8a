"""Questions to players (section 6)."""
