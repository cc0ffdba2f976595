"""The order of steps: one letter, one tick of the clocks, one new game, each in one database transaction.

This is the only place that knows the order. Each step is done by another room (reading, commands, tables, writing,
store), and those do not know each other. After a crash a step has happened completely or not at all.
"""
