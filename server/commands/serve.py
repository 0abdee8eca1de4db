"""`headlight serve`: the page and the API."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from server.commands import options
from server.commands.common import override, read_settings, short_errors


def serve(
    host: options.Host = None,
    port: options.Port = None,
    workers: Annotated[int | None, typer.Option(help="The number of processes.")] = None,
    model: options.Models = None,
    certfile: Annotated[
        Path | None,
        typer.Option(help="A certificate (PEM), to serve over https instead of http."),
    ] = None,
    keyfile: Annotated[
        Path | None,
        typer.Option(help="The certificate's key (PEM), if it is in a separate file."),
    ] = None,
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option(help="Run on this machine, or on a Ray cluster (docs/scale.md)."),
    ] = "local",
) -> None:
    """Serve the page and the API.

    Every setting is also a HEADLIGHT_* variable; these options override the variables.
    """
    from server.http.serving.local import serve_locally
    from server.run.finding import build_registry, check_device, check_place, named

    models = json.dumps(model) if model else None
    given = {
        "HOST": host,
        "PORT": port,
        "WORKERS": workers,
        "MODELS": models,
        "CERTFILE": certfile,
        "KEYFILE": keyfile,
    }
    override(given)
    settings = read_settings()
    with short_errors():
        build_registry(settings)  # to report two models with the same name
        if engine == "ray":  # whose replicas may run on machines that have other folders
            from server.cluster.engine import serve_with_ray

            serve_with_ray(settings)
        else:
            check_device(settings)
            for entry in settings.models:
                check_place(*named(entry))
            serve_locally(settings)
