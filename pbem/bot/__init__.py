"""Answers any question of any rules system with legal options, and plays whole games in memory."""
