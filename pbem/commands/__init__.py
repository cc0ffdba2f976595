"""What can be typed: one command a file, named after it."""
