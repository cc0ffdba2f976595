"""Development cards: bought unseen, played one a turn, and Largest Patrol.

A deck has no order: what a bought card is, chance says when its buyer looks at it. This room refuses to know wildlings.
"""
