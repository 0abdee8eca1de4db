"""Many replicas on many machines, with Ray Serve: `headlight serve --engine ray`.

    client ─▶ edge (Ray's proxy, every node, one port) ─▶ ingress ─▶ replica of a model

A replica is the whole app with the models of one deployment. The ingress is the same app without
models: it answers pages itself, and hands what needs a model to a replica that it picks by model
and text, so that the same text finds a warm cache.
"""
