"""The path map: the routes from a logit back to the tokens, each edge cut in a real run."""
