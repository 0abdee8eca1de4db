"""Headlight in Python: what every attention head of a model looks at, as arrays and pictures.

This package talks to a server over HTTP. It imports neither torch nor the server.
"""
