"""The referee: records heard, submissions judged, all from the record alone.

Everything in here is a pure function of values: no file, no clock, no mail. Importing the package imports nothing;
take what you need from its modules, so that a command pays only for what it does.
"""
