"""Migrations of the database since version 1.0."""
