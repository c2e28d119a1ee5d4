"""What is in an artifact, told for people: read from its files, without torch and without a UI."""
