import type { FieldSupport } from './field-support.ts'
import { call, part, user } from './samples.ts'

/** `messages` of `POST /v1/chat/completions`: roles, content and calls. */
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
