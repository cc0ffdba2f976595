"""Whether a record can be believed: its form, chain, rules, seals and draws, and what mailboxes say of it.

Nobody is trusted here, the post that wrote the record least of all. `verify_text` in `pbem.verify.check_record` is the
door. What is wrong is a Finding with its line, never an exception.
"""
