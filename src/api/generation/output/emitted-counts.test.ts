import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import type { EngineEvent } from '../../../engine/contract.ts'
import { type ChoiceEvent, readChoice } from './choice.ts'
import { OutputParser } from './output-parser.ts'

type ReadOptions = { stops?: string[]; maxCalls?: number; reasoning?: boolean; logprobs?: boolean }

const read = async (tokens: readonly Uint8Array[], options: ReadOptions): Promise<ChoiceEvent[]> => {
  const { stops = [], maxCalls = 0, reasoning = false, logprobs = false } = options
  const parser = new OutputParser({ stops, maxCalls, reasoning, logprobs, newCallId: () => 'call_x' })
  const say = async function* (): AsyncGenerator<EngineEvent, void> {
    for (const bytes of tokens)
      yield { type: 'token', id: null, bytes, ...(logprobs ? { logprob: { logprob: -1, rank: 0, top: [] } } : {}) }
    yield { type: 'end', reason: 'stop', promptTokens: 1, cachedTokens: 0, completionTokens: tokens.length }
  }
  const none = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 }
  const counts = { ...none, isEstimated: false }
  const events = readChoice(say(), {
    choice: 0,
    parser,
    counts,
    calledReason: 'tool_calls',
    takeToken: () => true,
    takeTokens: () => true,
    returnTokenIds: false,
    onEngineEvent() {},
  })
  const seen = (await Array.fromAsync(events)).map(([, event]) => event)
  expect(seen.at(-1)).toMatchObject({
    type: 'finish',
    emitted: { tokens: counts.completionTokens, reasoning: counts.reasoningTokens },
  })
  return seen
}

/** A part of what the model writes, and where a client sees it. */
type Part = { source: string; shown: 'reasoning' | 'content' | 'name' | 'arguments' | 'nowhere' }
type Seen = Record<Part['shown'], number>

const seenIn = (events: readonly ChoiceEvent[]): Seen => {
  const seen: Seen = { reasoning: 0, content: 0, name: 0, arguments: 0, nowhere: 0 }
  for (const event of events) {
    if (event.type === 'call') seen.name += 1
    else if (event.type !== 'finish' && event.type !== 'refusal' && event.type !== 'item')
      seen[event.type] += event.text.length
  }
  return seen
}

/** What a client must have received for that much of the text to be emitted; a name arrives as a whole. */
const neededFor = (parts: readonly Part[], length: number): Seen => {
  const needed: Seen = { reasoning: 0, content: 0, name: 0, arguments: 0, nowhere: 0 }
  let left = length
  for (const { source, shown } of parts) {
    if (left <= 0) break
    needed[shown] += shown === 'name' ? (left >= source.length ? 1 : 0) : Math.min(left, source.length)
    left -= source.length
  }
  return needed
}

const kinds = ['reasoning', 'content', 'name', 'arguments'] as const
const covers = (seen: Seen, needed: Seen): boolean => kinds.every((kind) => seen[kind] >= needed[kind])

/** The end, in the text, of the last part that the client has received. */
const reachOf = (parts: readonly Part[], seen: Seen): number => {
  const left = { ...seen }
  let [place, reach] = [0, 0]
  for (const { source, shown } of parts) {
    const part = shown === 'name' ? Math.min(left.name, 1) * source.length : Math.min(left[shown], source.length)
    if (shown !== 'nowhere' && part > 0) reach = place + part
    left[shown] -= shown === 'name' ? Math.min(left.name, 1) : part
    place += source.length
  }
  return reach
}

const words = fc
  .array(fc.constantFrom('a', 'EN', '日本', '👩', '<', '</', ' b'), { minLength: 1, maxLength: 5 })
  .map((all) => `x${all.join('')}y`)
