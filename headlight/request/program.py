"""A request as the Python program that makes its run again."""

from collections.abc import Mapping
from typing import Any

from headlight.request.request import Request

NAMED = ("weights", "revision")  # what tells a model from others of its name
_WIDTH = 100


def program(client: str, request: Request, model: str, about: Mapping[str, Any]) -> str:
    """The program. `client` is the expression that makes the client, `about` is of the model."""
    arguments = [] if request.ids is not None else [repr(request.given_texts)]
    arguments += [
        f"{name}={value!r}" for name, value in (request.options() | {"model": model}).items()
    ]
    call = f"run = hl.trace({', '.join(arguments)})"
    if len(call) > _WIDTH:
        lines = "".join(f"    {argument},\n" for argument in arguments)
        call = f"run = hl.trace(\n{lines})"
    known = ", ".join(f"{name} {about[name]}" for name in NAMED if about.get(name))
    return "\n".join(
        [
            "import headlight",
            "",
            f"hl = {client}",
            *([f"# {model} had the {known}"] if known else []),
            call,
        ]
    )
