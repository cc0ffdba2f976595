"""Roads, settlements and keeps: where they may stand, what they cost, and who has the Longest Road.

This room knows no dice, no trade and no card but what a piece costs.
"""
