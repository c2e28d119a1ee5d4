"""Shapes shared by requests and responses, and the TypeScript generated from all shapes."""
