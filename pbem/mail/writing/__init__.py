"""What the post mails: composed from a table, a reader and an occasion, to the last byte.

Pure: values in, bytes out. No store, no clock, no sending. Everything that is shown of a game is made from the reader's
own view.
"""
