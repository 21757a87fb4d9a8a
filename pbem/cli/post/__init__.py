"""Letters in and out."""
