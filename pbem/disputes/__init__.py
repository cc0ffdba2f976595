"""Disputes: the page about a disputed turn, and the bundle that can be checked on another machine.

Both show only what everybody may know, unless the game is over or a warrant has been issued.
"""
