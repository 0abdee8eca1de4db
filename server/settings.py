"""Every setting of the server, read from HEADLIGHT_* variables when it starts."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from server.guard.hosts import check_names


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


class Placement(BaseModel):
    """Where the replicas of one model run in a cluster, and how many there are."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cpus: float = Field(default=1, ge=0, description="Cores that each replica takes.")
    memory_bytes: int | None = Field(
        default=None, ge=1, description="Memory that a node must have free for each replica."
    )
    resources: dict[str, float] = Field(
        default={},
        description="What else a node must offer, by Ray's own names: a label of large nodes.",
    )
    min_replicas: int | None = Field(default=None, ge=1, description="Unset, that of all models.")
    max_replicas: int | None = Field(default=None, ge=1, description="Unset, that of all models.")


def _or_none(text: Any) -> Any:
    """An empty variable is one that is not set: compose files pass such on."""
    return None if isinstance(text, str) and not text.strip() else text


def _long_enough(password: SecretStr | None) -> SecretStr | None:
    if password is not None and not 8 <= len(password) <= 200:
        raise ValueError("expected 8 to 200 characters")
    return password


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
    allowed_hosts: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(check_names)
    ] = Field(
        default=(),
        description="Names by which browsers may reach this server beside IP addresses, loopback "
        "names and the machine's own name: as example.org, or .example.org for all that end so, "
        "separated by commas; * is any.",
    )
    password: Annotated[
        SecretStr | None, BeforeValidator(_or_none), AfterValidator(_long_enough)
    ] = Field(
        default=None,
        description="Asked for before anything else is answered, but /healthz and /readyz; at "
        "least 8 characters. A browser gets a page and then a cookie; a program sends it as "
        "`Authorization: Bearer`, or as the password of HTTP Basic.",
    )
    log_level: Literal["critical", "error", "warning", "info", "debug"] = Field(
        default="info",
        description="What is logged; only debug logs each request, with its address.",
    )
    shutdown_timeout_s: int = Field(
        default=10,
        ge=0,
        description="Seconds that open requests get to finish when the server stops; what is not "
        "done by then gets a 503.",
    )
    certfile: Path | None = Field(
        default=None,
        description="Certificate (PEM) with which to serve https; unset, the server speaks http.",
    )
    keyfile: Path | None = Field(
        default=None, description="Key (PEM) of the certificate, if it has a file of its own."
    )
    max_connections: int = Field(
        default=2_000,  # a class of 200 with the six that a browser may open each, and some more
        ge=1,
        description="Open connections, a worker: past it, the longest idle are closed; with none "
        "idle, all but health checks get a 503.",
    )
    head_timeout_s: float = Field(
        default=10, gt=0, description="Seconds that a request line and its headers may take."
    )
    body_timeout_s: float = Field(
        default=30, gt=0, description="Seconds that a request's body may take."
    )
    idle_timeout_s: float = Field(
        default=75, gt=0, description="Seconds that a connection may stay open without a request."
    )
    write_timeout_s: float = Field(
        default=20,
        gt=0,
        description="Seconds that a client may leave its answer unread before it is cut off.",
    )
    sending_bytes: int = Field(
        default=256 * 1024**2,
        ge=1,
        description="Memory for answers that their clients have not read yet, a worker: past it, "
        "those who stopped reading are cut off, then requests get a 503.",
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

    max_work_s: float = Field(
        default=20,
        gt=0,
        description="Seconds of processor time of one request, estimated before it runs.",
    )

    cache_bytes: int = Field(
        default=256 * 1024**2,
        ge=0,
        description="Memory for what was computed before, a worker.",
    )
    answer_cache_bytes: int = Field(
        default=64 * 1024**2,
        ge=0,
        description="Memory for answers that may be asked for again, a worker.",
    )
    memory_bytes: int | None = Field(
        default=None,
        ge=1,
        description="Memory that a worker may take, models and all: near it caches are emptied, "
        "past it requests are refused; unset, 80% of the container or machine, shared out.",
    )
    concurrency: int = Field(
        default=1, ge=1, le=64, description="Requests computed at once, a worker."
    )
    compute_timeout_s: float = Field(
        default=60, gt=0, description="Seconds that one request may compute before it is stopped."
    )
    queue_size: int = Field(
        default=128, ge=0, le=1_000, description="Requests that may wait for their turn, a worker."
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

    cluster_min_replicas: int = Field(
        default=1, ge=1, le=1_000, description="Replicas of each model with --engine ray, at least."
    )
    cluster_max_replicas: int = Field(
        default=4, ge=1, le=1_000, description="Replicas of each model with --engine ray, at most."
    )
    cluster_target_queue: float = Field(
        default=4,
        gt=0,
        description="Requests that one replica has on average, computed and waiting: with more, "
        "--engine ray adds replicas, with fewer it drains some.",
    )
    cluster_models: dict[str, Placement] = Field(
        default={},
        description='What single models need with --engine ray, as JSON: {"my-bert": {"cpus": 4, '
        '"memory_bytes": 8000000000, "resources": {"large": 1}, "max_replicas": 2}}.',
    )

    @model_validator(mode="after")
    def _replicas_fit(self) -> "Settings":
        for name, own in {"every model": Placement(), **self.cluster_models}.items():
            least = own.min_replicas or self.cluster_min_replicas
            most = own.max_replicas or self.cluster_max_replicas
            if least > most:
                raise ValueError(
                    f"expected min_replicas to be at most max_replicas; {name} has {least} and "
                    f"{most}"
                )
        return self
