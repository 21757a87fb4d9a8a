"""Transport by rail, road and sea, and landings (4.4.8 to 4.4.12, 4.12)."""
