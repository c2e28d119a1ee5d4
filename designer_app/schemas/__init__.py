"""Shapes of requests, and the TypeScript generated from all shapes."""
