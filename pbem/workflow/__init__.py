"""The clerk: the order of steps for one letter, for one table whose clock is due, for one new table.

The only room that knows the order. Each of these is one transaction: afterwards all of it has happened, or
nothing. A look at the clocks is several, one for each table that it finds something to do at. The rooms it leads
through do not know one another.
"""
