"""Draws values that a JSON schema allows, as pydantic writes it."""

from collections.abc import Mapping
from random import Random
from typing import Any

Schema = Mapping[str, Any]


def options(rng: Random, schema: Schema) -> dict[str, Any]:
    """An object with its required fields, and some of the others."""
    parts, required = schema.get("$defs", {}), schema.get("required", ())
    return {
        name: value(rng, field, parts)
        for name, field in schema["properties"].items()
        if name in required or rng.random() < 0.6
    }


def value(rng: Random, field: Schema, parts: Mapping[str, Schema]) -> Any:
    """A value of one field; `parts` are the schemas that it may refer to."""
    field = rng.choice(field.get("anyOf", [field]))
    if "$ref" in field:
        return options(rng, {**parts[field["$ref"].rpartition("/")[2]], "$defs": parts})
    if "const" in field or "enum" in field:
        return rng.choice(field.get("enum", [field.get("const")]))
    match field["type"]:
        case "null":
            return None
        case "boolean":
            return rng.random() < 0.5
        case "integer":
            return number(rng, field["minimum"], field["maximum"])
        case "number":
            return rng.choice(
                (0.0, 0.5, 1.0, field.get("minimum", -2.0), field.get("maximum", 2.0))
            )
        case "string":
            return rng.choice(("", "the cat", "Maria saw herself."))
        case "array":
            least, most = field.get("minItems", 0), field.get("maxItems", 4)
            n = rng.randint(least, max(least, min(most, 4)))
            items = [value(rng, field["items"], parts) for _ in range(n)]
            return sorted(set(items)) if all(type(item) in (int, str) for item in items) else items
        case "object":
            return options(rng, {"properties": {}, **field, "$defs": parts})
        case other:
            raise NotImplementedError(f"Teach the fuzzer to draw a value of the type {other}.")


def number(rng: Random, least: int, most: int) -> int:
    """Usually a small number, now and then one at a limit."""
    few = (least, least + 1, (least + most) // 8, most) if rng.random() < 0.05 else (1, 2, 4)
    return min(most, max(least, rng.choice(few)))
