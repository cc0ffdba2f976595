"""The Wall, and what gathers north of it: tokens, camps, trails, clearings, guards, breaches, the Gift.

Everything in here is a pure function on `state.Watch`, which a Position of the full game carries along. This room
refuses to know roads, hands, trade and whose turn it is.
"""
