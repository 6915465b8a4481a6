import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage, Conversation, Engine } from '../../../engine/contract.ts'
import { openScriptedEngine } from '../../../engine/scripted.ts'
import { readRequest } from '../../chat-completions/request/read-request.ts'
import { preparePrompts } from './prepare-prompts.ts'

const contextTokens = 1000
/** An engine whose tokens have nothing to do with bytes, and the conversations that it was given. */
const openCounting = (countTokens: (message: ChatMessage) => number) => {
  const engine = openScriptedEngine({ model: { contextTokens }, answer: () => [] })
  const seen: Conversation[] = []
  const prepare: Engine['prepare'] = async (conversation, signal) => {
    seen.push(conversation)
    const promptTokens = conversation.messages.reduce((sum, message) => sum + countTokens(message), 0)
    return { ...(await engine.prepare(conversation, signal)), promptTokens }
  }
  return { engine: { ...engine, prepare }, seen }
}

const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 }))
const request = readRequest(body, { hash: false, copy: false, strict: true })
const chat = (all: readonly ChatMessage[], keptFromStart: number | null) => ({
  type: 'chat' as const,
  messages: all,
  templateVariables: {},
  opening: 'answer' as const,
  keptFromStart,
})
const caller = { cacheScope: 'org', ownerId: 'usr' }
const never = new AbortController().signal

const messages = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
    content: fc.integer({ min: 0, max: 400 }).map(String),
    length: fc.nat({ max: 2000 }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('whatever its messages are, a prompt fits if any can, in few attempts, and is the end of the conversation', async () => {
  await fc.assert(
    fc.asyncProperty(messages, fc.nat({ max: 2 }), async (sent, kept) => {
      const all = sent.map(({ role, content, length }): ChatMessage => ({ role, content: content.padEnd(length) }))
      const countTokens = ({ content }: ChatMessage): number => Number(content)
      const { engine, seen } = openCounting(countTokens)
      const [prompt] = await preparePrompts({ ...request, prompt: chat(all, kept) }, engine, caller, never)
      const last = seen.at(-1)?.messages ?? []
      const first = all.slice(0, Math.min(kept, all.length))
      expect(last).toEqual(last.length === all.length ? all : [...first, ...all.slice(all.length - last.length + kept)])
      expect(seen.length).toBeLessThanOrEqual(8)
      const total = (some: readonly ChatMessage[]) => some.reduce((sum, message) => sum + countTokens(message), 0)
      expect(prompt.promptTokens).toBe(total(last))
      const newest = all.findLastIndex(({ role }, index) => role !== 'tool' && index > kept)
      const shortest = newest === -1 ? all : [...first, ...all.slice(newest)]
      if (total(shortest) <= contextTokens - 10 || total(all) <= contextTokens - 10)
        expect(prompt.promptTokens).toBeLessThanOrEqual(contextTokens - 10)
      if (last.length < all.length) expect(last[kept]?.role).not.toBe('tool')
    }),
    { numRuns: 300 },
  )
})

test('without the permission nothing is left out', async () => {
  const { engine, seen } = openCounting(() => 600)
  const all: ChatMessage[] = Array(5).fill({ role: 'user', content: 'x' })
  const [prompt] = await preparePrompts({ ...request, prompt: chat(all, null) }, engine, caller, never)
  expect(prompt.promptTokens).toBe(3000)
  expect(seen).toHaveLength(1)
})

const readBody = (more: object) =>
  readRequest(Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more })), {
    hash: false,
    copy: false,
    strict: false,
  })
const createTools = (tools: number, properties: number) =>
  Array.from({ length: tools }, (_, tool) => ({
    type: 'function',
    function: {
      name: `tool_${tool}`,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: properties }, (_, index) => [`property_${index}`, { type: 'string' }]),
        ),
      },
    },
  }))

test.each([
  ['a text', { messages: [{ role: 'user', content: 'word '.repeat(30_000) }] }],
  ['the tools', { tools: createTools(128, 20) }],
])('%s that cannot fit the context is refused before it is rendered', async (_, more) => {
  const { engine, seen } = openCounting(() => 1)
  await expect(preparePrompts(readBody(more), engine, caller, never)).rejects.toMatchObject({
    errorName: 'context_length_exceeded',
  })
  expect(seen).toEqual([])
})

test('tools that may fit the context are rendered, and those that the model is not shown do not count', async () => {
  const { engine, seen } = openCounting(() => 1)
  await preparePrompts(readBody({ tools: createTools(20, 25) }), engine, caller, never)
  await preparePrompts(readBody({ tools: createTools(128, 20), tool_choice: 'none' }), engine, caller, never)
  expect(seen).toHaveLength(2)
})
