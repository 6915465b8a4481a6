"""CrewAI with its defaults. Address and key come from the environment."""

import logging
import os
import sys
from importlib.metadata import version

# It keeps files in HOME, and would send statistics.
os.environ.update(HOME=os.getcwd(), CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true", CREWAI_TRACING_ENABLED="false")

# A warning about each token count.
logging.getLogger("crewai").setLevel(logging.ERROR)

from crewai import LLM, Agent, Crew, Process, Task
from crewai.tools import tool
from pydantic import BaseModel

HELLO = "Hello, world!"
SAID = "The tool said: sunny in Paris."
WEATHER = 'call the tool get_weather {"city": "Paris"}'
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


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def look_up(number):
    @tool(f"look_up_{number}")
    def find(query: str) -> str:
        """Looks something up."""
        return f"{number} found {query}"

    find.description = "Looks something up. " * 200
    return find


def agent(role="Reporter", **options):
    llm = LLM(model="helix-v1", provider="openai", **options.pop("llm", {}))
    return Agent(role=role, goal="Report the weather", backstory="You know it.", llm=llm, **options)


def kick_off(asked, worker, **options):
    task = Task(description=asked, expected_output="One sentence.", agent=worker, **options)
    return Crew(agents=[worker], tasks=[task]).kickoff()


@scenario("crew of one agent")
def one_agent():
    equal(kick_off("Say hello", agent()).raw, HELLO)


@scenario("agent with a tool")
def with_tool():
    equal(kick_off(WEATHER, agent(tools=[get_weather])).raw, SAID)


@scenario("agent with a tool, streamed")
def with_tool_streamed():
    equal(kick_off(WEATHER, agent(tools=[get_weather], llm={"stream": True})).raw, SAID)


@scenario("agent with 25 tools of 4,000 characters")
def many_tools():
    worker = agent(tools=[look_up(number) for number in range(25)])
    equal(kick_off('call the tool look_up_17 {"query": "it"}', worker).raw, "The tool said: 17 found it.")


@scenario("agent without a crew")
def alone():
    equal(agent(tools=[get_weather]).kickoff(WEATHER).raw, SAID)


@scenario("two agents, one after the other")
def sequence():
    workers = [agent("Reporter", tools=[get_weather]), agent("Editor")]
    tasks = [
        Task(description=WEATHER, expected_output="One sentence.", agent=workers[0]),
        Task(description="Say hello", expected_output="One sentence.", agent=workers[1]),
    ]
    outputs = Crew(agents=workers, tasks=tasks, process=Process.sequential).kickoff().tasks_output
    equal([output.raw for output in outputs], [SAID, HELLO])


@scenario("delegation to another agent")
def delegation():
    boss, worker = agent("Boss", allow_delegation=True), agent("Reporter")
    asked = '{"task": "Say hello", "context": "None", "coworker": "Reporter"}'
    task = Task(description=f"call the tool delegate_work_to_coworker {asked}", expected_output="One sentence.", agent=boss)
    equal(Crew(agents=[boss, worker], tasks=[task]).kickoff().raw, f"The tool said: {HELLO}.")


@scenario("structured output")
def structured():
    equal(type(kick_off("Plan", agent(), output_pydantic=Guest).pydantic), Guest)


@scenario("Responses API with a tool")
def responses():
    equal(kick_off(WEATHER, agent(tools=[get_weather], llm={"api": "responses"})).raw, SAID)


@scenario("LiteLLM, agent with a tool")
def litellm():
    llm = LLM(model="openai/helix-v1", base_url=os.environ["OPENAI_BASE_URL"])
    worker = Agent(role="Reporter", goal="Report the weather", backstory="You know it.", llm=llm, tools=[get_weather])
    equal(kick_off(WEATHER, worker).raw, SAID)


def play_all():
    names = ["crewai", "litellm", "openai"]
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
