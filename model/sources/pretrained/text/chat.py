"""A conversation as the text that a checkpoint's chat template makes of it."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from model.errors import InputError
from model.sources.source import ChatMessage

RENDERING = Path(__file__).with_name("rendering.py")
MAX_S = 5  # for one conversation
MAX_CHARACTERS = 1_000_000


def chat_text(template: str, tokens: Mapping[str, str], messages: Sequence[ChatMessage]) -> str:
    """The text of a conversation, up to where the assistant would go on.

    The template runs in jinja's sandbox, as in Transformers, and in a process of its own, whose
    time, memory and output have limits. After a message of the assistant nothing is begun.

    Args:
        tokens: the special tokens that a template may write, by the name of each ("bos_token").

    Raises:
        InputError: the template refuses the messages, or exceeds a limit.
    """
    return _rendered(template, tuple(sorted(tokens.items())), tuple(messages))


@lru_cache(256)
def _rendered(
    template: str, tokens: tuple[tuple[str, str], ...], messages: tuple[ChatMessage, ...]
) -> str:
    goes_on = messages[-1].role != "assistant"
    given = {
        "template": template,
        "most": MAX_CHARACTERS,
        "with": {
            **dict(tokens),
            "messages": [message._asdict() for message in messages],
            "add_generation_prompt": goes_on,
            "tools": None,
            "documents": None,
        },
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(RENDERING)],
            input=json.dumps(given),
            capture_output=True,
            encoding="utf-8",
            timeout=MAX_S,
            check=True,
        )
        answer: dict[str, str] = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"The model's chat template took more than {MAX_S} s. Send the text of the "
            "conversation instead.",
            field="messages",
        ) from error
    except (subprocess.CalledProcessError, ValueError) as error:  # the system ended it
        answer = {"error": f"it ended with {error}"}
    if "error" in answer:
        raise InputError(
            f"The model's chat template refused the messages: {answer['error'].rstrip('.')}.",
            field="messages",
        )
    return answer["text"]
