"""Text to moves and records, and back."""
