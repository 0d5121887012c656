"""Forge beside other memories, over the same rows and the same vectors."""
