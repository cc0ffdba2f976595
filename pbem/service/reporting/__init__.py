"""What the post tells about itself: its journal, its numbers, its setbacks, and an alarm when a person has to look."""
