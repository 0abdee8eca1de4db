"""Reads what a saved figure says: the text in SVG and PDF, and the colours of its pixels."""

import re
import zlib
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from PIL import Image

_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_LITERAL = re.compile(rb"\(((?:[^()\\]|\\.)*)\)", re.DOTALL)


def saved(axes: Axes, ending: str, **options: Any) -> bytes:
    """A figure as a file."""
    file = BytesIO()
    axes.figure.savefig(file, format=ending, **options)  # type: ignore[union-attr]
    return file.getvalue()


def svg_texts(content: bytes) -> list[str]:
    """The text elements of an SVG file."""
    root = ElementTree.fromstring(content)
    return [
        "".join(one.itertext()).strip() for one in root.iter("{http://www.w3.org/2000/svg}text")
    ]


def pdf_texts(content: bytes) -> list[str]:
    """The text blocks of a PDF file, in characters as its fonts' ToUnicode maps give them."""
    streams = []
    for stream in _STREAM.findall(content):
        try:
            streams.append(zlib.decompress(stream))
        except zlib.error:
            continue  # an image
    maps = [stream for stream in streams if b"beginbfrange" in stream]
    assert maps, "the fonts have no ToUnicode map"
    for start, _, to in re.findall(rb"<(\w+)> <(\w+)> \[<(\w+)>", b"".join(maps)):
        assert start == to  # so that the codes in the text are Unicode
    return [
        b"".join(_unescaped(one) for one in _LITERAL.findall(block)).decode("utf-16-be")
        for stream in streams
        for block in re.findall(rb"BT\n(.*?)ET\n", stream, re.DOTALL)
    ]


def _unescaped(literal: bytes) -> bytes:
    return re.sub(rb"\\(.)", rb"\1", literal)


def pixels(axes: Axes, dpi: int = 144, **options: Any) -> NDArray[np.uint8]:
    """The figure as PNG, reopened: [row, column, (r, g, b, a)]."""
    with Image.open(BytesIO(saved(axes, "png", dpi=dpi, **options))) as image:
        return np.asarray(image.convert("RGBA"))


def cell_at(axes: Axes, image: NDArray[np.uint8], query: float, key: float) -> list[int]:
    """The colour of the picture at a cell."""
    x, y = axes.transData.transform((key, query))
    figure = axes.get_figure(root=True)
    assert figure is not None
    scale = len(image) / figure.bbox.height
    return [int(channel) for channel in image[-1 - round(y * scale), round(x * scale)]]
