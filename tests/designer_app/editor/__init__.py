"""The mounted editor, on the server's side."""
