import { type FieldSupport, refused, supported } from './field-support.ts'
import { parameters, user } from './samples.ts'

/** Fields of `POST /v1/chat/completions` that other servers know and the official API does not. */
export const extensionFields: FieldSupport[] = [
  supported('top_k', 5),
  supported('min_p', 0.1),
  supported('repetition_penalty', 1.1),
  supported('min_tokens', 1),
  supported('ignore_eos', true),
  supported('stop_token_ids', [17]),
  supported('chat_template_kwargs', { mood: 'calm' }),
  {
    field: 'continue_final_message',
    verdict: 'supported',
    sample: { continue_final_message: true, messages: [user, { role: 'assistant', content: 'Once upon' }] },
  },
  supported('add_generation_prompt', false),
  supported('allowed_token_ids', [17], 'not with upstreams'),
  {
    field: 'logprob_token_ids',
    verdict: 'supported',
    note: 'with `logprobs`, at most 128: reported instead of the most likely tokens; not with upstreams',
    sample: { logprobs: true, logprob_token_ids: [17] },
  },
  supported('prompt_logprobs', 1, "at most 20, in vLLM's shape, once for all choices; not with upstreams"),
  {
    field: 'prompt_logprobs',
    value: 'in a stream',
    verdict: 'refused',
    code: 'invalid_value',
    sample: { prompt_logprobs: 1, stream: true },
  },
  {
    field: 'stream_options.continuous_usage_stats',
    verdict: 'supported',
    note: 'with `include_usage`: every chunk says what was used so far',
    sample: { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
  },
  supported('return_token_ids', true, 'returns `prompt_token_ids` in the response and `token_ids` in each choice'),
  {
    field: 'structured_outputs',
    value: 'json, regex, choice, json_object',
    verdict: 'supported',
    sample: { structured_outputs: { choice: ['yes', 'no'] } },
  },
  refused(
    'structured_outputs',
    'grammar, structural_tag',
    'unsupported_parameter',
    { grammar: 'root ::= "a"' },
    'the message names what is enforced instead',
  ),
  supported('guided_json', parameters),
  supported('guided_regex', '[a-z]{3}'),
  supported('guided_choice', ['yes', 'no']),
  {
    field: 'any other field',
    value: 'a misspelling of a field in this table',
    verdict: 'refused',
    code: 'unknown_parameter',
    note: 'five letters or more, one of them missing, added, wrong or swapped; the message names the field',
    sample: { temprature: 0.5 },
  },
  {
    field: 'any other field',
    value: 'one that would change the answer: `grammar`, `json_schema`, `bad_words`, `lora`, `use_beam_search`, …',
    verdict: 'refused',
    code: 'unsupported_parameter',
    sample: { grammar: 'root ::= "a"' },
  },
  { field: 'any other field', verdict: 'ignored and reported', sample: { foo: 1 } },
]
