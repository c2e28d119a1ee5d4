"""Image loading: from files to batches of pixels, by decoding, caches and samplers."""
