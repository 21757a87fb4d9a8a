"""Part of the rules system ocs."""
