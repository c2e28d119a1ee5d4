"""What errors and problems say: one table of sentences a family, written from facts."""
