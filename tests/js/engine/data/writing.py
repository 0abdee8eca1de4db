"""How Python writes what the tests of the page's engine expect."""

import json
from typing import Any

from torch import Tensor


def listed(tensor: Tensor) -> dict[str, Any]:
    """A tensor as the engine has them, with seven digits."""
    numbers = [float(f"{number:.7g}") for number in tensor.flatten().tolist()]
    return {"shape": list(tensor.shape), "data": [int(x) if x.is_integer() else x for x in numbers]}


def written(content: Any) -> str:
    """Compact JSON, with a line for each entry of its longest list."""
    cases = content if isinstance(content, list) else content["cases"]
    text = json.dumps(content, separators=(",", ":"))
    for case in cases:
        line = json.dumps(case, separators=(",", ":"))
        text = text.replace(line, f"\n{line}")
    return text + "\n"
