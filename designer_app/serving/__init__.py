"""Real-time endpoints: a registered model behind HTTP, in its own process."""
