"""What goes over the wire: requests and answers, checked here and nowhere else.

Names and shapes are those of the design. No class is shared with `model`;
`TraceRequest.to_inputs` is the one bridge.
"""

from server.schemas.masks import Masks
from server.schemas.requests import Analyse, Predict, TraceRequest
from server.schemas.responses import (
    ErrorResponse,
    HeadsResponse,
    HealthResponse,
    Model,
    ModelsResponse,
    TraceResponse,
)
from server.schemas.select import DType, Select

__all__ = [
    "Analyse",
    "DType",
    "ErrorResponse",
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
