"""What weights say: heads and neurons over the vocabulary, and pairs of heads."""
