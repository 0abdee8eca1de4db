"""Attention, traces and the small transformer: PyTorch only, and it works in a notebook."""
