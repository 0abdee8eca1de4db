"""The content policy of a page that is one file: it loads nothing, and runs only its own scripts.

Scripts are allowed by their hashes, so that no text in the page can ever become one. It stands in a
`<meta>` element, before everything that it governs.
"""

import base64
import hashlib
from collections.abc import Iterable

_RULES = {
    "default-src": "'none'",
    "style-src": "'unsafe-inline'",
    "img-src": "data: blob:",
    "worker-src": "blob:",  # the engine's worker, whose text is inside
    "connect-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
}


def policy_of(scripts: Iterable[str]) -> str:
    """The policy of a page with these inline scripts."""
    return _written({**_RULES, "script-src": _allowed(scripts)})


def shared_policy(scripts: Iterable[str]) -> str:
    """The policy of a page of the course, whose scripts and style sheets lie beside it.

    Args:
        scripts: that the page may also run itself.
    """
    own = {
        "script-src": f"'self' {_allowed(scripts)}",
        "style-src": "'self' 'unsafe-inline'",
    }
    return _written({**_RULES, "img-src": "'self' data: blob:", **own})


def _allowed(scripts: Iterable[str]) -> str:
    return " ".join(f"'sha256-{_hash(script)}'" for script in scripts)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _written(rules: dict[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in rules.items())
