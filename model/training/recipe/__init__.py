"""The corpus, the training run, and what continues an interrupted one."""
