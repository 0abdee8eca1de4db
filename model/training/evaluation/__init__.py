"""Measures a checkpoint on held-out sentences."""
