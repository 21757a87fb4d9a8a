"""The game folder itself: its layout, and how to read and change it."""
