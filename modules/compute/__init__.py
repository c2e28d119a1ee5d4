"""Settings of torch: ranks, precision, threads and timing."""
