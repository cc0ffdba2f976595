"""Chance at a table: who settles it, what it is bound to, and draws made again to check them."""
