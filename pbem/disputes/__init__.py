"""Cases laid open: the page about a disputed turn, and the bundle that another machine can check.

All of it is made from what everybody may know, unless the game is over or a warrant stands.
"""
