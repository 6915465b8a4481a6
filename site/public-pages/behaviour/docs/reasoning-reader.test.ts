import { expect, test } from 'vitest'
import { createReasoningReader } from './reasoning-reader.ts'

const events = {
  'chat completions': { choices: [{ index: 0, delta: { reasoning_content: 'Let me see.' } }] },
  responses: { type: 'response.reasoning_text.delta', delta: 'Let me see.' },
  messages: { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Let me see.' } },
}

test.each(Object.entries(events))('reasoning is found in a stream of %s, wherever it is cut', (_, event) => {
  const stream = `: comment\n\nevent: x\ndata: ${JSON.stringify(event)}\n\ndata: {"choices":[{"delta":{"content":"thinking"}}]}\n\ndata: [DONE]\n\n`
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const reader = createReasoningReader()
    expect(reader.add(stream.slice(0, cut)) + reader.add(stream.slice(cut))).toBe('Let me see.')
  }
})

test('a line that is no JSON is passed over', () => {
  expect(createReasoningReader().add('data: {reasoning\ndata: {"reasoning":1}\n')).toBe('')
})
