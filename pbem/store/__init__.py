"""The database: letters as they came, the events of every game, and the mails still to be sent.

Nothing is acknowledged before it is on the disk, and one transaction takes a letter from received to its fate with
everything that follows from it. The room knows no game, and what it hands out are plain rows. `Store` in
`pbem.store.store` is the door; importing the package imports nothing, for the database library is slow to load.
"""
