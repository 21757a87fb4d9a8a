"""Read YAML and JSON that people write: from bytes to values, each with its place."""
