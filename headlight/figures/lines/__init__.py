"""The lines view: queries on the left, keys on the right, lines as strong as the weights."""
