"""OpenAI's Swarm with its defaults. Address and key come from the environment."""

from playing import HELLO, MODEL, equal, play_all, scenario
from swarm import Agent, Swarm

client = Swarm()


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


play_all("openai-swarm", "openai")
