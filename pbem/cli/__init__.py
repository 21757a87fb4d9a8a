"""The commands. Only this room prints, prompts, exits, and reads the clock and the environment."""
