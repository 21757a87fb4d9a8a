"""The fights of a stage: their events, who fought, and their cards."""
