import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../base/api-error.ts'
import type { ConversationItem } from '../items.ts'
import { buildMessages } from './build-messages.ts'
import { readResponsesRequest } from './read-responses-request.ts'

const runs = Number(process.env.HELIX_FUZZ_RUNS ?? 4_000)
const limitMs = 60_000 + runs * 3
const needs = { hash: true, copy: true, strict: true }

/** The status of the error; null if the body is accepted. */
const outcome = (body: unknown): number | null => {
  try {
    const { response } = readResponsesRequest(Buffer.from(JSON.stringify(body)), needs)
    const items = response.input.filter((item): item is ConversationItem => item.type !== 'item_reference')
    buildMessages(response.instructions, items)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.message).not.toMatch(/undefined|NaN|\[object|\{\w+\}/)
    return error.status
  }
}

const text = fc.string({ maxLength: 20 })
const content = fc.oneof(
  text,
  fc.array(fc.record({ type: fc.constantFrom('input_text', 'output_text', 'refusal'), text, refusal: text })),
)
const item = fc.record(
  {
    type: fc.constantFrom(
      'message',
      'function_call',
      'function_call_output',
      'custom_tool_call',
      'custom_tool_call_output',
      'reasoning',
      'item_reference',
      'web_search_call',
      null,
    ),
    role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool'),
    content,
    id: text,
    call_id: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('look', 'patch'),
    arguments: text,
    input: text,
    output: fc.oneof(text, content),
    summary: fc.array(fc.record({ type: fc.constant('summary_text'), text })),
  },
  { requiredKeys: ['type'] },
)
const tool = fc.record(
  {
    type: fc.constantFrom('function', 'custom', 'web_search', 1),
    name: fc.constantFrom('look', 'patch', 'a b'),
    parameters: fc.oneof(fc.object({ maxDepth: 2 }), fc.constant(null)),
    strict: fc.boolean(),
    format: fc.constantFrom({ type: 'text' }, { type: 'grammar', syntax: 'regex', definition: '[a-z]+' }, {}),
  },
  { requiredKeys: ['type'] },
)
const body = fc.record(
  {
    model: fc.constantFrom('helix-v1', 1),
    input: fc.oneof(text, fc.array(item, { maxLength: 6 })),
    instructions: fc.oneof(text, fc.constant(null)),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom(
      'auto',
      'none',
      'required',
      { type: 'function', name: 'look' },
      { type: 'web_search' },
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look' }, { type: 'mcp' }] },
      {},
    ),
    text: fc.constantFrom({}, null, { format: { type: 'json_object' } }, { format: { type: 'json_schema' } }),
    include: fc.array(fc.constantFrom('reasoning.encrypted_content', 'message.output_text.logprobs', 'x')),
    temperature: fc.double(),
    top_logprobs: fc.integer({ min: -1, max: 21 }),
    stream: fc.boolean(),
    store: fc.oneof(fc.boolean(), fc.constant(null)),
    metadata: fc.dictionary(text, text),
    other: fc.anything(),
  },
  { requiredKeys: ['input'] },
)

test(
  'any body is accepted, or refused with an error of the caller that says why',
  () => {
    fc.assert(
      fc.property(fc.oneof(body, body, fc.object({ maxDepth: 3 })), (sent) => {
        const status = outcome(sent)
        expect(status === null || (status >= 400 && status < 500)).toBe(true)
      }),
      { numRuns: Math.ceil(runs * 0.05) },
    )
  },
  limitMs,
)
