"""Draws values that a JSON schema allows, as pydantic writes it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Schema = Mapping[str, Any]
Draw = Callable[[Random], Any]


def options(rng: Random, schema: Schema, fitting: Mapping[str, Draw] = {}) -> dict[str, Any]:
    """An object with its required fields, and some of the others; `fitting` draws these fields."""
    parts, required = schema.get("$defs", {}), schema.get("required", ())
    return {
        name: fitting[name](rng) if name in fitting else value(rng, field, parts)
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
            least, most = field.get("minimum", -2.0), field.get("maximum", 2.0)
            return rng.choice(
                [each for each in (0.0, 0.5, 1.0, least, most) if least <= each <= most]
            )
        case "string":
            return rng.choice(("", "the cat", "Maria saw herself."))
        case "array":
            least, most = field.get("minItems", 0), field.get("maxItems", 4)
            n = rng.randint(least, max(least, min(most, 4)))
            items = [value(rng, field["items"], parts) for _ in range(n)]
            unique = all(type(item) in (int, str) for item in items) and len(set(items)) >= least
            return sorted(set(items)) if unique else items
        case "object":
            return options(rng, {"properties": {}, **field, "$defs": parts})
        case other:
            raise NotImplementedError(f"Teach the fuzzer to draw a value of the type {other}.")


def number(rng: Random, least: int, most: int) -> int:
    """Usually a small number, now and then one at a limit."""
    few = (least, least + 1, (least + most) // 8, most) if rng.random() < 0.05 else (1, 2, 4)
    return min(most, max(least, rng.choice(few)))
