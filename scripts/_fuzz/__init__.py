"""The parts of scripts/fuzz.py.

bodies.py     traces that may be asked for, drawn from the schemas' own lists
mutations.py  what may be wrong with a body: a value, its JSON, its bytes
messages.py   one message for each number: traces, every other route, and no HTTP at all
exchange.py   sends bytes and reads an answer
checks.py     what must be true of every answer
"""
