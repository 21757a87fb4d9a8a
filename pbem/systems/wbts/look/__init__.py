"""The content of maps, counters and forecasts; no result depends on it."""
