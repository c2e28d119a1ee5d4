"""Who gets in: the owner's browser by a code from the terminal, scripts by the token file.

``proof`` knows the secrets, ``door`` answers who has not proved himself, ``page`` draws what such
a browser sees, ``opening`` starts the owner's browser so that no process list shows the code.
"""
