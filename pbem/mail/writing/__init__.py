"""Mails that the post sends: from a table, a reader and an occasion to the bytes of one mail.

Pure: values in, bytes out, with no store, no clock and no sending. Everything that a mail shows of a game comes from
the reader's own view. `composer` is the entrance; the other modules serve it.
"""
