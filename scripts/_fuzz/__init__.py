"""The parts of scripts/fuzz.py.

bodies.py     valid trace requests, made from the lists in the schemas
mutations.py  breaks a body: its values, its JSON, its bytes
messages.py   the message for each number: traces, all other routes, and bytes that are not HTTP
exchange.py   sends bytes and reads a response
checks.py     checks every response
"""
