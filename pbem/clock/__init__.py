"""Time at a table: deadlines, banks, pauses and what happens when nobody answers. All of it pure."""
