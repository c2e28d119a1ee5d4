"""Messages of problems and refusals of pipelines, with placeholders for facts."""
