"""Every setting of the server, read from HEADLIGHT_* variables when it starts."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def _split(entries: Any) -> Any:
    """A list in one variable: JSON, or separated by commas."""
    if not isinstance(entries, str):
        return entries
    if entries.lstrip().startswith(("[", "{")):
        try:
            found = json.loads(entries)
        except ValueError as error:
            raise ValueError(
                f"expected a JSON list, or entries separated by commas: {error}"
            ) from None
        if not isinstance(found, list):
            raise ValueError("expected a JSON list, or entries separated by commas")
        return tuple(found)
    return tuple(part.strip() for part in entries.split(",") if part.strip())


class Settings(BaseSettings):
    """How this server runs and what it refuses. Frozen: a running server never changes its mind."""

    model_config = SettingsConfigDict(env_prefix="HEADLIGHT_", frozen=True)

    host: str = Field(
        default="127.0.0.1", description="Address to listen on; 0.0.0.0 for a class room."
    )
    port: int = Field(default=8000, ge=0, le=65_535, description="Port to listen on.")
    workers: int = Field(
        default=1, ge=1, le=64, description="Processes; as many as cores to keep busy."
    )
    log_level: Literal["critical", "error", "warning", "info", "debug"] = Field(
        default="info",
        description="What is logged; only debug logs each request, with its address.",
    )
    shutdown_timeout_s: int = Field(
        default=10,
        ge=0,
        description="Seconds that open requests get to finish when the server stops.",
    )
    shipped: Path | None = Field(
        default=None,
        description="Folder of the model named `shipped`; unset, the one in this package.",
    )

    lessons: Path | None = Field(
        default=None,
        description="Folder of lessons of your own, listed after the course; docs/lessons.md tells "
        "how to write one.",
    )

    models: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = Field(
        default=(),
        description="Checkpoints served beside the shipped model, as [NAME=]FOLDER or "
        "[NAME=]HUB_ID, separated by commas (or a JSON list).",
    )
    model_bytes: int = Field(
        default=4 * 1024**3,
        ge=1,
        description="Memory for the weights of loaded models, a worker: past it, the model that "
        "was used longest ago is unloaded.",
    )

    max_texts: int = Field(default=8, ge=1, description="Texts in one request.")
    max_characters: int = Field(
        default=20_000, ge=1, description="Characters (code points) of one text."
    )
    max_tokens: int = Field(
        default=1_024, ge=1, description="Tokens of one text; a model's own limit may be lower."
    )
    max_body_bytes: int = Field(default=262_144, ge=1, description="Bytes of one request.")
    max_answer_bytes: int = Field(
        default=128 * 1024**2,
        ge=1,
        description="Bytes of one answer, estimated before it is computed.",
    )

    max_mute_tokens: int = Field(
        default=32_768,
        ge=1,
        description="Tokens that `mute_effects` may run for one request: "
        "texts · tokens · heads of all layers.",
    )

    cache_bytes: int = Field(
        default=256 * 1024**2,
        ge=0,
        description="Memory for what was computed before, a worker.",
    )
    concurrency: int = Field(
        default=1, ge=1, le=64, description="Requests computed at once, a worker."
    )
    queue_size: int = Field(
        default=32, ge=0, le=1_000, description="Requests that may wait for their turn, a worker."
    )
    queue_timeout_s: float = Field(
        default=30,
        gt=0,
        description="Seconds that a request waits for its turn before it gets a 503.",
    )
    load_timeout_s: float = Field(
        default=60, gt=0, description="Seconds that a request waits for its model to load."
    )
    torch_threads: int = Field(
        default=1,
        ge=1,
        le=256,
        description="Threads of one computation. More workers beat more threads.",
    )
