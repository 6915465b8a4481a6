import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import type { ChatMessage, Conversation } from '../contract.ts'
import { upstreamBody } from './upstream-body.ts'
import { upstreamDialects } from './upstream-kinds.ts'
import type { LongBody } from './write-in-turns.ts'
import { writePrompt } from './write-prompt.ts'

const messages: ChatMessage[] = [
  { role: 'system', content: 'Be "brief".\n', name: 'operator' },
  { role: 'user', content: '猫 \ud83d\ude00 \ud800', parts: [{ type: 'text', text: '猫' }] },
  { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"at":"猫"}' }] },
  { role: 'tool', content: 'gone', toolCallId: 'call_1' },
]
const tools = [{ name: 'look', description: null, parameters: '{"type":"object"}', strict: true }]
const format = { type: 'schema' as const, name: 'answer', schema: '{"type":"string"}', strict: true }
const calling = { callable: ['look'], mode: 'auto' as const, parallel: true }
const answer = { stream: true, calling, format, reasoningEffort: null }

const readBody = async (conversation: Conversation): Promise<unknown> => {
  const { compatible: dialect } = upstreamDialects
  const options = { model: 'theirs', dialect, fields: new Set(dialect.fields), stream: true }
  const body: string | LongBody = await upstreamBody(conversation, openSampling, options)
  return JSON.parse(typeof body === 'string' ? body : Buffer.concat(body).toString())
}

test.each([
  ['messages', { messages, tools: [] }],
  ['tools', { messages, tools, answer: { ...answer, format: null } }],
  ['a schema', { messages, tools: [], answer: { ...answer, calling: null } }],
  ['all of them', { messages, tools, answer }],
])('a prompt that was written before is sent as one that was not: %s', async (_, prompt) => {
  const written = writePrompt(prompt)
  expect(await readBody(talk(messages, { ...prompt, written }))).toEqual(await readBody(talk(messages, prompt)))
})

test('a prompt that was written before is sent without reading it again', async () => {
  const prompt = { messages, tools, answer }
  const written = writePrompt(prompt)
  const { messages: _, tools: __, ...rest } = talk(messages, { ...prompt, written })
  const unread: Conversation = {
    ...rest,
    get messages(): never {
      throw new Error('the messages were read')
    },
    get tools(): never {
      throw new Error('the tools were read')
    },
  }
  expect(await readBody(unread)).toEqual(await readBody(talk(messages, prompt)))
})
