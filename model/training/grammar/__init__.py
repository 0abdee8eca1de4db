"""The sentences that the model learns from, and those that training never shows."""
