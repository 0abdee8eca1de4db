"""Your own arrays as pictures in a notebook: patterns, or q, k and v, of any model and library."""

from headlight.own.show import show

__all__ = ["show"]
