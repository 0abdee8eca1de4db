"""The API against its own description: no request causes a 5xx, and answers match the schemas."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.app import create_app
from server.settings import Settings

pytestmark = pytest.mark.long

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FUZZ = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=False,  # each test names its seed
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def schema(tiny_folder: Path) -> BaseSchema:
    app = create_app(Settings(shipped=tiny_folder))
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def fuzz(schema: BaseSchema, path: str, method: str, mode: GenerationMode, number: int) -> set[int]:
    """Send requests that the description allows, or does not; returns the statuses."""
    accept = {"Accept": "application/safetensors" if number % 2 else "application/json"}
    seen: set[int] = set()

    @seed(number)
    @FUZZ
    @given(schema[path][method].as_strategy(generation_mode=mode))
    def send(case: schemathesis.Case[Any]) -> None:
        response = case.call(headers=accept)
        seen.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    send()
    return seen


@pytest.mark.parametrize("number", range(4))
def test_no_valid_request_breaks_the_server(schema: BaseSchema, number: int) -> None:
    seen = fuzz(schema, "/api/trace", "POST", GenerationMode.POSITIVE, number)
    assert {200, 422} <= seen  # some point at layers or rows that are not there


@pytest.mark.parametrize("number", range(4))
def test_no_invalid_request_breaks_the_server(schema: BaseSchema, number: int) -> None:
    seen = fuzz(schema, "/api/trace", "POST", GenerationMode.NEGATIVE, number)
    assert 200 not in seen
    assert 422 in seen


@pytest.mark.parametrize("number", range(2))
def test_no_name_of_a_model_breaks_the_server(schema: BaseSchema, number: int) -> None:
    path = "/api/models/{name}/heads"
    assert fuzz(schema, path, "GET", GenerationMode.POSITIVE, number) == {404}


def test_heads_of_a_model_are_as_described(schema: BaseSchema) -> None:
    case = schema["/api/models/{name}/heads"]["GET"].Case(path_parameters={"name": "shipped"})
    response = case.call()
    assert response.status_code in (200, 202)
    case.validate_response(response, checks=CHECKS)


@pytest.mark.parametrize("path", ["/api/models", "/healthz", "/readyz", "/metrics"])
def test_what_takes_no_request_answers_as_described(schema: BaseSchema, path: str) -> None:
    case = schema[path]["GET"].Case()
    case.validate_response(case.call(), checks=CHECKS)
