"""The saved and reported data: game state, events, facts, and the codec between JSON and typed values."""
