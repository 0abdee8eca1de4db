"""Mechanisms without a trained model: their layers and weights, and the words that they read."""
