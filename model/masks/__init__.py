"""Masks: the rules that block cells, and the mask of one site that they make together."""
