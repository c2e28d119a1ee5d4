"""Messages of modules: errors, warnings and summaries, in one table of sentences per family.

A file imports the table of its family as ``say``: ``raise InvalidDatasetError(say.ONE_CLASS)``.
A catalog of ``modules.sentences.translation`` translates them by their keys.
"""
