"""Whole turns: what is left to a player in the middle of one, and everything that it can come to."""
