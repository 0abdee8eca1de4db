"""Join codes, which people read off a wall, and tokens, which nobody ever reads."""

import hashlib
import re
import secrets
import unicodedata

# without vowels, so that no code is a word, and without letters that look like digits
ALPHABET = "BCDFGHJKMNPQRTVWXYZ2346789"
# 8 billion codes. Wrong ones are not refused, which would keep everybody out while somebody tries
# them: at 1,000 a second for the half day that a class lasts, a given class is found with a chance
# of 0.5%, and what is found then is a seat in it.
LENGTH = 7
TEACHER, PARTICIPANT = "t_", "p_"  # how a token begins
_TOKEN = re.compile(r"[tp]_[A-Za-z0-9_-]{24,60}")


def new_code() -> str:
    """A random join code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """A code as somebody typed it, in any case and width, with spaces or dashes; None for none."""
    code = re.sub(r"[\s-]", "", unicodedata.normalize("NFKC", typed[:40])).upper()
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def shown_code(code: str) -> str:
    """A code in two parts, as it is read aloud: ABC DEFG."""
    return f"{code[:3]} {code[3:]}"


def new_token(kind: str) -> str:
    """A secret that says who somebody is: 192 bits."""
    return kind + secrets.token_urlsafe(24)


def is_token(text: str, kind: str) -> bool:
    """Whether a text has the form of a token of that kind."""
    return text.startswith(kind) and _TOKEN.fullmatch(text) is not None


def digest(token: str) -> str:
    """What the store keeps of a token: its SHA-256, which opens nothing."""
    return hashlib.sha256(token.encode()).hexdigest()
