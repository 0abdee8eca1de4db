"""Training by hand: small tasks, and small networks that learn them while one watches."""
