/**
 * How the service treats every field of the official API and the extensions it knows. `docs/compatibility.md` is
 * generated from this table, and `compatibility.test.ts` sends every sample to the server.
 */
type Verdict =
  /** Works as officially documented. */
  | 'supported'
  /** Parsed and validated, without further effect. */
  | 'no effect'
  /** Unknown: left out of the request, and named in the header `x-helix-ignored-fields`. */
  | 'ignored and reported'
  /** An error that names the field; the code is given beside it. */
  | 'refused'

export type FieldSupport = {
  /** The path in a request. */
  field: string
  /** The values concerned, in words; omitted if all are. */
  value?: string
  verdict: Verdict
  code?: string
  note?: string
  /** Merged into a plain request. */
  sample: Record<string, unknown>
}

const user = { role: 'user', content: 'Hi, answer in JSON' }
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const strictParameters = { ...parameters, additionalProperties: false }
const tool = { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters } }
const tools = [tool]
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }
const part = (type: string, value: unknown) => ({ messages: [{ role: 'user', content: [{ type, [type]: value }] }] })

const supported = (field: string, sample: unknown, note?: string): FieldSupport => ({
  field,
  verdict: 'supported',
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})
const noEffect = (field: string, sample: unknown): FieldSupport => ({
  field,
  verdict: 'no effect',
  sample: { [field]: sample },
})
const refused = (field: string, value: string, code: string, sample: unknown, note?: string): FieldSupport => ({
  field,
  value,
  verdict: 'refused',
  code,
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})

export const messageFields: FieldSupport[] = [
  {
    field: 'messages',
    value: 'system, developer, user, assistant',
    verdict: 'supported',
    sample: {
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'system', content: 'Be kind.' },
        user,
        { role: 'assistant', content: 'Hello' },
        user,
      ],
    },
  },
  {
    field: 'messages',
    value: 'content as text parts',
    verdict: 'supported',
    note: 'joined with newlines',
    sample: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
  },
  {
    field: 'messages',
    value: 'assistant with tool_calls, tool',
    verdict: 'supported',
    sample: {
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
      ],
    },
  },
  {
    field: 'messages',
    value: 'assistant with function_call, function',
    verdict: 'supported',
    note: 'deprecated form',
    sample: {
      messages: [
        user,
        { role: 'assistant', content: null, function_call: call.function },
        { role: 'function', name: 'get_weather', content: 'Sunny' },
      ],
    },
  },
  {
    field: 'messages',
    value: 'assistant refusal',
    verdict: 'supported',
    note: 'passed to the model as its own message',
    sample: { messages: [user, { role: 'assistant', content: null, refusal: 'No.' }, user] },
  },
  {
    field: 'messages',
    value: 'name',
    verdict: 'supported',
    note: 'passed to the chat template; the template of helix-v1 does not use it',
    sample: { messages: [{ ...user, name: 'ann' }] },
  },
  {
    field: 'messages',
    value: 'prompt_cache_breakpoint',
    verdict: 'no effect',
    sample: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }] },
      ],
    },
  },
  {
    field: 'messages',
    value: 'assistant reasoning_content',
    verdict: 'supported',
    note: 'passed to the chat template as reasoning; ignored on other roles',
    sample: { messages: [user, { role: 'assistant', content: 'a', reasoning_content: 'b' }, user] },
  },
  {
    field: 'messages',
    value: 'sender, tool_name, reasoning, reasoning_details, thinking_blocks, provider_specific_fields, cache_control',
    verdict: 'no effect',
    note: 'added by clients and other providers to messages of any role; not included in the prompt',
    sample: {
      messages: [
        { ...user, cache_control: { type: 'ephemeral' }, provider_specific_fields: {} },
        {
          ...{ role: 'assistant', content: null, sender: 'Agent A', tool_calls: [call], reasoning: 'b' },
          ...{ reasoning_details: [{ type: 'reasoning.text', text: 'b' }], thinking_blocks: [] },
        },
        { role: 'tool', tool_call_id: 'call_1', tool_name: 'get_weather', content: '{}' },
      ],
    },
  },
  {
    field: 'messages',
    value: 'annotations, parsed; in tool calls: index, extra_content, provider_specific_fields, parsed_arguments',
    verdict: 'no effect',
    note: 'returned by official libraries and other providers, and sent back in the history',
    sample: {
      messages: [
        user,
        {
          ...{ role: 'assistant', content: 'a', annotations: [{ type: 'url_citation' }], parsed: null },
          tool_calls: [{ ...call, index: 0, extra_content: {} }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{}' },
      ],
    },
  },
  {
    field: 'messages',
    value: 'tool_calls, function_call and audio set to null; refusal, annotations and reasoning_content on any role',
    verdict: 'no effect',
    note: 'for histories that use the same shape for all roles',
    sample: {
      messages: [{ ...user, tool_calls: null, function_call: null, audio: null, refusal: null, annotations: [] }],
    },
  },
  {
    field: 'messages',
    value: 'cache_control on a text part',
    verdict: 'no effect',
    sample: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] }],
    },
  },
  {
    field: 'messages',
    value: 'any other key',
    verdict: 'ignored and reported',
    note: 'for example `cache_breakpoint`, sent by CrewAI',
    sample: { messages: [{ ...user, cache_breakpoint: true }] },
  },
  {
    field: 'messages',
    value: 'image_url part',
    verdict: 'refused',
    code: 'unsupported_value',
    sample: part('image_url', { url: 'https://example.com/a.png' }),
  },
  {
    field: 'messages',
    value: 'input_audio part',
    verdict: 'refused',
    code: 'unsupported_value',
    sample: part('input_audio', { data: 'AAAA', format: 'wav' }),
  },
  {
    field: 'messages',
    value: 'file part',
    verdict: 'refused',
    code: 'unsupported_value',
    sample: part('file', { file_id: 'file-1' }),
  },
  {
    field: 'messages',
    value: 'assistant audio',
    verdict: 'refused',
    code: 'unsupported_parameter',
    sample: { messages: [user, { role: 'assistant', content: 'a', audio: { id: 'audio_1' } }] },
  },
  {
    field: 'messages',
    value: 'custom tool call',
    verdict: 'refused',
    code: 'unsupported_value',
    sample: {
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'f', input: 'x' } }] },
      ],
    },
  },
]

