"""What problems and refusals of pipelines say: tables of sentences, written from facts."""
