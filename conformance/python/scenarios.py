"""The conformance scenarios with the official Python library. Address and key come from the environment."""

import asyncio
import json
import os
from contextlib import contextmanager

import openai
from openai import AsyncOpenAI, OpenAI
from playing import HELLO, MODEL, Party, equal, play_all, scenario

JAPANESE = "日本語と👩‍👩‍👧‍👦と🇯🇵。"
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}

client = OpenAI()
impatient = client.with_options(max_retries=0)


def saying(content, **more):
    return {"model": MODEL, "messages": [{"role": "user", "content": content}], **more}


def holds(fact, what):
    if not fact:
        raise AssertionError(f"expected {what}")


@contextmanager
def refused(kind, **expected):
    try:
        yield
    except kind as error:
        equal({name: getattr(error, name) for name in expected}, expected)
        return
    raise AssertionError(f"expected {kind.__name__}, but nothing was raised")


def joined(chunks):
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def check_hello(completion):
    [choice] = completion.choices
    equal((choice.message.role, choice.message.content, choice.finish_reason), ("assistant", HELLO, "stop"))
    usage = completion.usage
    equal((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (2, 4, 6))
    holds(completion._request_id.startswith("req_"), "a request id")


def check_hello_chunks(chunks):
    equal(joined(chunks), HELLO)
    equal(chunks[-1].choices, [])
    equal(chunks[-1].usage.total_tokens, 6)
    equal({chunk.usage for chunk in chunks[:-1]}, {None})
    equal(chunks[-2].choices[0].finish_reason, "stop")
    equal(len({chunk.id for chunk in chunks}), 1)


STREAMED = {"stream": True, "stream_options": {"include_usage": True}}


@scenario("create")
def create():
    check_hello(client.chat.completions.create(**saying("Hi")))


@scenario("create, async client")
def create_async():
    async def play():
        async with AsyncOpenAI() as waiting:
            check_hello(await waiting.chat.completions.create(**saying("Hi")))

    asyncio.run(play())


@scenario("stream")
def stream():
    check_hello_chunks(list(client.chat.completions.create(**saying("Hi", **STREAMED))))
    with client.chat.completions.stream(**saying("Hi")) as helped:
        deltas = [event.delta for event in helped if event.type == "content.delta"]
        equal("".join(deltas), HELLO)
        equal(helped.get_final_completion().choices[0].message.content, HELLO)


@scenario("stream, async client")
def stream_async():
    async def play():
        async with AsyncOpenAI() as waiting:
            answer = await waiting.chat.completions.create(**saying("Hi", **STREAMED))
            check_hello_chunks([chunk async for chunk in answer])

    asyncio.run(play())


@scenario("japanese and emoji")
def japanese():
    equal(client.chat.completions.create(**saying("日本")).choices[0].message.content, JAPANESE)
    equal(joined(client.chat.completions.create(**saying("日本", stream=True))), JAPANESE)


@scenario("abort in mid-stream")
def abort():
    with client.chat.completions.create(**saying("endless", stream=True)) as answer:
        heard = ""
        for chunk in answer:
            heard += chunk.choices[0].delta.content or ""
            if "word9 " in heard:
                break
    holds(heard.startswith("word0 word1 "), "the beginning of the answer")
    # The service has one slot: this waits until the other answer has really ended.
    check_hello(client.chat.completions.create(**saying("Hi")))


def answer_calls(question, message):
    replies = [
        {"role": "tool", "tool_call_id": call.id, "content": f"sunny in {json.loads(call.function.arguments)['city']}"}
        for call in message.tool_calls
    ]
    messages = [{"role": "user", "content": question}, message, *replies]
    completion = client.chat.completions.create(model=MODEL, messages=messages, tools=[WEATHER])
    equal(completion.choices[0].finish_reason, "stop")
    return completion.choices[0].message.content


def check_calls(choice, cities):
    equal(choice.finish_reason, "tool_calls")
    equal(choice.message.content, None)
    equal({call.type for call in choice.message.tool_calls}, {"function"})
    equal({call.function.name for call in choice.message.tool_calls}, {"get_weather"})
    equal([json.loads(call.function.arguments) for call in choice.message.tool_calls], [{"city": city} for city in cities])
    equal(len({call.id for call in choice.message.tool_calls}), len(cities))


@scenario("tools round trip")
def tools():
    [choice] = client.chat.completions.create(**saying("weather Paris", tools=[WEATHER])).choices
    check_calls(choice, ["Paris"])
    equal(answer_calls("weather Paris", choice.message), "The tool said: sunny in Paris.")


@scenario("tools round trip, streamed")
def tools_streamed():
    with client.chat.completions.stream(**saying("weather Paris", tools=[WEATHER])) as answer:
        [choice] = answer.get_final_completion().choices
    check_calls(choice, ["Paris"])
    equal(answer_calls("weather Paris", choice.message), "The tool said: sunny in Paris.")


@scenario("parallel tool calls")
def parallel_tools():
    question = "weather Paris Tokyo"
    [choice] = client.chat.completions.create(**saying(question, tools=[WEATHER])).choices
    check_calls(choice, ["Paris", "Tokyo"])
    equal(answer_calls(question, choice.message), "The tool said: sunny in Tokyo.")
    with client.chat.completions.stream(**saying(question, tools=[WEATHER])) as answer:
        [choice] = answer.get_final_completion().choices
    check_calls(choice, ["Paris", "Tokyo"])


@scenario("structured output")
def structured():
    party = client.chat.completions.parse(**saying("plan", response_format=Party)).choices[0].message.parsed
    holds(isinstance(party, Party), "a Party")
    with client.chat.completions.stream(**saying("plan", response_format=Party)) as answer:
        holds(isinstance(answer.get_final_completion().choices[0].message.parsed, Party), "a streamed Party")


@scenario("json_object")
def json_object():
    asked = saying("Answer in JSON.", response_format={"type": "json_object"})
    content = client.chat.completions.create(**asked).choices[0].message.content
    holds(isinstance(json.loads(content), dict), "a JSON object")


@scenario("logprobs")
def logprobs():
    def check(tokens):
        equal([token.token for token in tokens], ["Hello", ", ", "world", "!"])
        for token in tokens:
            equal(bytes(token.bytes).decode(), token.token)
            equal(len(token.top_logprobs), 2)
            equal((token.top_logprobs[0].token, token.top_logprobs[0].logprob), (token.token, token.logprob))
            holds(token.logprob <= 0, "a logarithm of a probability")

    asked = saying("Hi", logprobs=True, top_logprobs=2)
    check(client.chat.completions.create(**asked).choices[0].logprobs.content)
    chunks = client.chat.completions.create(**asked, stream=True)
    choices = [choice for chunk in chunks for choice in chunk.choices]
    check([token for choice in choices if choice.logprobs for token in choice.logprobs.content or []])


@scenario("n=2")
def two_choices():
    completion = client.chat.completions.create(**saying("Hi", n=2))
    equal([(choice.index, choice.message.content) for choice in completion.choices], [(0, HELLO), (1, HELLO)])
    equal(completion.usage.completion_tokens, 8)
    with client.chat.completions.stream(**saying("Hi", n=2)) as answer:
        choices = answer.get_final_completion().choices
    equal([(choice.index, choice.message.content) for choice in choices], [(0, HELLO), (1, HELLO)])


@scenario("errors")
def errors():
    with refused(
        openai.BadRequestError,
        status_code=400,
        type="invalid_request_error",
        param="temperature",
        code="decimal_above_max_value",
    ):
        client.chat.completions.create(**saying("Hi", temperature=3))
    stranger = client.with_options(api_key="sk-1234567890123456789")
    with refused(openai.AuthenticationError, status_code=401, code="invalid_api_key"):
        stranger.chat.completions.create(**saying("Hi"))
    with refused(openai.NotFoundError, status_code=404, code="model_not_found"):
        client.chat.completions.create(**{**saying("Hi"), "model": "none"})


@scenario("error in mid-stream")
def broken_stream():
    heard = []
    with refused(openai.APIError, code=os.environ["EXPECTED_BROKEN_CODE"], type="server_error"):
        for chunk in client.chat.completions.create(**saying("break", stream=True)):
            heard.append(chunk)
    equal(joined(heard), "Half an answer")


@scenario("retries")
def retries():
    check = client.chat.completions.create(**saying("flaky patient"))
    equal(check.choices[0].message.content, HELLO)
    with refused(openai.InternalServerError, status_code=503, code=os.environ["EXPECTED_BUSY_CODE"]):
        impatient.chat.completions.create(**saying("flaky impatient"))


@scenario("stored completions")
def stored():
    completions = client.chat.completions
    ids = [completions.create(**saying("Hi", store=True, metadata={"part": str(n)})).id for n in range(3)]
    completions.create(**saying("Hi"))
    equal([each.id for each in completions.list(limit=2)], ids)
    equal([each.id for each in completions.list(metadata={"part": "1"})], ids[1:2])
    kept = completions.retrieve(ids[0])
    equal((kept.id, kept.choices[0].message.content, kept.metadata), (ids[0], HELLO, {"part": "0"}))
    equal([each.content for each in completions.messages.list(ids[0])], ["Hi"])
    equal(completions.update(ids[0], metadata={"part": "new"}).metadata, {"part": "new"})
    equal(completions.retrieve(ids[0]).metadata, {"part": "new"})
    for each in ids:
        equal(completions.delete(each).deleted, True)
    with refused(openai.NotFoundError, status_code=404):
        completions.retrieve(ids[0])
    equal([each.id for each in completions.list()], [])


@scenario("responses")
def responses():
    first = client.responses.create(model=MODEL, input="Hi")
    equal((first.output_text, first.status), (HELLO, "completed"))
    second = client.responses.create(model=MODEL, input="Hi", previous_response_id=first.id)
    holds(second.usage.input_tokens > first.usage.input_tokens, "the first response in the prompt")
    equal(client.responses.retrieve(first.id).output_text, HELLO)
    with refused(openai.BadRequestError, code="previous_response_not_found", param="previous_response_id"):
        client.responses.create(model=MODEL, input="Hi", previous_response_id="resp_none")


@scenario("responses, streamed")
def responses_streamed():
    with client.responses.stream(model=MODEL, input="Hi") as answer:
        deltas = [event.delta for event in answer if event.type == "response.output_text.delta"]
        equal("".join(deltas), HELLO)
        equal(answer.get_final_response().output_text, HELLO)


@scenario("responses, structured output")
def responses_structured():
    holds(isinstance(client.responses.parse(model=MODEL, input="plan", text_format=Party).output_parsed, Party), "a Party")


@scenario("models")
def models():
    equal([each.id for each in client.models.list()], [MODEL])
    found = client.models.retrieve(MODEL)
    equal((found.id, found.object), (MODEL, "model"))
    with refused(openai.NotFoundError, status_code=404):
        client.models.retrieve("none/such")


play_all("openai")
