"""Security of the server: checks of every request, sign-in, permissions of pages.

The owner's browser signs in with a code from the terminal; scripts send the token file's content.
``guard`` rejects requests, ``credentials`` holds the secrets, ``sign_in`` answers unauthenticated
browsers, ``browser_opening`` starts the owner's browser without exposing the code in process lists.
"""
