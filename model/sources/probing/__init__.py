"""Linear probes, which are read in the place of what a model predicts."""
