"""The settings file `post.toml`: what may be in it, what it means, and what is wrong with it.

Importing the package loads nothing; import what you need from its modules.
"""
