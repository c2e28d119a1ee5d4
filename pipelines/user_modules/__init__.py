"""Module files of users, loaded and called in separate processes."""
