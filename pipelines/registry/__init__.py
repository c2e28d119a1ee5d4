"""Registry of named pipelines, models and datasets."""
