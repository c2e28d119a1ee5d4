"""Init and Apply Image Transformation, and their operations."""
