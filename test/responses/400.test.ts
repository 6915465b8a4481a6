import { beforeAll, expect, test } from 'vitest'
import { postResponses } from '../harness/post-responses.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { strictRequests: true } })
  return helix.close
})

const tool = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
const item = (value: unknown) => ({ input: [value] })

/** What was sent, and the code and place of the error. */
const refused: [Record<string, unknown>, string | null, string | null][] = [
  [{ input: undefined }, 'missing_required_parameter', 'input'],
  [{ input: [] }, 'empty_array', 'input'],
  [{ input: 1 }, 'invalid_type', 'input'],
  [{ model: undefined }, 'missing_required_parameter', 'model'],
  [{ messages: [] }, 'unknown_parameter', 'messages'],
  [{ seed: 1 }, 'unknown_parameter', 'seed'],
  [{ background: true }, 'unsupported_parameter', 'background'],
  [{ conversation: 'conv_1' }, 'unsupported_parameter', 'conversation'],
  [{ prompt: { id: 'p' } }, 'unsupported_parameter', 'prompt'],
  [{ temperature: 3 }, 'decimal_above_max_value', 'temperature'],
  [{ max_output_tokens: 0 }, 'integer_below_min_value', 'max_output_tokens'],
  [{ top_logprobs: 21 }, 'integer_above_max_value', 'top_logprobs'],
  [{ include: ['thoughts'] }, 'invalid_value', 'include[0]'],
  [{ truncation: 'left' }, 'invalid_value', 'truncation'],
  [{ reasoning: { effort: 'extreme' } }, 'invalid_value', 'reasoning.effort'],
  [{ text: { verbosity: 'loud' } }, 'invalid_value', 'text.verbosity'],
  [{ text: { format: { type: 'json_schema', name: 'x' } } }, 'missing_required_parameter', 'text.format.schema'],
  [{ text: { format: { type: 'json_object' } } }, null, 'input'],
  [{ stream_options: {} }, null, 'stream_options'],
  [{ metadata: { a: 1 } }, 'invalid_type', 'metadata.a'],
  [item({ role: 'robot', content: 'Hi' }), 'invalid_value', 'input[0].role'],
  [item({ role: 'user', content: [{ type: 'output_text', text: 'Hi' }] }), 'invalid_value', 'input[0].content[0].type'],
  [item({ role: 'user', content: [{ type: 'input_image' }] }), 'unsupported_value', 'input[0].content[0].type'],
  [item({ type: 'web_search_call' }), 'unsupported_value', 'input[0].type'],
  [item({ type: 'thing' }), 'invalid_value', 'input[0].type'],
  [item({}), 'missing_required_parameter', 'input[0].type'],
  [item({ role: 'user', content: 'Hi', mood: 'good' }), 'unknown_parameter', 'input[0].mood'],
  [item({ type: 'function_call_output', call_id: 'a', output: 'x' }), null, 'input'],
  [item({ type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }), null, 'input'],
  [{ tools: [{ type: 'function' }] }, 'missing_required_parameter', 'tools[0].name'],
  [{ tools: [tool, tool] }, 'invalid_value', 'tools[1].name'],
  [{ tools: [{ ...tool, parameters: { type: 'nothing' } }] }, 'invalid_function_parameters', 'tools[0].parameters'],
  [{ tools: [tool], tool_choice: { type: 'function', name: 'other' } }, 'invalid_value', 'tool_choice.name'],
  [{ tools: [tool], tool_choice: { type: 'web_search_preview' } }, 'unsupported_value', 'tool_choice.type'],
  [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'unsupported_value', 'tools[0].type'],
  [{ tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
]

test.each(refused.map((row) => [JSON.stringify(row[0]), ...row] as const))('%s', async (_, body, code, param) => {
  const response = await postResponses(helix, body, { headers: { 'x-helix-strict': '1' } })
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  expect([response.status, error.type, error.code, error.param]).toEqual([400, 'invalid_request_error', code, param])
})

test('an item that is not stored is not found', async () => {
  const response = await postResponses(helix, item({ type: 'item_reference', id: 'msg_none' }))
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    error: { message: "Item with id 'msg_none' not found.", param: 'input' },
  })
})
