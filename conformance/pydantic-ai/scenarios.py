"""pydantic-ai with its defaults. Address and key come from the environment."""

import asyncio
import sys
from importlib.metadata import version

from pydantic import BaseModel
from pydantic_ai import Agent

MODEL = "openai:helix-v1"
HELLO = "Hello, world!"
SAID = "The tool said: sunny in Paris."
scenarios = []


class Guest(BaseModel):
    name: str
    age: int


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


@scenario("run")
def pydantic_run():
    equal(Agent(MODEL).run_sync("Hi").output, HELLO)


@scenario("tool loop")
def pydantic_tools():
    agent = Agent(MODEL, tools=[get_weather])
    equal(agent.run_sync("weather Paris").output, SAID)


@scenario("streamed")
def pydantic_streamed():
    async def play():
        async with Agent(MODEL).run_stream("Hi") as result:
            return await result.get_output()

    equal(asyncio.run(play()), HELLO)


@scenario("structured output")
def structured():
    # It asks for the object as the arguments of a tool, which has to be called.
    equal(isinstance(Agent(MODEL, output_type=Guest).run_sync("plan").output, Guest), True)


def play_all():
    names = ["pydantic-ai-slim", "openai"]
    print(f"{', '.join(f'{name} {version(name)}' for name in names)}, Python {sys.version.split()[0]}")
    failures = 0
    for name, play in scenarios:
        try:
            play()
            print(f"ok {name}")
        except Exception as error:
            failures += 1
            print(f"FAIL {name}: {type(error).__name__}: {str(error)[:600]}")
    return 1 if failures else 0


sys.exit(play_all())
