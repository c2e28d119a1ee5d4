"""What modules refuse, doubt and tell: one table of sentences a family, written from facts.

A file imports the table of its family as ``say``: ``raise InvalidDatasetError(say.ONE_CLASS)``.
Another language is another table with the same keys.
"""
