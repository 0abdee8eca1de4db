"""What goes over the wire: requests and answers, checked here and nowhere else.

Names and shapes are those of the design. No class is shared with `model`;
`TraceRequest.to_inputs` is the one bridge.
"""

from server.schemas.requests import (
    Analyse,
    DType,
    Masks,
    Predict,
    Select,
    TraceRequest,
)
from server.schemas.responses import (
    ErrorResponse,
    HeadsResponse,
    HealthResponse,
    Model,
    ModelsResponse,
    TraceResponse,
)

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
