"""The clerk: the order of steps for one letter, one look at the clocks, one new table.

The only room that knows the order. Each of these is one transaction: afterwards all of it has happened, or
nothing. The rooms it leads through do not know one another.
"""
