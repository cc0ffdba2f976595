"""Replay records and judge moves, from the record alone.

Everything in here is a pure function of values: no files, no clock, no mail. Importing the package imports nothing;
import what you need from its modules, so that a command loads only what it uses.
"""
