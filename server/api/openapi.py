"""The OpenAPI description of the API, for /docs and for programs."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from headlight import __version__
from server.api.schemas import TraceRequest

SCHEMAS = "#/components/schemas/"

_DESCRIPTION = """\
What every attention head of a real transformer looks at, with every number open to inspection.

    curl -s http://127.0.0.1:8000/api/trace -H 'Content-Type: application/json' \\
      -d '{"texts": ["The cat sat."], "select": {"layers": [1], "heads": [0]}}'
"""


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """The OpenAPI entry for the body of a route that parses its body itself."""
    schema = {"$ref": f"{SCHEMAS}{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def describe(app: FastAPI) -> dict[str, Any]:
    """The app's routes and limits in OpenAPI 3.1, built once."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title="Headlight API",
            version=__version__,
            description=_DESCRIPTION,
            routes=app.routes,
        )
        schemas = schema["components"]["schemas"]
        read = TraceRequest.model_json_schema(ref_template=SCHEMAS + "{model}")
        for name, part in ({"TraceRequest": read} | read.pop("$defs")).items():
            known = schemas.get(name, part)  # of FastAPI, which leaves out defaults of null
            same = known.get("properties", {}).keys() == part.get("properties", {}).keys()
            assert same, f"two schemas are named {name}"
            schemas[name] = part
        request = schemas["TraceRequest"]["properties"]
        settings = app.state.settings
        for field in ("texts", "targets", "pairs"):
            texts = request[field].get("anyOf", [request[field]])[0]
            texts["maxItems"] = settings.max_texts
            texts["items"]["maxLength"] = settings.max_characters
        request["ids"]["anyOf"][0]["maxItems"] = settings.max_texts
        app.openapi_schema = schema
    return app.openapi_schema
