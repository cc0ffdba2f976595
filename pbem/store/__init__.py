"""The database: letters as they arrived, the events of every game, and the mails still to be sent.

Nothing is acknowledged before it is on the disk, and one transaction takes a letter from received to its outcome with
everything that follows from it. The package knows no games and returns plain rows. Use `Store` in `pbem.store.store`;
importing the package itself loads nothing.
"""
