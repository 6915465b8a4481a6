"""pydantic-ai with its defaults. Address and key come from the environment."""

import asyncio

from playing import HELLO, SAID, Guest, equal, get_weather, play_all, scenario
from pydantic_ai import Agent

MODEL = "openai:helix-v1"


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


play_all("pydantic-ai-slim", "openai")
