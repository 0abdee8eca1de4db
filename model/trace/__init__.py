"""What one run recorded, and what is derived from it: sites, tensors, the stream, predictions."""
