"""English: sentences built around relations between their words."""
