"""What is read of a run in the place of what the model predicts: a probe, a likeness, a loss."""
