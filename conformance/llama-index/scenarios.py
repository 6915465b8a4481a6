"""llama-index with its defaults. Address and key come from the environment."""

import os
import sys
from importlib.metadata import version

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

MODEL = "helix-v1"
HELLO = "Hello, world!"
scenarios = []


def scenario(name):
    def add(play):
        scenarios.append((name, play))
        return play

    return add


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


# By default, its client for servers of this kind calls /v1/completions.
model = OpenAILike(model=MODEL, api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])


@scenario("complete")
def complete():
    equal(model.complete("Hi").text, HELLO)


@scenario("stream_complete")
def stream_complete():
    equal([part.text for part in model.stream_complete("Hi")][-1], HELLO)


@scenario("chat")
def chat():
    equal(model.chat([ChatMessage(role="user", content="Hi")]).message.content, HELLO)


def play_all():
    names = ["llama-index-llms-openai-like", "openai"]
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
