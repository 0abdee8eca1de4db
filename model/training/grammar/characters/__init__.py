"""Chinese again, for a model that reads it character by character."""
