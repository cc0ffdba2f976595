"""Chance at a table: who settles it, what it is bound to, what it plays for the silent, and draws made again."""
