"""Transports: how letters reach the store and how mails leave it.

An intake brings letters in, a mailer sends mails; `protocols` says what each must do. They do not know what a letter
says or where it is stored. An intake acknowledges a letter only when it is on the disk; a mailer sends the stored
bytes unchanged. Each transport has one module here and one section in `pbem.settings.sections`, which names its class.
Importing the package loads nothing, because mail libraries load slowly.
"""
