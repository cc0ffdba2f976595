"""`pbem demo`: a whole game by mail, at a post of its own in a folder.

The players know only what comes into their mailboxes, and answer as mail programs do. Everything in between is the
normal post.
"""
