"""The HTTP API: its routes, its schemas, and the answers that they give."""
