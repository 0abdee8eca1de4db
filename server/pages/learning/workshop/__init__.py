"""A workshop for a class: its games, the numbers in them, and the address that a class opens."""
