"""4.4: Movement of forces: orders, legality, costs."""
