"""A player's own words, read as commands."""
