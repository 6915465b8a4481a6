/** How `POST /v1/responses` treats every field. `responses-compatibility.test.ts` sends every sample to the server. */
import type { FieldSupport } from './compatibility/field-support.ts'

const row = (
  field: string,
  verdict: FieldSupport['verdict'],
  sample: unknown,
  more: Pick<FieldSupport, 'value' | 'code' | 'note'> = {},
): FieldSupport => ({ field, verdict, sample: { [field]: sample }, ...more })

const user = { role: 'user', content: 'Hi, answer in JSON' }
const tool = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
const calls = [
  user,
  { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'Nothing' },
  { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: 'x' },
  { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Done' }] },
]
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
/** Of fields that have no effect on models here or behind other upstreams. */
const sentAsItIs = 'upstreams with this API are sent it'
const sentAsHash =
  'upstreams with this API are sent a hash of it, always the same for an organisation and another one for each'
const unsupportedValue = 'unsupported_value'
const unsupported = 'unsupported_parameter'

export const responsesFields: FieldSupport[] = [
  row('model', 'supported', 'helix-v1'),
  row('input', 'supported', 'Hi', { value: 'text' }),
  row('input', 'supported', [{ role: 'developer', content: 'Be brief.' }, user], { value: 'messages' }),
  row('input', 'supported', calls, { value: 'function_call, custom_tool_call and their outputs' }),
  row('input', 'supported', [user, reasoning], {
    value: 'reasoning',
    note: 'passed to the chat template as reasoning; encrypted_content is for upstreams with this API only',
  }),
  row('input', 'refused', [{ role: 'user', content: [{ type: 'input_image' }] }], {
    value: 'input_image, input_file, input_audio',
    code: unsupportedValue,
  }),
  row('input', 'refused', [{ type: 'web_search_call' }], { value: 'items of built-in tools', code: unsupportedValue }),
  row('instructions', 'supported', 'Be brief.'),
  row('previous_response_id', 'refused', 'resp_none', {
    value: 'a response that is not stored',
    code: 'previous_response_not_found',
    note: 'otherwise supported: the items of the whole conversation come first, without its instructions',
  }),
  row('tools', 'supported', [tool], { value: 'function' }),
  row('tools', 'supported', [{ type: 'custom', name: 'patch' }], {
    value: 'custom',
    note: 'a regex format is enforced; a lark grammar is only shown to the model',
  }),
  row('tools', 'no effect', [{ type: 'web_search' }], {
    value: 'any other type',
    note: 'not shown to the model; the header x-helix-ignored-tools lists the types. Upstreams with this API run those that the operator allows; others are refused',
  }),
  { field: 'tool_choice', verdict: 'supported', sample: { tools: [tool], tool_choice: 'required' } },
  row('tool_choice', 'refused', { type: 'web_search_preview' }, { value: 'any other tool', code: unsupportedValue }),
  row('parallel_tool_calls', 'supported', false),
  row('text', 'supported', { format: { type: 'json_schema', name: 'x', schema, strict: true } }, { value: 'format' }),
  row(
    'text',
    'supported',
    { format: { type: 'json_object' } },
    {
      value: 'format json_object',
      note: 'if nothing mentions JSON, the model is told to respond with a JSON object',
    },
  ),
  row('text', 'no effect', { verbosity: 'low' }, { value: 'verbosity', note: sentAsItIs }),
  row(
    'reasoning',
    'supported',
    { summary: 'auto' },
    {
      value: 'summary',
      note: 'reasoning is returned as a summary, in full; otherwise as reasoning_text',
    },
  ),
  row(
    'reasoning',
    'supported',
    { effort: 'high' },
    { value: 'effort', note: 'no effect on models that do not reason' },
  ),
  row('max_output_tokens', 'supported', 5),
  row('max_tool_calls', 'no effect', 5, { note: 'it limits built-in tools; upstreams with this API are sent it' }),
  row('temperature', 'supported', 0.5),
  row('top_p', 'supported', 0.5),
  row('top_logprobs', 'supported', 2, { note: 'with include message.output_text.logprobs' }),
  row('include', 'supported', ['message.output_text.logprobs'], { value: 'message.output_text.logprobs' }),
  row('include', 'no effect', ['reasoning.encrypted_content'], { value: 'others', note: sentAsItIs }),
  row('truncation', 'supported', 'disabled', { value: 'disabled' }),
  row('truncation', 'supported', 'auto', {
    value: 'auto',
    note: 'leaves out the oldest items, but not instructions, until the prompt and max_output_tokens fit the context',
  }),
  row('stream', 'supported', true),
  {
    field: 'stream_options',
    verdict: 'supported',
    sample: { stream: true, stream_options: { include_obfuscation: true } },
  },
  row('store', 'supported', true, { note: 'the default if the key has the scope completions.write' }),
  row('metadata', 'supported', { a: 'b' }),
  row('user', 'no effect', 'somebody', { note: sentAsHash }),
  row('safety_identifier', 'no effect', 'somebody', { note: sentAsHash }),
  row('prompt_cache_key', 'no effect', 'x', { note: sentAsHash }),
  row('prompt_cache_options', 'no effect', { mode: 'implicit' }),
  row('prompt_cache_retention', 'no effect', '24h', { note: sentAsItIs }),
  row('client_metadata', 'no effect', { turn: '1' }, { note: 'sent by Codex' }),
  row('service_tier', 'no effect', 'auto'),
  row('background', 'refused', true, { value: 'true', code: unsupported }),
  row('conversation', 'refused', 'conv_1', { code: unsupported, note: 'use previous_response_id' }),
  row('prompt', 'refused', { id: 'pmpt_1' }, { code: unsupported }),
  row('context_management', 'refused', [], { code: unsupported }),
  row('moderation', 'refused', {}, { code: unsupported }),
  row('access_programs', 'refused', {}, { code: unsupported }),
  row('image', 'refused', {}, { code: unsupported }),
  {
    field: 'any other field',
    value: 'that would change the answer',
    verdict: 'refused',
    code: unsupported,
    sample: { max_tokens: 5 },
  },
  { field: 'any other field', verdict: 'ignored and reported', sample: { foo: 1, input: [{ ...user, mood: 'good' }] } },
]
