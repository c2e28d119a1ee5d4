"""Shapes of requests and responses, and the TypeScript generated from them."""
