"""The schemas of the API's requests and responses, which are validated here and nowhere else.

No class is shared with `model`: `TraceRequest.to_inputs` converts a request to what `model` takes.
"""

from server.api.analyses import Analyse
from server.api.schemas.dossier import Dossier
from server.api.schemas.masks import Masks
from server.api.schemas.requests import Predict, TraceRequest
from server.api.schemas.responses import (
    ErrorResponse,
    FilmResponse,
    HeadsResponse,
    HealthResponse,
    Model,
    ModelsResponse,
    TraceResponse,
)
from server.api.schemas.select import DType, Select

__all__ = [
    "Analyse",
    "DType",
    "Dossier",
    "ErrorResponse",
    "FilmResponse",
    "HeadsResponse",
    "HealthResponse",
    "Masks",
    "Model",
    "ModelsResponse",
    "Predict",
    "Select",
    "TraceRequest",
    "TraceResponse",
]
