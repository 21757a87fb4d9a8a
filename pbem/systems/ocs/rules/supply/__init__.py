"""Supply paths, trace supply, payments, eating (4.0.4, 4.0.5, 4.5)."""
