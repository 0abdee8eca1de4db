"""Reads texts with a checkpoint's own tokenizer, and keeps the position of every token."""
