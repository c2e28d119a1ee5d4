"""Authentication: the owner's browser by a code from the terminal, scripts by the token file.

``proof`` holds the secrets, ``door`` answers unauthenticated requests, ``page`` renders the sign-in
page, ``opening`` starts the owner's browser without exposing the code in process lists.
"""
