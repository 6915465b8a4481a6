"""What the scenarios of all Python clients share. Each prints `ok NAME` or `FAIL NAME: reason`."""

import sys
from importlib.metadata import version

from pydantic import BaseModel

MODEL = "helix-v1"
HELLO = "Hello, world!"
SAID = "The tool said: sunny in Paris."
scenarios = []


class Guest(BaseModel):
    name: str
    age: int


class Party(BaseModel):
    place: str
    outdoors: bool
    guests: list[Guest]


def scenario(name):
    def add(play):
        scenarios.append((name, play))
        return play

    return add


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def play_all(*packages):
    print(f"{', '.join(f'{name} {version(name)}' for name in packages)}, Python {sys.version.split()[0]}")
    failures = 0
    for name, play in scenarios:
        try:
            play()
            print(f"ok {name}")
        except Exception as error:
            failures += 1
            print(f"FAIL {name}: {type(error).__name__}: {str(error)[:600]}")
    sys.exit(1 if failures else 0)
