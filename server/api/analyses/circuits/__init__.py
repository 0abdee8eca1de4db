"""What the model is made of, and what goes from one part to another: logits, scores, directions."""
