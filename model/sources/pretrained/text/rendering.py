"""Renders one chat template: a program of its own, which reads JSON and writes JSON.

A template is code of whoever made the checkpoint. Jinja's sandbox keeps it from all but text; that
it ends, and how much memory it takes, is for the process to limit. It imports nothing of
Headlight, so that it starts in a moment.
"""

import json
import sys
from datetime import datetime
from typing import Any

import jinja2
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

MEMORY = 1 << 30  # bytes of address space, Python's own included


class Generation(Extension):
    """{% generation %} … {% endgeneration %}: what an assistant said, which training looks for."""

    tags = {"generation"}  # noqa: RUF012 - as jinja has it

    def parse(self, parser: Any) -> Any:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.Scope(body, lineno=line)


def to_json(value: Any, **how: Any) -> str:
    """As json.dumps; jinja's own escapes what HTML would."""
    return json.dumps(value, **{"ensure_ascii": False, **how})


def refuse(message: str) -> None:
    """What templates call `raise_exception`."""
    raise jinja2.TemplateError(message)


def rendered(given: dict[str, Any]) -> str:
    """The text of a conversation.

    Raises:
        jinja2.TemplateError: the template is not one, or refuses the messages.
        ValueError: the text is too long.
    """
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals |= {
        "raise_exception": refuse,
        "strftime_now": lambda form: datetime.now().strftime(form),
    }
    template = environment.from_string(given["template"])
    parts, length = [], 0
    for part in template.generate(**given["with"]):
        parts.append(part)
        length += len(part)
        if length > given["most"]:
            raise ValueError(f"the text has more than {given['most']:,} characters")
    return "".join(parts)


if __name__ == "__main__":
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except ImportError:  # of Unix alone: elsewhere only time and output have limits
        pass
    try:
        answer = {"text": rendered(json.load(sys.stdin))}
    except MemoryError:
        answer = {"error": "it needs too much memory"}
    except Exception as error:  # a template may do anything wrong
        answer = {"error": str(error) or type(error).__name__}
    json.dump(answer, sys.stdout)
