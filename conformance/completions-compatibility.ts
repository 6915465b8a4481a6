/** How `POST /v1/completions` treats every field. `completions-compatibility.test.ts` sends every sample to the server. */
import type { FieldSupport } from './compatibility/field-support.ts'

const row = (
  field: string,
  verdict: FieldSupport['verdict'],
  sample: unknown,
  more: Pick<FieldSupport, 'value' | 'code' | 'note'> = {},
): FieldSupport => ({ field, verdict, sample: { [field]: sample }, ...more })

const code = 'invalid_value'

export const completionsFields: FieldSupport[] = [
  row('model', 'supported', 'helix-v1', { note: 'upstreams without `/v1/completions` are refused' }),
  row('prompt', 'supported', 'Once', { value: 'text', note: 'continued without a chat template' }),
  row('prompt', 'supported', [1, 2], { value: 'token IDs' }),
  row('prompt', 'supported', ['Once', 'Twice'], {
    value: 'a list of either',
    note: 'at most 128 choices in total; those of the first prompt come first',
  }),
  row('max_tokens', 'supported', 5, { note: '16 by default' }),
  {
    field: 'max_tokens',
    value: '`0` with `echo`',
    verdict: 'supported',
    sample: { max_tokens: 0, echo: true, logprobs: 1 },
    note: 'the prompt is only read; not with upstreams',
  },
  row('max_tokens', 'refused', 0, { value: '`0` without `echo`', code, note: 'nothing would be returned' }),
  row('n', 'supported', 2),
  { field: 'best_of', value: 'up to `n`', verdict: 'supported', sample: { n: 2, best_of: 2 } },
  row('best_of', 'refused', 2, { value: 'above `n`', code, note: 'completions are not ranked' }),
  row('echo', 'supported', true, { value: 'with a text' }),
  {
    field: 'echo',
    value: 'with `logprobs`',
    verdict: 'supported',
    sample: { echo: true, logprobs: 1, prompt: [1, 2] },
    note: 'log probabilities of the prompt too, of a text or of token IDs; not with upstreams',
  },
  {
    field: 'echo',
    value: 'with `logprobs` and `n` above 1 in a stream',
    verdict: 'refused',
    code,
    sample: { echo: true, logprobs: 1, n: 2, stream: true },
  },
  {
    field: 'echo',
    value: 'with token IDs, without `logprobs`',
    verdict: 'refused',
    code,
    sample: { echo: true, prompt: [1, 2] },
  },
  row('logprobs', 'supported', 2, { note: 'at most 5; raw model probabilities' }),
  row('stop', 'supported', ['!']),
  row('stream', 'supported', true),
  { field: 'stream_options', verdict: 'supported', sample: { stream: true, stream_options: { include_usage: true } } },
  row('temperature', 'supported', 0.5),
  row('top_p', 'supported', 0.5),
  row('frequency_penalty', 'supported', 0.5),
  row('presence_penalty', 'supported', 0.5),
  row('logit_bias', 'supported', { 5: -100 }),
  row('seed', 'supported', 1),
  row('suffix', 'refused', 'The end.', { code, note: 'models only continue a text' }),
  row('user', 'no effect', 'somebody'),
  row('prompt_logprobs', 'supported', 1, { note: "at most 20, in each choice in vLLM's shape; not with upstreams" }),
  {
    field: 'prompt_logprobs',
    value: 'in a stream',
    verdict: 'refused',
    code,
    sample: { prompt_logprobs: 1, stream: true },
  },
  row('return_token_ids', 'supported', true, { note: '`prompt_token_ids` and `token_ids` in each choice' }),
  row('truncate_prompt_tokens', 'supported', 1, { note: 'keeps the last tokens; not with upstreams' }),
  row('allowed_token_ids', 'supported', [17], { note: 'not with upstreams' }),
  {
    field: 'logprob_token_ids',
    verdict: 'supported',
    note: 'with `logprobs`, at most 128: reported instead of the most likely tokens; not with upstreams',
    sample: { logprobs: 1, logprob_token_ids: [17] },
  },
  {
    field: 'stream_options',
    value: '`continuous_usage_stats`',
    verdict: 'supported',
    note: 'with `include_usage`: every chunk says what was used so far',
    sample: { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
  },
  {
    field: 'any other field',
    value: 'that would change the answer',
    verdict: 'refused',
    code: 'unsupported_parameter',
    sample: { grammar: 'root ::= "a"' },
  },
  row('any other field', 'ignored and reported', 1),
]
