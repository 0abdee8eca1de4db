"""How the app is served on one machine: processes, connections, limits, and what happens to them.

local        what `headlight serve` runs: it listens, and starts the supervisor
supervisor   the first process: starts the workers and replaces those that end
worker       one process that answers: uvicorn's server with our protocol, and an orderly stop
protocol     one connection: time limits, sizes, errors in the one shape
handshake    one connection before it is encrypted
connections  all connections of a worker: how many, which are idle, what they have not read yet
"""
