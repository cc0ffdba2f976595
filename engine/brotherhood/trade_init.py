"""Trade: with the supply at the own rate, and with others by offers.

This room knows no dice and no building. It never tells what is in somebody else's hand.
"""
