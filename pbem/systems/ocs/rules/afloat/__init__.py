"""4.4.9 to 4.4.12, 4.12: Transport by rail, road and sea, and landings."""
