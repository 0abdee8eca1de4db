"""Headlight over HTTP: it validates, runs a source, encodes the trace."""
