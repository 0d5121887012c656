"""What is remembered: entries, the two search channels, recall."""
