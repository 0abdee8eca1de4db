"""The endpoints, grouped by who uses them: people, programs or operators."""
