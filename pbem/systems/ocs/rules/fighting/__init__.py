"""Ground combat, barrage, air missions, and their losses (4.9 to 4.11)."""
