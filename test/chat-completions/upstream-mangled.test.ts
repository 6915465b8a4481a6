import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { type Chunk, readEvents } from '../harness/read-events.ts'
import { startUpstream, stream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

/**
 * Whatever an upstream does to a stream that keeps its meaning, callers get the same answer; whatever it does to break it,
 * they get an error. Everything that is sent is checked against our own schema, as in every test.
 */
const start = async (writes: () => readonly Uint8Array[]) => {
  const upstream = await startUpstream((response) => stream(response, ...writes()))
  const { log } = createLogCatcher({ clock: createManualClock(), format: 'json' })
  return startHelix({
    startEngine: () =>
      openRemoteEngine({
        ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
        ...{ slots: 4, created: 0, log },
      }),
  })
}

type Part = { reasoning: string } | { content: string } | { call: string; pieces: string[] }
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((part) => `${part}.`)
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ content: text }),
  fc.record({ reasoning: text }),
  fc.record({ call: fc.constantFrom('find', 'send'), pieces: fc.array(text, { maxLength: 3 }) }),
)

/** No part begins with all of the one before, as it would if each contained the whole text so far. */
const partsOf = (maxLength: number): fc.Arbitrary<Part[]> =>
  fc.array(part, { maxLength }).map((parts) =>
    parts.map((one, index) => {
      if ('content' in one) return { content: `${index}${one.content}` }
      return 'reasoning' in one ? { reasoning: `${index}${one.reasoning}` } : one
    }),
  )

/** How an upstream spells its chunks. */
const habits = fc.record({
  role: fc.boolean(),
  index: fc.boolean(),
  ids: fc.constantFrom('theirs', 'ours'),
  reasoningName: fc.constantFrom('reasoning', 'reasoning_content', 'thinking'),
  finish: fc.constantFrom('stop', 'eos', 'end_turn'),
  usage: fc.boolean(),
  nulls: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  blankLines: fc.boolean(),
  comments: fc.boolean(),
  space: fc.boolean(),
  done: fc.boolean(),
  parts: fc.boolean(),
})
type Habits = typeof habits extends fc.Arbitrary<infer Value> ? Value : never

const deltasOf = (parts: readonly Part[], { index, ids, reasoningName, nulls, parts: asParts }: Habits): object[] => {
  let calls = -1
  const empty = nulls ? { content: null, refusal: null, reasoning_content: null } : {}
  return parts.flatMap((one): object[] => {
    if ('content' in one) return [{ content: asParts ? [{ type: 'text', text: one.content }] : one.content }]
    if ('reasoning' in one && reasoningName === 'thinking')
      return [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: one.reasoning }] }] }]
    if ('reasoning' in one) return [{ ...empty, [reasoningName]: one.reasoning }]
    calls += 1
    const at = index ? { index: calls } : {}
    const id = ids === 'ours' ? `call_${calls}` : `tool-${calls}`
    const pieces = one.pieces.map((piece) => ({ ...empty, tool_calls: [{ ...at, function: { arguments: piece } }] }))
    return [{ ...empty, tool_calls: [{ ...at, id, function: { name: one.call } }] }, ...pieces]
  })
}

const bytesOf = (parts: readonly Part[], own: Habits): { events: string[]; closing: string[] } => {
  const { role, usage, lineEnd, blankLines, comments, space, done, finish: reason } = own
  const data = (value: string): string =>
    `${comments ? `: ping${lineEnd}` : ''}data:${space ? ' ' : ''}${value}${lineEnd}${blankLines ? lineEnd : ''}`
  const chunk = (delta: object, finish?: string): string =>
    data(JSON.stringify({ choices: [{ delta, ...(finish === undefined ? {} : { finish_reason: finish }) }] }))
  const closing = [chunk({}, reason)]
  if (usage) closing.push(data('{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":9}}'))
  if (done) closing.push(data('[DONE]'))
  const opening = role ? [chunk({ role: 'assistant', content: '' })] : []
  return { events: [...opening, ...deltasOf(parts, own).map((delta) => chunk(delta))], closing }
}

type Joined = { content: string; reasoning: string; calls: [name: string, text: string][] }
/** A call of a function without parameters has no arguments at some upstreams; clients read them as JSON. */
const meaningOf = (parts: readonly Part[]): Joined => ({
  content: parts.map((one) => ('content' in one ? one.content : '')).join(''),
  reasoning: parts.map((one) => ('reasoning' in one ? one.reasoning : '')).join(''),
  calls: parts.flatMap((one) => ('call' in one ? [[one.call, one.pieces.join('') || '{}']] : [])),
})

type CallPart = { index: number; function: { name?: string; arguments: string } }
const joinedOf = (chunks: readonly Chunk[]): Joined => {
  const joined: Joined = { content: '', reasoning: '', calls: [] }
  for (const { choices } of chunks)
    for (const { delta } of choices) {
      joined.content += delta.content ?? ''
      joined.reasoning += delta.reasoning_content ?? ''
      for (const { index, function: called } of (delta.tool_calls ?? []) as CallPart[]) {
        const [name, before] = joined.calls[index] ?? [called.name ?? 'nameless', '']
        joined.calls[index] = [name, before + called.arguments]
      }
    }
  return joined
}

const asked = {
  stream: true,
  tools: ['find', 'send'].map((name) => ({ type: 'function', function: { name } })),
  max_tokens: 1000,
}

test('the same answer comes out, whatever the habits of the upstream and wherever its bytes are cut', async () => {
  let writes: readonly Uint8Array[] = []
  const helix = await start(() => writes)
  await fc.assert(
    fc.asyncProperty(partsOf(8), habits, anyCuts, async (parts, own, cuts) => {
      const { events, closing } = bytesOf(parts, own)
      writes = cutBytes(Buffer.from([...events, ...closing].join('')), cuts)
      const received = await readEvents(await helix.chat(asked))
      expect(received.at(-1)).toBe('[DONE]')
      expect(joinedOf(received.slice(0, -1).map((data) => JSON.parse(data)))).toEqual(meaningOf(parts))
    }),
    { numRuns: 60 },
  )
})

test('a stream that stops early, or that is damaged, never looks complete', async () => {
  let writes: readonly Uint8Array[] = []
  const helix = await start(() => writes)
  const damage = fc.constantFrom(
    '',
    'data: {"choices":[{"del',
    'data: <html>\n\n',
    'data: {"error":"gone"}\n\n',
    'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n',
    'data: {"choices":[{"delta":{"content":""},"error":{"code":502,"message":"Gone."}}]}\n\n',
    'data: [DONE]\n\n',
  )
  await fc.assert(
    fc.asyncProperty(partsOf(5), habits, damage, async (parts, own, end) => {
      const { events } = bytesOf(parts, own)
      writes = [Buffer.from([...events, end].join(''))]
      const response = await helix.chat(asked)
      if (response.status === 502) {
        await response.text()
        return
      }
      const received = await readEvents(response)
      expect(received).not.toContain('[DONE]')
      expect(JSON.parse(received.at(-1) ?? '')).toMatchObject({ error: { code: 'upstream_failed' } })
      expect(received.filter((data) => data.includes('"finish_reason":"'))).toEqual([])
    }),
    { numRuns: 40 },
  )
})
