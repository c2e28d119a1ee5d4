"""Ready-made pipelines with their guides and recorded runs, all in ``library``."""