export const requestFields: FieldSupport[] = [
  supported('model', 'helix-v1'),
  supported('max_completion_tokens', 5),
  supported('max_tokens', 5, 'deprecated; cannot be combined with `max_completion_tokens`'),
  supported(
    'n',
    2,
    'choices are generated concurrently if slots are free; `answerLimitBytes` limits the size of a response',
  ),
  supported('stop', ['END', '終わり']),
  supported(
    'seed',
    7,
    'deterministic if the request runs alone; `system_fingerprint` identifies the program and the weights',
  ),
  supported('temperature', 0.5),
  supported('top_p', 0.5),
  supported('frequency_penalty', 0.5),
  supported('presence_penalty', -0.5),
  supported('logit_bias', { '17': -100 }),
  {
    field: 'logprobs',
    verdict: 'supported',
    note: 'raw model probabilities, before bias, penalties and temperature are applied',
    sample: { logprobs: true },
  },
  { field: 'top_logprobs', verdict: 'supported', sample: { logprobs: true, top_logprobs: 20 } },
  supported('stream', true),
  {
    field: 'stream_options.include_usage',
    verdict: 'supported',
    sample: { stream: true, stream_options: { include_usage: true } },
  },
  {
    field: 'stream_options.include_obfuscation',
    verdict: 'supported',
    note: 'off by default',
    sample: { stream: true, stream_options: { include_obfuscation: true } },
  },
  supported('store', true),
  supported('metadata', { topic: 'demo' }),
  supported(
    'tools',
    tools,
    'functions only; without `strict`, a schema that cannot be enforced still produces a JSON object',
  ),
  {
    field: 'tools',
    value: 'strict',
    verdict: 'supported',
    note: 'arguments always conform to the schema',
    sample: { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: strictParameters } }] },
  },
  refused('tools', 'custom', 'unsupported_value', [{ type: 'custom', custom: { name: 'f' } }]),
  {
    field: 'tool_choice',
    value: 'none',
    verdict: 'supported',
    note: 'the tools are not passed to the model',
    sample: { tools, tool_choice: 'none' },
  },
  ...['auto', 'required'].map(
    (word): FieldSupport => ({
      field: 'tool_choice',
      value: word,
      verdict: 'supported',
      sample: { tools, tool_choice: word },
    }),
  ),
  {
    field: 'tool_choice',
    value: 'by name',
    verdict: 'supported',
    note: 'finish_reason is `stop`',
    sample: { tools, tool_choice: { type: 'function', function: { name: 'get_weather' } } },
  },
  {
    field: 'tool_choice',
    value: 'allowed_tools',
    verdict: 'supported',
    sample: {
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_weather' } }] },
      },
    },
  },
  {
    field: 'tool_choice',
    value: 'custom',
    verdict: 'refused',
    code: 'unsupported_value',
    sample: { tools, tool_choice: { type: 'custom', custom: { name: 'f' } } },
  },
  {
    field: 'parallel_tool_calls',
    verdict: 'supported',
    note: 'at most 16 calls per response',
    sample: { tools, parallel_tool_calls: false },
  },
  {
    field: 'functions',
    verdict: 'supported',
    note: 'deprecated form of `tools`',
    sample: { functions: [tool.function] },
  },
  {
    field: 'function_call',
    verdict: 'supported',
    note: 'deprecated form of `tool_choice`',
    sample: { functions: [tool.function], function_call: { name: 'get_weather' } },
  },
  { field: 'response_format', value: 'text', verdict: 'supported', sample: { response_format: { type: 'text' } } },
  {
    field: 'response_format',
    value: 'json_object',
    verdict: 'supported',
    note: 'if no message mentions JSON, the model is told to respond with a JSON object, which counts as prompt tokens',
    sample: { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'Hi' }] },
  },
  {
    field: 'response_format',
    value: 'json_object with schema',
    verdict: 'supported',
    note: 'the schema is enforced, as with json_schema',
    sample: { response_format: { type: 'json_object', schema: parameters } },
  },
  {
    field: 'response_format',
    value: 'json_schema',
    verdict: 'supported',
    note: 'the schema is enforced during generation as it is written, with or without `strict`',
    sample: {
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: parameters } },
    },
  },
  {
    field: 'response_format',
    value: 'a schema that cannot be enforced',
    verdict: 'refused',
    code: 'null',
    note: 'the error message names the keyword',
    sample: {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'string', not: { const: 'a' } } },
      },
    },
  },
  noEffect('user', 'ann'),
  noEffect('safety_identifier', 'ann'),
  noEffect('prompt_cache_key', 'key'),
  noEffect('prompt_cache_options', { mode: 'explicit' }),
  noEffect('prompt_cache_retention', '24h'),
  noEffect('prediction', { type: 'content', content: 'Hello' }),
  {
    field: 'service_tier',
    verdict: 'no effect',
    note: 'the response always contains `default`',
    sample: { service_tier: 'flex' },
  },
  {
    field: 'reasoning_effort',
    verdict: 'supported',
    note: 'no effect on models that do not reason, such as helix-v1',
    sample: { reasoning_effort: 'high' },
  },
  noEffect('verbosity', 'high'),
  { field: 'modalities', value: 'text', verdict: 'supported', sample: { modalities: ['text'] } },
  refused('modalities', 'audio', 'unsupported_value', ['text', 'audio']),
  refused('audio', 'any value', 'unsupported_parameter', { voice: 'alloy', format: 'wav' }),
  refused('moderation', 'any value', 'unsupported_parameter', { model: 'm' }),
  refused('web_search_options', 'any value', 'unsupported_parameter', {}),
]

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
  refused('structured_outputs', 'grammar, structural_tag', 'unsupported_parameter', { grammar: 'root ::= "a"' }),
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
