"""4.3, 4.6: Command: values of leaders, their forces, depots and loads."""
