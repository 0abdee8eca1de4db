"""What a run of a checkpoint of any family wrote to its residual stream, found by data flow."""
