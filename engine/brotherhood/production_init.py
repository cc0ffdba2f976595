"""The dice: what hexes bring, and what a seven brings instead: discards, Tormund, a theft.

This room knows no trade and no building.
"""
