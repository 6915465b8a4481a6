/**
 * What the service does with every field of the official API and with the extensions it knows. `docs/compatibility.md`
 * is written from this table, and `compatibility.test.ts` sends every sample to the server.
 */
type Verdict =
  /** Done as the official documentation says. */
  | 'supported'
  /** Read and checked, and nothing follows from it. */
  | 'no effect'
  /** An error that names the field; its code stands beside it. */
  | 'refused'

export type Wish = {
  /** Where in a request. */
  field: string
  /** Which of its values, in words; left out where all are meant. */
  value?: string
  verdict: Verdict
  code?: string
  note?: string
  /** Laid over a plain request. */
  sample: Record<string, unknown>
}

const user = { role: 'user', content: 'Hi, answer in JSON' }
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const strictParameters = { ...parameters, additionalProperties: false }
const tool = { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters } }
const tools = [tool]
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }
const part = (type: string, value: unknown) => ({ messages: [{ role: 'user', content: [{ type, [type]: value }] }] })

const supported = (field: string, sample: unknown, note?: string): Wish => ({
  field,
  verdict: 'supported',
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})
const noEffect = (field: string, sample: unknown): Wish => ({
  field,
  verdict: 'no effect',
  sample: { [field]: sample },
})
const refused = (field: string, value: string, code: string, sample: unknown, note?: string): Wish => ({
  field,
  value,
  verdict: 'refused',
  code,
  sample: { [field]: sample },
  ...(note === undefined ? {} : { note }),
})

export const messageWishes: Wish[] = [
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
    note: 'joined by line breaks',
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
    note: 'the older spelling',
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
    value: 'refusal of an assistant',
    verdict: 'supported',
    note: 'shown to the model as what it said',
    sample: { messages: [user, { role: 'assistant', content: null, refusal: 'No.' }, user] },
  },
  {
    field: 'messages',
    value: 'name',
    verdict: 'supported',
    note: 'given to the chat template; that of helix-v1 does not use it',
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
    value: 'reasoning_content of an assistant',
    verdict: 'supported',
    note: 'given to the chat template as its reasoning; of other roles it has no effect',
    sample: { messages: [user, { role: 'assistant', content: 'a', reasoning_content: 'b' }, user] },
  },
  {
    field: 'messages',
    value: 'sender, tool_name, reasoning, reasoning_details, thinking_blocks, provider_specific_fields, cache_control',
    verdict: 'no effect',
    note: 'what clients and other providers add to messages of any role; not part of the prompt',
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
    value: 'annotations, parsed; index, extra_content, provider_specific_fields and parsed_arguments of calls',
    verdict: 'no effect',
    note: 'come back with an answer, from official libraries and from other providers',
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
    value: 'tool_calls, function_call and audio null; refusal, annotations and reasoning_content, of any role',
    verdict: 'no effect',
    note: 'histories that are written with one shape for all roles',
    sample: {
      messages: [{ ...user, tool_calls: null, function_call: null, audio: null, refusal: null, annotations: [] }],
    },
  },
  {
    field: 'messages',
    value: 'cache_control of a text part',
    verdict: 'no effect',
    sample: {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] }],
    },
  },
  {
    field: 'messages',
    value: 'any other key',
    verdict: 'refused',
    code: 'unknown_parameter',
    sample: { messages: [{ ...user, mood: 'good' }] },
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
    value: 'audio of an assistant',
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

export const fieldWishes: Wish[] = [
  supported('model', 'helix-v1'),
  supported('max_completion_tokens', 5),
  supported('max_tokens', 5, 'the older name; both together are refused'),
  supported('n', 2, 'choices run beside each other where there is room; one answer is bounded by `answerLimitBytes`'),
  supported('stop', ['END', '終わり']),
  supported('seed', 7, 'the same answer when the request runs alone; `system_fingerprint` names program and weights'),
  supported('temperature', 0.5),
  supported('top_p', 0.5),
  supported('frequency_penalty', 0.5),
  supported('presence_penalty', -0.5),
  supported('logit_bias', { '17': -100 }),
  {
    field: 'logprobs',
    verdict: 'supported',
    note: "the model's own probabilities, before bias, penalties and temperature",
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
    note: 'off unless asked for',
    sample: { stream: true, stream_options: { include_obfuscation: true } },
  },
  supported('store', true),
  supported('metadata', { topic: 'demo' }),
  supported('tools', tools, 'functions; without `strict` a schema that cannot be enforced still gives a JSON object'),
  {
    field: 'tools',
    value: 'strict',
    verdict: 'supported',
    note: 'arguments always validate',
    sample: { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: strictParameters } }] },
  },
  refused('tools', 'custom', 'unsupported_value', [{ type: 'custom', custom: { name: 'f' } }]),
  {
    field: 'tool_choice',
    value: 'none',
    verdict: 'supported',
    note: 'the tools are not shown to the model',
    sample: { tools, tool_choice: 'none' },
  },
  ...['auto', 'required'].map(
    (word): Wish => ({ field: 'tool_choice', value: word, verdict: 'supported', sample: { tools, tool_choice: word } }),
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
    note: 'at most 16 calls in one answer',
    sample: { tools, parallel_tool_calls: false },
  },
  {
    field: 'functions',
    verdict: 'supported',
    note: 'the older spelling of `tools`',
    sample: { functions: [tool.function] },
  },
  {
    field: 'function_call',
    verdict: 'supported',
    note: 'the older spelling of `tool_choice`',
    sample: { functions: [tool.function], function_call: { name: 'get_weather' } },
  },
  { field: 'response_format', value: 'text', verdict: 'supported', sample: { response_format: { type: 'text' } } },
  {
    field: 'response_format',
    value: 'json_object',
    verdict: 'supported',
    sample: { response_format: { type: 'json_object' }, messages: [user] },
  },
  {
    field: 'response_format',
    value: 'json_schema',
    verdict: 'supported',
    note: 'held to the schema while it is written, with and without `strict`',
    sample: {
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: strictParameters } },
    },
  },
  {
    field: 'response_format',
    value: 'a schema that cannot be enforced',
    verdict: 'refused',
    code: 'null',
    note: 'the message names the keyword',
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
  { field: 'service_tier', verdict: 'no effect', note: 'the answer says `default`', sample: { service_tier: 'flex' } },
  {
    field: 'reasoning_effort',
    value: 'medium, none',
    verdict: 'supported',
    note: 'helix-v1 does not reason',
    sample: { reasoning_effort: 'none' },
  },
  refused('reasoning_effort', 'other values', 'unsupported_value', 'high', 'served by models that reason'),
  { field: 'verbosity', value: 'medium', verdict: 'supported', sample: { verbosity: 'medium' } },
  refused('verbosity', 'low, high', 'unsupported_value', 'high'),
  { field: 'modalities', value: 'text', verdict: 'supported', sample: { modalities: ['text'] } },
  refused('modalities', 'audio', 'unsupported_value', ['text', 'audio']),
  refused('audio', 'anything', 'unsupported_parameter', { voice: 'alloy', format: 'wav' }),
  refused('moderation', 'anything', 'unsupported_parameter', { model: 'm' }),
  refused('web_search_options', 'anything', 'unsupported_parameter', {}),
]

export const extensionWishes: Wish[] = [
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
  supported('return_token_ids', true, '`prompt_token_ids` in the answer, `token_ids` in each choice'),
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
    field: 'anything else',
    verdict: 'refused',
    code: 'null',
    note: '"Unrecognized request argument supplied"',
    sample: { foo: 1 },
  },
]
