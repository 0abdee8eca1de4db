"""A request as the Python program that makes its run again."""

from collections.abc import Mapping
from typing import Any

from headlight.request.request import Request

_WIDTH = 100


def program(client: str, request: Request, model: str, weights: Mapping[str, Any] | None) -> str:
    """The program. `client` is the expression that makes the client."""
    arguments = [repr(request.given_texts)]
    arguments += [
        f"{name}={value!r}" for name, value in (request.options() | {"model": model}).items()
    ]
    call = f"run = hl.trace({', '.join(arguments)})"
    if len(call) > _WIDTH:
        lines = "".join(f"    {argument},\n" for argument in arguments)
        call = f"run = hl.trace(\n{lines})"
    known = ", ".join(f"{name} {value}" for name, value in (weights or {}).items() if value)
    return "\n".join(
        [
            "import headlight",
            "",
            f"hl = {client}",
            *([f"# the weights of {model}: {known}"] if known else []),
            call,
        ]
    )
