import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AnswerChoice, type AnswerPart, joinParts } from '../src/api/generation/answer/answer-part.ts'
import type { Dialect } from '../src/api/generation/dialect.ts'
import { newId } from '../src/base/ids.ts'
import type { Engine, ServedModel } from '../src/engine/contract.ts'
import { array, object } from '../src/http/schema/containers.ts'
import { string } from '../src/http/schema/scalars.ts'
import { createRoute } from '../src/operations/create-route.ts'
import { operationsUnder } from '../src/operations/operation.ts'
import { owner } from '../src/platform/contract/operation.ts'
import { openScratchStore, scratchDirectory } from './harness/scratch-store.ts'
import { modelName, startHelix } from './harness/start-helix.ts'

// The examples in the comments of contracts, line by line, so that they are type-checked and run.

describe('Engine, src/engine/contract.ts', () => {
  const model: ServedModel = {
    id: modelName,
    created: 0,
    ownedBy: 'test',
    contextTokens: 100,
    vocabularyTokens: null,
    features: new Set(),
  }

  test('an engine of a few lines answers a chat completion', async () => {
    const echo: Engine = {
      model,
      slots: 1,
      state: () => 'ready',
      prepare: async ({ messages }) => ({
        promptTokens: messages.length,
        promptTokenIds: null,
        async *generate() {
          yield { type: 'token', id: null, bytes: Buffer.from(messages.at(-1)?.content ?? '') }
          yield { type: 'end', reason: 'stop', promptTokens: messages.length, cachedTokens: 0, completionTokens: 1 }
        },
      }),
      close: async () => {},
    }
    const { chat } = await startHelix({ startEngine: () => echo })
    const answer = await (await chat({ messages: [{ role: 'user', content: 'Hello' }] })).json()
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Hello' } }], usage: { total_tokens: 2 } })
  })
})

describe('Store, src/store/contract.ts', () => {
  test('a stored completion is found by its organisation only', async () => {
    using directory = scratchDirectory()
    await using store = await openScratchStore(directory.path)
    const completion = {
      id: 'chatcmpl-1',
      createdAt: 0,
      model: modelName,
      metadata: null,
      completion: '{}',
      messages: '[]',
    }
    const { id: organisationId } = await store.organisations.first()
    await store.completions.insert({ ...completion, organisationId })
    const found = await store.completions.find(organisationId, completion.id)
    const foundByOthers = await store.completions.find('org_other', completion.id) // null
    expect(found).toEqual({ ...completion, organisationId })
    expect(foundByOthers).toBeNull()
  })
})

describe('Dialect, src/api/generation/dialect.ts', () => {
  const reader: Dialect['reader'] = { read: () => Promise.reject(new Error('no body is read here')) }

  test('its formatter writes the same text as events and as a document', () => {
    const plain: Dialect = {
      endpoint: 'completions',
      reader,
      newAnswerId: () => newId('cmpl'),
      openFormatter: (_, { id }) => ({
        events: ([, part]) => (part.type === 'content' ? JSON.stringify({ text: part.text }) : []),
        lastEvents: () => [JSON.stringify({ id })],
        document: (choices) => ({ id, texts: choices.map(({ parts }) => joinParts(parts).content) }),
      }),
    }
    const id = plain.newAnswerId()
    const formatter = plain.openFormatter(...neededOf(id))
    const part: AnswerPart = { type: 'content', text: 'Hello', tokens: [] }
    const choice: AnswerChoice = { parts: [part], finish: { reason: 'stop' }, tokenIds: null }
    const emitted = { tokens: 1, reasoning: 0 }
    expect(formatter.events([0, { ...part, emitted }])).toBe('{"text":"Hello"}')
    expect(formatter.lastEvents([])).toEqual([JSON.stringify({ id })])
    expect(formatter.document([choice])).toEqual({ id, texts: ['Hello'] })
  })

  /** The formatter of the example reads nothing but the id. */
  const neededOf = (id: string) => [{}, { id }] as unknown as Parameters<Dialect['openFormatter']>
})

describe('Operation, src/operations/operation.ts', () => {
  test('a row becomes a route', () => {
    const node = object({ id: string() })
    const listNodes = async () => [{ id: 'node_1' }]
    const { get } = operationsUnder('/platform')
    const nodeOperations = {
      listNodes: get('/nodes', owner, 'Lists the nodes.', { answer: object({ data: array(node) }) }),
    }
    const route = createRoute(nodeOperations.listNodes, async () => ({ data: await listNodes() }))
    expect(route).toMatchObject({ method: 'GET', path: '/platform/nodes', access: 'owner' })
  })
})

const linesOf = (path: string): string[] =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trimStart())

test.each([
  'src/engine/contract.ts',
  'src/store/contract.ts',
  'src/api/generation/dialect.ts',
  'src/operations/operation.ts',
])('the example of %s is one of the above', (path) => {
  const example = linesOf(path)
    .filter((line) => line.startsWith('*     '))
    .map((line) => line.slice(1).trimStart())
  expect(example.length).toBeGreaterThan(0)
  expect(linesOf('test/contract-examples.test.ts').join('\n')).toContain(example.join('\n'))
})
