"""Downloads from the web: allowed addresses, requests, and resuming."""
