"""The one file an operator writes, `post.toml`: what may stand in it, what it means, and what is wrong with it.

Importing the package imports nothing; take what you need from its modules.
"""