const aCall = fc.tuple(fc.constantFrom('f', 'get_weather'), words).map(([name, word]): Part[] => [
  { source: `<tool_call>\n{"name": "${name}", "arguments":`, shown: 'name' },
  { source: ' ', shown: 'nowhere' },
  { source: JSON.stringify({ word }), shown: 'arguments' },
  { source: '}\n</tool_call>', shown: 'nowhere' },
])
const answer = fc
  .record({
    thought: fc.option(words),
    said: fc.option(words),
    calls: fc.array(aCall, { maxLength: 2 }),
  })
  .map(({ thought, said, calls }): Part[] => [
    ...(thought === null
      ? []
      : ([
          { source: '<think>', shown: 'nowhere' },
          { source: `\n${thought}\n`, shown: 'reasoning' },
          { source: '</think>\n\n', shown: 'nowhere' },
        ] as const)),
    ...(said === null ? [] : ([{ source: said, shown: 'content' }] as const)),
    ...calls.flatMap((call): Part[] => [{ source: '\n', shown: 'nowhere' }, ...call]),
  ])

const endsIn = (tokens: readonly Uint8Array[]): number[] => {
  let place = 0
  return tokens.map((token) => {
    place += token.length
    return place
  })
}
/** How many UTF-16 units of the text begin within that many bytes. */
const unitsBegun = (text: string, bytes: number): number => {
  let [units, place] = [0, 0]
  for (const character of text) {
    if (place >= bytes) break
    place += Buffer.byteLength(character)
    units += character.length
  }
  return units
}

test('a token is counted once its last byte is emitted: never before, and at the latest with the next piece', async () => {
  await fc.assert(
    fc.asyncProperty(answer, anyCuts, fc.boolean(), async (parts, cuts, logprobs) => {
      const text = parts.map(({ source }) => source).join('')
      const tokens = cutBytes(Buffer.from(text), cuts)
      const ends = endsIn(tokens).map((bytes) => unitsBegun(text, bytes))
      const events = await read(tokens, { reasoning: true, maxCalls: 16, stops: ['END'], logprobs })
      let before = 0
      for (const [index, event] of events.entries()) {
        if (event.type === 'finish') break
        const emitted = event.emitted.tokens
        expect(emitted).toBeGreaterThanOrEqual(before)
        expect(event.emitted.reasoning).toBeLessThanOrEqual(emitted)
        before = emitted
        const seen = seenIn(events.slice(0, index + 1))
        expect(covers(seen, neededFor(parts, ends[emitted - 1] ?? 0))).toBe(true)
        // An empty piece emits no more than the one before it.
        if ('text' in event && event.text === '') continue
        const reach = reachOf(parts, seen)
        // A token without bytes may come later: then it is emitted with the next piece.
        const last = tokens.findLastIndex(({ length }, at) => length > 0 && (ends[at] ?? 0) <= reach)
        expect(emitted).toBeGreaterThanOrEqual(last + 1)
      }
    }),
    { numRuns: 1000 },
  )
})

test('what may become a stop sequence is not counted, and tokens that are cut off are counted at the end', async () => {
  const pieces = ['one ', 'E', 'N', 'D', ' more']
  const seen = await read(
    pieces.map((piece) => Buffer.from(piece)),
    { stops: ['END'] },
  )
  expect(seen.map(({ type, emitted }) => [type, emitted.tokens])).toEqual([
    ['content', 1],
    ['finish', 4],
  ])
})

test('an incomplete character is not counted, and neither is an incomplete name of a call', async () => {
  const [first = 0, ...rest] = Buffer.from('日')
  const halves = await read([Uint8Array.of(first), Uint8Array.from(rest), Buffer.from('!')], {})
  expect(halves.map(({ emitted }) => emitted.tokens)).toEqual([2, 3, 3])
  const call = ['<tool_call>', '{"name": "', 'f', '", "arguments": ', '{"a"', ': 1}', '}', '</tool_call>']
  const seen = await read(
    call.map((piece) => Buffer.from(piece)),
    { maxCalls: 16 },
  )
  expect(seen.map(({ type, emitted }) => [type, emitted.tokens])).toEqual([
    ['call', 3],
    ['arguments', 5],
    ['arguments', 6],
    ['finish', 8],
  ])
})
