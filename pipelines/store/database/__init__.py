"""Database of a workspace: connections, rows, backups and migrations; only here is SQL used."""
