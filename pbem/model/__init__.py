"""What is saved and what is told: game state, events, facts, and the codec between JSON and typed values."""
