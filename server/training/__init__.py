"""Training by hand on the server: runs in a folder, each trained by a process of its own."""
