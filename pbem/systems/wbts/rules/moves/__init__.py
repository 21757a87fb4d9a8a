"""Movement of forces: orders as players write them, what is legal, what it costs (4.4)."""
