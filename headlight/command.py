"""The command `headlight`: enters the application and runs its command line."""

from importlib import import_module

from headlight.application import enter


def main() -> None:
    enter()
    import_module("server.cli").app(prog_name="headlight")
