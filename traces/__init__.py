"""What each run did, and whether it answered."""
