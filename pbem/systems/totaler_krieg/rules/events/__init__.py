"""What is told (4.27)."""
