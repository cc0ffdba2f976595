"""What can be proved: draws, sealed values, signatures, receipts, the log of all games. Pure functions of bytes.

docs/proof.md is the definition of every byte in here. The room keeps nothing, and knows neither games nor mail.
"""
