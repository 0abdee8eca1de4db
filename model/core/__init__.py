"""The small transformer: attention, its layers, its tokenizer, and its checkpoint on disk."""
