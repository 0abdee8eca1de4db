"""Many replicas on many machines, with Ray Serve: `headlight serve --engine ray`.

    client ─▶ edge (Ray's proxy, every node, one port) ─▶ ingress ─▶ replica of a model

A replica is the whole app with the models of one deployment. The ingress is the same app without
models: it serves pages itself and forwards requests that need a model. It picks the replica by
model and text, so that the same text finds a warm cache.
"""
