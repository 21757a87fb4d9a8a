"""War between the states, weekly turn: a rules system. This file only registers; see README.md."""
