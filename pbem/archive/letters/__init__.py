"""Letters: what waits in the outbox, what came and was refused, whom one has to write to."""
