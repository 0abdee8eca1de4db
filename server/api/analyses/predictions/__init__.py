"""Analyses of what a model predicts: the logit lens, branches, and what mutes do to it."""
