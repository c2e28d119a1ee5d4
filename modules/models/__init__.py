"""Networks, their weights, their cost and their files."""
