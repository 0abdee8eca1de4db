"""Prints the description of the API, as /openapi.json has it."""

import json

from server.api.openapi import describe
from server.app import create_app
from server.settings import Settings

if __name__ == "__main__":
    print(json.dumps(describe(create_app(Settings(models=())))))
