import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { EngineEnd, EngineEvent } from '../../src/engine/contract.ts'
import { type AnswerReader, createAnswerReader } from '../../src/engine/remote/answer-reader.ts'
import { createMessagesReader } from '../../src/engine/remote/messages/messages-reader.ts'
import { createResponsesReader } from '../../src/engine/remote/responses/responses-reader.ts'
import { openAnsweringHelix } from '../harness/answering-helix.ts'
import { gridRuns } from '../harness/grid.ts'

/**
 * What our endpoints make of any answer is read back by the readers of upstreams with the same API, as the answer that it was: Helix
 * as the upstream of Helix loses nothing.
 */
const parameters = { type: 'object', properties: { input: { type: 'string' } } }
const names = ['look', 'patch']
const messages = [{ role: 'user', content: 'Hi' }]
const tools = names.map((name) => ({ type: 'function', function: { name, parameters } }))
const endpoints = {
  '/chat/completions': { messages, tools },
  '/messages': { messages, max_tokens: 1000, tools: names.map((name) => ({ name, input_schema: parameters })) },
  '/responses': {
    input: 'Hi',
    tools: names.map((name) => ({ type: 'function', name, parameters, strict: false })),
  },
}
type Path = keyof typeof endpoints

let helix: Awaited<ReturnType<typeof openAnsweringHelix>>
beforeAll(async () => {
  helix = await openAnsweringHelix(endpoints)
  return helix.close
})

const redact = (text: string): string => text
const openReader: Record<Path, () => AnswerReader> = {
  '/chat/completions': () => createAnswerReader({ logprobs: false, redact }),
  '/messages': () => createMessagesReader({ redact, hideSecrets: redact, signatures: true }),
  '/responses': () => createResponsesReader({ logprobs: false, redact, hideSecrets: redact, builtInTools: new Set() }),
}

/** Each begins in its own way, so that none looks like the whole text so far. */
const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })
const inputs = fc.dictionary(fc.constantFrom('input', 'more'), fc.string({ unit: 'grapheme', maxLength: 6 }))
const spoken = fc.tuple(fc.constantFrom('text' as const, 'reasoning' as const, 'refusal' as const), texts)
const signature = fc.stringMatching(/^[A-Z]{1,6}$/)
const redacted = fc.tuple(fc.constant('redacted' as const), signature)
const called = fc.tuple(fc.constant('call' as const), fc.constantFrom(...names), inputs, fc.nat({ max: 20 }))

/** A provider signs all of its reasoning or none; a signature may come in parts. */
const signed = (text: string) => ({ type: 'reasoning' as const, text: '', signature: text, tokens: 0 })

/** Parts of an answer: text in pieces, and calls whose arguments come in two. */
const parts = fc.array(fc.oneof({ weight: 3, arbitrary: spoken }, called, redacted), { maxLength: 8 })
const answers = fc.tuple(parts, fc.option(fc.array(signature, { minLength: 1, maxLength: 2 }))).map(([all, signs]) => {
  let calls = 0
  return all.flatMap((one, at): EngineEvent[] => {
    if (one[0] === 'redacted') return signs === null ? [] : [{ ...signed(one[1]), isRedacted: true }]
    if (one[0] !== 'call') {
      const said = one[1].map((text, piece): EngineEvent => ({ type: one[0], text: `${at}.${piece}${text}` }))
      return one[0] === 'reasoning' && signs !== null ? [...said, ...signs.map(signed)] : said
    }
    const [, name, input, cut] = one
    const index = calls
    calls += 1
    const written = JSON.stringify(input)
    const parts = [written.slice(0, cut), written.slice(cut)].filter((text) => text !== '')
    const begun: EngineEvent = { type: 'call', index, id: `call_${index}`, name }
    return [begun, ...parts.map((text): EngineEvent => ({ type: 'arguments', index, text }))]
  })
})
const reasons = fc.constantFrom<EngineEnd['reason'][]>('stop', 'length', 'content_filter')
const counts = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.nat({ max: 99 }), fc.integer({ min: 20, max: 999 }))
  .map(([promptTokens, cachedTokens, completionTokens]) => ({
    ...{ promptTokens, cachedTokens: Math.min(cachedTokens, promptTokens), completionTokens },
  }))

