"""4.9 to 4.11: Ground combat, barrage, air missions, and their losses."""
