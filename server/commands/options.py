"""The options that several commands take, as they are declared, and what they mean."""

import json
import sys
from typing import Annotated, Any, TypeAlias

import typer

from headlight.errors import UnknownNameError
from headlight.names import check_names

Text: TypeAlias = Annotated[
    str, typer.Argument(help="The text to trace; - reads it from the standard input.")
]
Model: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="LOCATION", help="A folder or a hub id; by default the shipped model."),
]
Models: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]LOCATION",
        help="A checkpoint to serve besides the shipped one: a folder, or a hub id, which is "
        "downloaded once. Can be given several times.",
    ),
]
Host: TypeAlias = Annotated[str | None, typer.Option(help="The address to listen on.")]
Port: TypeAlias = Annotated[
    int | None,
    typer.Option(help="The port to listen on; 0 takes a free one.", min=0, max=65535),
]
Mask: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="One of the `masks` of a request, such as causal=false or window=3. Can be given "
        "several times.",
    ),
]
Mute: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LAYER.HEAD",
        help="A head to mute, such as 2.3; in an encoder–decoder also 2.3.cross. Can be given "
        "several times.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def text_of(given: str) -> str:
    """The text itself, or what the standard input holds."""
    return sys.stdin.read().rstrip("\n") if given == "-" else given


def masks_of(named: list[str] | None) -> dict[str, Any]:
    """Each NAME=VALUE as a field of a request; a value that is not JSON is a plain word."""
    from server.api.schemas import Masks

    found = {}
    for each in named or ():
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"expected NAME=VALUE, such as window=3; got {each!r}.", param_hint="--mask"
            )
        try:
            check_names([name], Masks.model_fields)
        except UnknownNameError as error:
            raise typer.BadParameter(error.message, param_hint="--mask") from None
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def heads_of(named: list[str] | None, option: str = "--mute") -> list[list[Any]]:
    """Each LAYER.HEAD or LAYER.HEAD.KIND as a request has it: [2, 3] or [2, 3, "cross"]."""
    found: list[list[Any]] = []
    for each in named or ():
        layer, _, rest = each.partition(".")
        head, *kind = rest.split(".", 1)
        if not (layer.isdecimal() and head.isdecimal()):
            raise typer.BadParameter(
                f"expected LAYER.HEAD, such as 2.3; got {each!r}.", param_hint=option
            )
        found.append([int(layer), int(head), *kind])
    return found