/** A text, a call with its arguments as a value, or reasoning with its signature; neighbours of one type are one. */
type Said = { type: string; text: string; input?: unknown; signature?: string }
const joined = (events: readonly EngineEvent[]): Said[] => {
  const said: Said[] = []
  const written: string[] = []
  const calls: Said[] = []
  for (const event of events) {
    const last = said.at(-1)
    if (event.type === 'call') {
      const call: Said = { type: 'call', text: event.name }
      calls[event.index] = call
      said.push(call)
    } else if (event.type === 'arguments') written[event.index] = (written[event.index] ?? '') + event.text
    else if (event.type === 'reasoning' && event.isRedacted)
      said.push({ type: 'redacted', text: event.signature ?? '' })
    else if (event.type === 'reasoning' && event.signature !== undefined) {
      // Reasoning that nobody has signed has the id of its answer in this place.
      if (last?.type === 'reasoning' && !event.signature.startsWith('msg'))
        last.signature = (last.signature ?? '') + event.signature
    } else if (event.type !== 'text' && event.type !== 'reasoning' && event.type !== 'refusal') continue
    else if (event.text === '') continue
    else if (last?.type === event.type && last.signature === undefined) last.text += event.text
    else said.push({ type: event.type, text: event.text })
  }
  for (const [index, text] of written.entries()) Object.assign(calls[index] ?? {}, { input: JSON.parse(text) })
  return said
}

const asText = (event: EngineEvent): EngineEvent => (event.type === 'refusal' ? { ...event, type: 'text' } : event)
const unsigned = (events: readonly EngineEvent[]): EngineEvent[] =>
  events.filter((event) => !(event.type === 'reasoning' && event.signature !== undefined))
const byKind = (said: readonly Said[]): Said[] => {
  const kinds = ['reasoning', 'text', 'refusal'].map((kind): Said => {
    return { type: kind, text: said.flatMap(({ type, text }) => (type === kind ? [text] : [])).join('') }
  })
  return [...kinds, ...said.filter(({ type }) => type === 'call')]
}
/** What an API has no place for: signatures, refusals beside texts, or an order of texts, reasoning and calls. */
const expected: Record<Path, (events: readonly EngineEvent[]) => Said[]> = {
  '/chat/completions': (events) => byKind(joined(unsigned(events))),
  '/messages': (events) => joined(events.map(asText)),
  '/responses': (events) => joined(unsigned(events)),
}
const ends: Record<Path, (reason: EngineEnd['reason'], events: readonly EngineEvent[]) => EngineEnd['reason']> = {
  '/chat/completions': (reason) => reason,
  '/messages': (reason, events) => (events.some(({ type }) => type === 'refusal') ? 'content_filter' : reason),
  '/responses': (reason) => reason,
}

const read = (path: Path, values: readonly unknown[]) => {
  const reader = openReader[path]()
  const events: EngineEvent[] = []
  for (const value of values) reader.read(value, events)
  reader.end(events)
  const said = joined(events)
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = reader.usage() ?? {}
  return {
    said: path === '/chat/completions' ? byKind(said) : said,
    reason: reader.reason(),
    usage: [prompt_tokens, Object(prompt_tokens_details).cached_tokens, completion_tokens],
  }
}
const more: Partial<Record<Path, object>> = { '/chat/completions': { stream_options: { include_usage: true } } }

test.each(Object.keys(endpoints) as Path[])('%s is read back as it was answered, streamed and whole', async (path) => {
  await fc.assert(
    fc.asyncProperty(answers, reasons, counts, async (events, reason, counted) => {
      helix.answer([...events, { type: 'end', reason, ...counted }])
      const wanted = {
        ...{ said: expected[path](events), reason: ends[path](reason, events) },
        usage: [counted.promptTokens, counted.cachedTokens, counted.completionTokens],
      }
      expect(read(path, await helix.streamed(path, more[path]))).toEqual(wanted)
      expect(read(path, [await helix.whole(path)])).toEqual(wanted)
    }),
    { numRuns: gridRuns(150) },
  )
})
