"""CrewAI with its defaults. Address and key come from the environment."""

import logging
import os

# It keeps files in HOME, and would send statistics.
os.environ.update(HOME=os.getcwd(), CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true", CREWAI_TRACING_ENABLED="false")

# A warning about each token count.
logging.getLogger("crewai").setLevel(logging.ERROR)

import httpx
import litellm
from crewai import LLM, Agent, Crew, Process, Task
from crewai.tools import tool
from playing import HELLO, MODEL, SAID, Guest, equal, get_weather, play_all, scenario

WEATHER = 'call the tool get_weather {"city": "Paris"}'


weather = tool("get_weather")(get_weather)


def look_up(number):
    @tool(f"look_up_{number}")
    def find(query: str) -> str:
        """Looks something up."""
        return f"{number} found {query}"

    find.description = "Looks something up. " * 200
    return find


def agent(role="Reporter", **options):
    llm = LLM(model=MODEL, provider="openai", **options.pop("llm", {}))
    return Agent(role=role, goal="Report the weather", backstory="You know it.", llm=llm, **options)


def kick_off(asked, worker, **options):
    task = Task(description=asked, expected_output="One sentence.", agent=worker, **options)
    return Crew(agents=[worker], tasks=[task]).kickoff()


@scenario("crew of one agent")
def one_agent():
    equal(kick_off("Say hello", agent()).raw, HELLO)


@scenario("agent with a tool")
def with_tool():
    equal(kick_off(WEATHER, agent(tools=[weather])).raw, SAID)


@scenario("agent with a tool, streamed")
def with_tool_streamed():
    equal(kick_off(WEATHER, agent(tools=[weather], llm={"stream": True})).raw, SAID)


@scenario("agent with 25 tools of 4,000 characters")
def many_tools():
    worker = agent(tools=[look_up(number) for number in range(25)])
    equal(kick_off('call the tool look_up_17 {"query": "it"}', worker).raw, "The tool said: 17 found it.")


@scenario("agent without a crew")
def alone():
    equal(agent(tools=[weather]).kickoff(WEATHER).raw, SAID)


@scenario("two agents, one after the other")
def sequence():
    workers = [agent("Reporter", tools=[weather]), agent("Editor")]
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
    equal(kick_off(WEATHER, agent(tools=[weather], llm={"api": "responses"})).raw, SAID)


@scenario("LiteLLM, agent with a tool")
def through_litellm():
    # An address in the environment alone selects LiteLLM. For its own clients only, CrewAI removes its mark of where a prompt
    # may be cached; and it describes tools in the prompt instead of sending them.
    ignored = []
    hooks = {"response": [lambda response: ignored.append(response.headers.get("x-helix-ignored-fields"))]}
    litellm.client_session = httpx.Client(event_hooks=hooks)
    llm = LLM(model=f"openai/{MODEL}")
    worker = Agent(role="Reporter", goal="Report the weather", backstory="You know it.", llm=llm, tools=[weather])
    equal(kick_off(WEATHER, worker).raw, SAID)
    equal(ignored, ["messages[0].cache_breakpoint, messages[1].cache_breakpoint"] * 2)


play_all("crewai", "litellm", "openai")
