"""Opens a checkpoint: finds its folder, reads its weights, and tries it before it is used."""
