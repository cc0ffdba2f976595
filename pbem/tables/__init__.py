"""A game at the post: what its events make of it, and what a player's command does to it."""
