"""What can be proved: draws, sealed values, signatures, receipts, the log of all games. Pure functions of bytes.

docs/proof.md defines every byte. Nothing is stored here, and nothing here knows games or mail.
"""
