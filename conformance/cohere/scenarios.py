"""Cohere's client, both versions of its API, with a tiny reranker. Address and key come from the environment."""

import os

import cohere
from playing import equal, play_all, scenario

MODEL = "tiny-reranker"
base_url = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")
key = os.environ["OPENAI_API_KEY"]
second = cohere.ClientV2(api_key=key, base_url=base_url)
first = cohere.Client(api_key=key, base_url=base_url)
QUERY = "money in the bank"
DOCUMENTS = ["the river bank", "a cat and a dog", "money"]


def order(answer):
    return [result.index for result in answer.results]


@scenario("documents sorted by relevance, with usage")
def rerank():
    answer = second.rerank(model=MODEL, query=QUERY, documents=DOCUMENTS)
    equal(order(answer), [1, 0, 2])
    scores = [result.relevance_score for result in answer.results]
    equal(scores, sorted(scores, reverse=True))
    if not answer.meta.tokens.input_tokens > len(DOCUMENTS):
        raise AssertionError(f"no usage: {answer!r}")


@scenario("only the best, with documents that are cut")
def best():
    answer = second.rerank(model=MODEL, query=QUERY, documents=DOCUMENTS, top_n=2, max_tokens_per_doc=2)
    equal(len(answer.results), 2)


@scenario("the first version of the API, with objects that are returned")
def objects():
    documents = [{"text": text} for text in DOCUMENTS]
    answer = first.rerank(model=MODEL, query=QUERY, documents=documents, return_documents=True)
    equal([result.document.text for result in answer.results], [DOCUMENTS[index] for index in order(answer)])


@scenario("a document that is too long is an error of its own class, with the reason")
def too_long():
    try:
        second.rerank(model=MODEL, query=QUERY, documents=["cat " * 300])
    except cohere.BadRequestError as error:
        equal(error.body["error"]["code"], "context_length_exceeded")
    else:
        raise AssertionError("no error")


@scenario("a wrong key is an error of its own class")
def wrong_key():
    try:
        cohere.ClientV2(api_key="sk-wrong", base_url=base_url).rerank(model=MODEL, query="a", documents=["a"])
    except cohere.UnauthorizedError:
        return
    raise AssertionError("no error")


play_all("cohere")
