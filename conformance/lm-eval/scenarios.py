"""EleutherAI's lm-evaluation-harness with the real model, unchanged. Address and key come from the environment."""

import os
from math import isclose
from pathlib import Path

import requests
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.models.openai_completions import LocalCompletionsAPI
from lm_eval.tasks import TaskManager
from playing import MODEL, equal, play_all, scenario

base_url = f"{os.environ['OPENAI_BASE_URL']}/completions"
here = Path(__file__).parent
options = {"model": MODEL, "base_url": base_url, "tokenizer_backend": "huggingface", "tokenizer": str(here)}
tasks = TaskManager(include_path=str(here), include_defaults=False)


def evaluate(task, **more):
    result = simple_evaluate(
        model="local-completions",
        model_args={**options, **more},
        tasks=[task],
        task_manager=tasks,
        bootstrap_iters=0,
        log_samples=True,
    )
    return result["samples"][task], result["results"][task]


def likelihoods(samples):
    """Of each document, the log probability of each of its choices and whether the model would say it."""
    return [[(float(logprob), bool(greedy)) for (logprob, greedy) in sample["filtered_resps"]] for sample in samples]


def close(found, expected):
    for document, other in zip(found, expected, strict=True):
        for (logprob, greedy), (other_logprob, other_greedy) in zip(document, other, strict=True):
            if not isclose(logprob, other_logprob, abs_tol=1e-3) or greedy != other_greedy:
                raise AssertionError(f"expected {expected!r}, got {found!r}")


def summed(context, continuation, lm):
    """The same from the answer itself, without a generated token."""
    before, after = lm._encode_pair(context, continuation)
    body = {"model": MODEL, "prompt": before + after, "echo": True, "logprobs": 0, "max_tokens": 0}
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    answer = requests.post(base_url, json=body, headers=headers, timeout=60).json()
    listed = answer["choices"][0]["logprobs"]["token_logprobs"]
    equal(len(listed), len(before + after))
    return sum(listed[len(before) :])


@scenario("tasks in the shape of ARC, several requests with several prompts at a time")
def arc():
    samples, results = evaluate("helix_arc", batch_size=4, num_concurrent=2)
    if results["acc,none"] < 0.5:
        raise AssertionError(f"the model chose badly: {results!r}")
    # One prompt in a request, as text instead of token IDs.
    close(likelihoods(evaluate("helix_arc", tokenized_requests=False)[0]), likelihoods(samples))


@scenario("the same with the tokenizer of the server, at vLLM's addresses")
def remote():
    here_tokenized, _ = evaluate("helix_arc", batch_size=4)
    token = os.environ["OPENAI_API_KEY"]
    remote = {"tokenizer_backend": "remote", "tokenizer": None, "auth_token": token}
    samples, _ = evaluate("helix_arc", batch_size=4, **remote)
    close(likelihoods(samples), likelihoods(here_tokenized))


@scenario("tasks in the shape of HellaSwag")
def hellaswag():
    _, results = evaluate("helix_hellaswag", batch_size=4)
    if results["acc,none"] < 0.5:
        raise AssertionError(f"the model chose badly: {results!r}")


@scenario("the sum of a continuation is that of its tokens")
def sums():
    lm = LocalCompletionsAPI(**options)
    pairs = [("The capital of France is", " Paris"), ("The capital of France is", " a long river in Peru.")]
    asked = [Instance("loglikelihood", {}, pair, index) for (index, pair) in enumerate(pairs)]
    for (logprob, _), (context, continuation) in zip(lm.loglikelihood(asked), pairs, strict=True):
        if not isclose(logprob, summed(context, continuation, lm), abs_tol=1e-3):
            raise AssertionError(f"{continuation!r}: {logprob} and {summed(context, continuation, lm)}")


@scenario("the perplexity of a long text")
def rolling():
    lm = LocalCompletionsAPI(**options, max_length=129)
    text = "Once upon a time there was a king who had three daughters. " * 10
    [logprob] = lm.loglikelihood_rolling([Instance("loglikelihood_rolling", {}, (text,), 0)])
    equal(logprob < 0, True)


play_all("lm_eval")
