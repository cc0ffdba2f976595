"""A game played by post before your eyes: a post of its own in a folder, and players with mailboxes.

The players know of the post only what comes into their mailboxes, and answer as mail programs do. Everything between
is the post as it runs for anybody.
"""
