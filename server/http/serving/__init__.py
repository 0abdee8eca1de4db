"""Serving the app on one machine: processes, connections and their limits.

local        entry point of `headlight serve`: starts the supervisor
listening    opens the sockets
supervisor   the parent process: starts the workers and replaces any that exit
worker       one serving process: uvicorn's server with our protocol and a graceful shutdown
protocol     one connection: time and size limits, errors in the common JSON shape
handshake    one connection before its TLS handshake is done
connections  all connections of a worker: how many are open, which are idle, unread responses
"""
