"""What every rules system must have and keep, checked over all that are installed and over the primer."""
