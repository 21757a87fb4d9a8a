"""Every reader of foreign bytes against bytes that nobody wrote: targets, seeds, finds of the past."""
