"""The game folder itself: what lies where, how it is read, how it is changed."""
