"""Train PyTorch Model: session, epochs, steps and checkpoints."""
