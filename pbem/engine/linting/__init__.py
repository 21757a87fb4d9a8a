"""The determinism lint of rules code (architecture, `systems`)."""
