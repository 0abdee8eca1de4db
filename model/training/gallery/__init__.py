"""Makes the gallery of a checkpoint: the examples, and what is said about each."""
