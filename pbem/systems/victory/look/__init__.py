"""What maps, counters and forecasts show; no result depends on it."""
