"""Heat maps: the pixels that a prediction depends on."""
