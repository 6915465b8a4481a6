"""llama-index with its defaults. Address and key come from the environment."""

import os

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike
from playing import HELLO, MODEL, equal, play_all, scenario



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


play_all("llama-index-llms-openai-like", "openai")
