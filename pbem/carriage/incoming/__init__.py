"""The ways in: letters from a mailbox, a mail server or a pipe, acknowledged only when they are kept."""
