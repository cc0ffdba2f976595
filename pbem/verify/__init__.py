"""Verifies records: form, chain, rules, seals and draws, and what mailboxes and the public log say.

Nobody is trusted here, least of all the post that wrote the record. Start at `verify_text` in `check_record`. What is
wrong with a record is a Finding with its line, never an exception.
"""
