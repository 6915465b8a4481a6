"""OpenAI's Swarm with its defaults. Address and key come from the environment."""

import sys
from importlib.metadata import version

from swarm import Agent, Swarm

MODEL = "helix-v1"
HELLO = "Hello, world!"
client = Swarm()
scenarios = []


def scenario(name):
    def add(play):
        scenarios.append((name, play))
        return play

    return add


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


poet = Agent(name="poet", model=MODEL, instructions="Answer in verse.")


def transfer_to_poet():
    """Hands the conversation over to the poet."""
    return poet


def get_weather(city: str, context_variables: dict) -> str:
    """The weather of a city."""
    return f"{context_variables['weather']} in {city}"


helper = Agent(name="helper", model=MODEL, functions=[transfer_to_poet, get_weather])


def ask(content, history=(), **options):
    messages = [*history, {"role": "user", "content": content}]
    return client.run(agent=helper, messages=messages, context_variables={"weather": "sunny"}, max_turns=5, **options)


@scenario("run")
def run():
    equal(ask("Hi").messages[-1]["content"], HELLO)


@scenario("function with context variables")
def function():
    equal(ask("weather Paris").messages[-1]["content"], "The tool said: sunny in Paris.")


@scenario("hand-off")
def hand_off():
    response = ask("call the tool transfer_to_poet")
    equal(response.agent.name, "poet")
    equal(response.messages[-1]["sender"], "poet")


@scenario("hand-off, streamed")
def hand_off_streamed():
    *_, last = ask("call the tool transfer_to_poet", stream=True)
    equal(last["response"].agent.name, "poet")


@scenario("conversation that continues after a hand-off")
def continued():
    history = ask("call the tool transfer_to_poet").messages
    equal(ask("Hi", history).messages[-1]["content"], HELLO)


def play_all():
    names = ["openai-swarm", "openai"]
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
