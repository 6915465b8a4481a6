/** How `POST /v1/messages` treats every field. `messages-compatibility.test.ts` sends every sample to the server. */
import type { FieldSupport } from './compatibility/field-support.ts'

const row = (
  field: string,
  verdict: FieldSupport['verdict'],
  sample: unknown,
  more: Pick<FieldSupport, 'value' | 'note'> = {},
): FieldSupport => ({ field, verdict, sample: { [field]: sample }, ...more })

const user = { role: 'user', content: 'Hi' }
const says = (block: object) => [{ role: 'user', content: [block] }]
const tool = { name: 'look', description: 'Looks', input_schema: { type: 'object', properties: {} } }
const calls = [
  user,
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Nothing', is_error: true }] },
]
const thoughts = [
  user,
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'Yes?' },
    ],
  },
  user,
]
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
const format = { type: 'json_schema', schema }

export const messagesApiFields: FieldSupport[] = [
  row('model', 'supported', 'helix-v1'),
  row('messages', 'supported', [user, { role: 'assistant', content: 'Yes?' }, user], { value: 'user, assistant' }),
  row('messages', 'supported', says({ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }), {
    value: 'text blocks',
    note: 'joined with newlines; cache_control and citations are ignored',
  }),
  row('messages', 'supported', calls, { value: 'tool_use and tool_result blocks', note: 'is_error is ignored' }),
  row('messages', 'supported', thoughts, {
    value: 'thinking blocks',
    note: 'passed to the chat template as reasoning; redacted_thinking is ignored',
  }),
  row('messages', 'supported', [user, { role: 'assistant', content: 'Yes, ' }], {
    value: 'a last message of the assistant',
    note: 'is continued',
  }),
  row('messages', 'refused', says({ type: 'image', source: {} }), { value: 'image blocks' }),
  row('messages', 'refused', says({ type: 'document', source: {} }), { value: 'document blocks' }),
  row('messages', 'refused', says({ type: 'search_result', source: 'x' }), { value: 'search_result blocks' }),
  row('messages', 'refused', [user, { role: 'assistant', content: [{ type: 'server_tool_use' }] }], {
    value: 'blocks of server tools',
  }),
  row('max_tokens', 'supported', 5, { note: 'lowered to what fits the context' }),
  row('system', 'supported', [{ type: 'text', text: 'Be brief.' }]),
  row('stop_sequences', 'supported', ['!'], { note: 'at most 64' }),
  row('stream', 'supported', true),
  row('temperature', 'supported', 0.5),
  row('top_p', 'supported', 0.5),
  row('top_k', 'supported', 40),
  row('tools', 'supported', [tool], { value: 'tools with an input_schema' }),
  row('tools', 'refused', [{ type: 'web_search_20250305', name: 'web_search' }], { value: 'server tools' }),
  { field: 'tool_choice', verdict: 'supported', sample: { tools: [tool], tool_choice: { type: 'any' } } },
  {
    field: 'thinking',
    verdict: 'supported',
    sample: { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } },
    note: 'models that reason do so unless it is disabled; the budget has no effect',
  },
  row('output_config', 'supported', { format }, { value: 'format', note: 'the schema is enforced during generation' }),
  row('output_config', 'no effect', { effort: 'low' }, { value: 'effort' }),
  row('output_format', 'supported', format, { note: 'older form of output_config.format' }),
  row('metadata', 'no effect', { user_id: 'somebody' }),
  row('service_tier', 'no effect', 'auto'),
  row('cache_control', 'no effect', { type: 'ephemeral' }, { note: 'prompts are cached automatically' }),
  row('context_management', 'no effect', { edits: [] }),
  row('diagnostics', 'no effect', {}),
  row('inference_geo', 'no effect', 'eu'),
  row('speed', 'no effect', 'standard'),
  row('user_profile_id', 'no effect', 'x'),
  row('workspace_id', 'no effect', 'x'),
  row('container', 'refused', 'container_1'),
  row('mcp_servers', 'refused', [{ type: 'url', url: 'https://example.com', name: 'x' }]),
  row(
    'thread',
    'refused',
    { type: 'create' },
    {
      note: 'with the error_code thread_unsupported_request, after which the official tool runners send the whole conversation',
    },
  ),
  {
    field: 'any other field',
    value: 'that would change the answer',
    verdict: 'refused',
    sample: { response_format: { type: 'json_object' } },
  },
  {
    field: 'any other field',
    verdict: 'ignored and reported',
    sample: { foo: 1, messages: [{ ...user, mood: 'good' }] },
  },
]
