"""Score Image Model and Evaluate Model: inference backends, tables and metrics."""
