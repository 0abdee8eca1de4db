"""Long texts: their strongest cells, and maps of them, without ever holding a whole pattern."""
