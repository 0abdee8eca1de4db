"""Bytes as characters that a page keeps as they are: 7 bits in each byte of UTF-8, where base64
has 6.

Of the 128 characters of one byte, 121 are safe in a script element and in a string of JavaScript.
Two of them have 14,641 values. 14 bits have 16,384: the others are characters of two bytes. So 14
bits always take two bytes. static/js/files/letters.js does the same.
"""

import numpy as np

# what the HTML parser changes, or ends an element; what ends a string; what editors change
_UNSAFE = '\0\t\n\r"<\\'
_SAFE = [chr(code) for code in range(128) if chr(code) not in _UNSAFE]
_OTHERS = range(0x100, 0x100 + 2**14 - len(_SAFE) ** 2)
_PAIRS = np.array(
    [(one + other).encode() for one in _SAFE for other in _SAFE]
    + [chr(code).encode() for code in _OTHERS]
)
_END = b"\x80"  # after it come zeros, as many as make the length a multiple of 7 bytes


def to_letters(content: bytes) -> str:
    """Any bytes as text without NUL, tabs, line breaks, quotation marks, `<` and backslashes."""
    filled = content + _END
    filled += bytes(-len(filled) % 7)
    sevens = np.zeros((len(filled) // 7, 8), dtype=np.uint8)
    sevens[:, 1:] = np.frombuffer(filled, dtype=np.uint8).reshape(-1, 7)
    shifts = np.array([42, 28, 14, 0], dtype=np.uint64)
    values = sevens.view(">u8") >> shifts & np.uint64(2**14 - 1)
    return str(_PAIRS[values].tobytes(), "utf-8")
