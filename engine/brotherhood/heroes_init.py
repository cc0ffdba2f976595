"""The eleven heroes: who holds which, what each can do and when, and how a hero is kept or exchanged after use.

This room refuses to know how wildlings move and how roads connect; it asks the rooms that do.
"""
