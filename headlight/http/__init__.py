"""How the clients talk to a server: what to ask, the connection, and how answers are read."""
