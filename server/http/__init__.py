"""What stands between a connection and the routes: serving, guards, middleware, metrics."""
