"""One server, as the clients know it: how to ask it for a trace, and what it takes at once."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from headlight.errors import RequestError
from headlight.http.answer import Answer, read
from headlight.http.limits import Limits
from headlight.http.replies import json_replied, replied
from headlight.http.steps import Call, Reply, Steps

PATIENCE_S = 300.0  # for a busy server, and for a model that is loading
SAFETENSORS = "application/safetensors"


class Connection:
    """What all calls to one server share."""

    def __init__(self, address: str, made: str, patience_s: float = PATIENCE_S) -> None:
        self.address = address
        self.made = made  # the expression that made its client, for programs
        self.patience_s = patience_s
        self.limits = Limits()
        self._models: dict[str, dict[str, Any]] = {}

    def get(self, path: str) -> Steps[Reply]:
        return (yield from replied(Call("GET", path), self.patience_s))

    def post(self, body: Mapping[str, Any], accept: str = SAFETENSORS) -> Steps[Reply]:
        """The reply to POST /api/trace."""
        call = Call("POST", "/api/trace", encoded(body), accept)
        return (yield from replied(call, self.patience_s))

    def trace(self, body: Mapping[str, Any]) -> Steps[Answer]:
        """The answer to POST /api/trace, with its tensors."""
        reply = yield from self.post(body)
        return read(reply.content)

    def models(self, name: str | None = None) -> Steps[list[dict[str, Any]]]:
        """Every model of the server, and the one of this name, if it is not listed."""
        path = "/api/models" + ("" if name is None else f"?{urlencode({'model': name})}")
        found = yield from json_replied(Call("GET", path), self.patience_s)
        models: list[dict[str, Any]] = found["models"]
        self._models |= {model["name"]: model for model in models if model["state"] == "ready"}
        return models

    def model(self, name: str) -> Steps[dict[str, Any]]:
        """A model that has been loaded: its sizes, and the hash of its weights."""
        if name not in self._models:
            yield from self.models(name)
        try:
            return self._models[name]
        except KeyError:
            raise RequestError(
                f"There is no model {name} that is loaded.", code="unknown_model", field="model"
            ) from None

    def known(self, name: str) -> dict[str, Any] | None:
        """A model, as far as it has been asked for."""
        return self._models.get(name)


def encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair: the server says what is wrong with it
        return json.dumps(body).encode()
