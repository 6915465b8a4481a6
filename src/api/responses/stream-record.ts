import { parseJsonText } from '../../base/parse-json-text.ts'
import { builtInItemTypes } from '../../config/built-in-tools.ts'
import type { ItemPart, ItemStep } from '../../engine/contract.ts'
import type { FinishReason } from '../generation/answer/answer-part.ts'
import type { AnswerPiece } from './answer-piece.ts'
import type { BuiltInItem, CustomToolCall, FunctionCall, OutputItem } from './items.ts'
import { readItemFields } from './native-item.ts'
import type { ItemFields } from './open-item.ts'
import { createPartCursor } from './part-cursor.ts'
import { createResponseBuilder } from './response-builder.ts'
import type { ResponseJson } from './response-json.ts'
import type { ResponseEvent } from './stream-events.ts'

/** How an answer was divided into pieces, without its text, which is in the response: enough to stream it again. */
type Cut =
  | ['content', length: number, logprobs: number]
  | ['reasoning' | 'refusal', length: number]
  | ['call']
  | ['arguments', call: number, length: number]
  /** The arguments as which a model wrote the text of a custom tool are not in the response. */
  | ['custom', call: number, text: string]
  /** A step of an item of an upstream; the rest of one that is done is in the response, under its id. */
  | ['item', step: Exclude<ItemStep, { step: 'done' }>]
  | ['done', index: number, id: string]

export interface StreamRecord {
  add(piece: AnswerPiece): void
  json(): string
}

export const createStreamRecord = (customTools: readonly string[]): StreamRecord => {
  const cuts: Cut[] = []
  const calls: string[] = []
  return {
    add(piece) {
      if (piece.type === 'call') calls.push(piece.name)
      // Arguments without a call are not in the response either.
      if (piece.type === 'arguments' && piece.index >= calls.length) return
      const isCustom = piece.type === 'arguments' && customTools.includes(calls[piece.index] ?? '')
      cuts.push(isCustom ? ['custom', piece.index, piece.text] : measureCut(piece))
    },
    json: () => JSON.stringify(cuts),
  }
}

const measureCut = (piece: AnswerPiece): Cut => {
  switch (piece.type) {
    case 'content':
      return ['content', piece.text.length, piece.logprobs.length]
    case 'call':
      return ['call']
    case 'arguments':
      return ['arguments', piece.index, piece.text.length]
    case 'item':
      return piece.item.step === 'done'
        ? ['done', piece.item.index, String(readItemFields(piece.item.json).id)]
        : ['item', piece.item]
    default:
      return [piece.type, piece.text.length]
  }
}

/** The same events again, with the same numbers. A response that was not streamed is sent in one piece for each item. */
export function* replayEvents(response: ResponseJson, record: string | null): Generator<ResponseEvent> {
  const { output } = response
  const cuts = record === null ? null : asCuts(parseJsonText(record))
  const announced = announcedIds(cuts ?? [])
  const ids = output.flatMap(({ id }) => (announced.has(id) ? [] : [id]))
  const names = output.flatMap((item) => (item.type === 'custom_tool_call' ? [item.name] : []))
  const builder = createResponseBuilder({
    head: responseHead(response),
    customTools: names,
    summarises: response.reasoning.summary !== null,
    newItemId: () => ids.shift() ?? '',
  })
  yield* builder.start()
  const pieces = cuts === null ? output.flatMap(wholePieces) : cutOutput(output, cuts)
  for (const piece of numberedCalls(pieces)) yield* builder.add(piece)
  yield* builder.complete({
    reason: finishReason(response),
    usage: {
      promptTokens: response.usage?.input_tokens ?? 0,
      cachedTokens: response.usage?.input_tokens_details.cached_tokens ?? 0,
      completionTokens: response.usage?.output_tokens ?? 0,
      reasoningTokens: response.usage?.output_tokens_details.reasoning_tokens ?? 0,
    },
    completedAt: response.completed_at ?? 0,
  })
}

/** The ids of items of an upstream. Others were given here, as when another upstream has continued the answer. */
const announcedIds = (cuts: readonly Cut[]): ReadonlySet<unknown> =>
  new Set(cuts.flatMap((cut) => (cut[0] === 'item' && cut[1].step === 'added' ? [readItemFields(cut[1].json).id] : [])))

/** True because records are written by this file only. */
const asCuts = (value: unknown): Cut[] => value as Cut[]

const responseHead = (response: ResponseJson) => {
  const { id, created_at: created, model, ...rest } = response
  const { object: _, status, background, access_programs, completed_at, error, incomplete_details, ...others } = rest
  const { output, service_tier, usage, ...echoes } = others
  return { id, created, model, echoes }
}

const finishReason = ({ incomplete_details }: ResponseJson): FinishReason => {
  if (incomplete_details === null) return 'stop'
  return incomplete_details.reason === 'max_output_tokens' ? 'length' : 'content_filter'
}

/** As if an upstream had sent each item in one part for each of its texts. */
const wholePieces = (item: OutputItem, index: number): AnswerPiece[] => {
  const json = JSON.stringify(settledFields(item))
  return [
    { type: 'item', item: { step: 'added', index, json: JSON.stringify(addedFields(item)) } },
    ...textPieces(item, index),
    { type: 'item', item: { step: 'done', index, json } },
  ]
}

const textPieces = (item: OutputItem, index: number): AnswerPiece[] => {
  const part = (kind: ItemPart, partIndex: number, piece: AnswerPiece): AnswerPiece[] => [
    { type: 'item', item: { step: 'part', index, part: kind, partIndex } },
    piece,
  ]
  switch (item.type) {
    case 'message':
      return item.content.flatMap((one, at) => {
        if (one.type === 'refusal') return part('refusal', at, { type: 'refusal', text: one.refusal })
        const { text, logprobs } = one
        return text === '' ? [] : part('output_text', at, { type: 'content', text, logprobs })
      })
    case 'reasoning':
      return [
        ...item.summary.flatMap(({ text }, at) => part('summary_text', at, { type: 'reasoning', text })),
        ...(item.content ?? []).flatMap(({ text }, at) => part('reasoning_text', at, { type: 'reasoning', text })),
      ]
    case 'function_call':
      return [callPiece(item), { type: 'arguments', index: -1, text: item.arguments }]
    case 'custom_tool_call':
      return [callPiece(item), { type: 'arguments', index: -1, text: item.input }]
    default:
      return []
  }
}

const addedFields = (item: OutputItem): ItemFields => {
  if (item.type === 'message') return { id: item.id, type: item.type, phase: item.phase }
  return isBuiltIn(item) ? { ...item, status: 'in_progress' } : { id: item.id, type: item.type }
}

/** What an item has besides its texts. */
const settledFields = (item: OutputItem): ItemFields =>
  item.type === 'message'
    ? {
        ...{ id: item.id, type: item.type, status: item.status, phase: item.phase },
        annotations: item.content.map((part) => (part.type === 'output_text' ? part.annotations : [])),
      }
    : item

const isBuiltIn = (item: OutputItem): item is BuiltInItem => builtInItemTypes.some((type) => type === item.type)

const reasoningText = ({ content, summary }: Extract<OutputItem, { type: 'reasoning' }>): string =>
  (content ?? summary).map(({ text }) => text).join('')

type CallItem = FunctionCall | CustomToolCall
const callPiece = ({ call_id, name }: CallItem): AnswerPiece => ({ type: 'call', index: -1, id: call_id, name })

/** Calls are numbered in the order in which they begin; -1 stands for the newest. */
function* numberedCalls(pieces: Iterable<AnswerPiece>): Generator<AnswerPiece> {
  let calls = 0
  for (const piece of pieces) {
    if (piece.type === 'call') calls += 1
    yield 'index' in piece && piece.index === -1 ? { ...piece, index: calls - 1 } : piece
  }
}

/** Cuts the text of the items again. */
function* cutOutput(output: readonly OutputItem[], cuts: readonly Cut[]): Generator<AnswerPiece> {
  const calls = output.filter((item) => item.type === 'function_call' || item.type === 'custom_tool_call')
  const rest = {
    content: joined(output, 'content'),
    reasoning: joined(output, 'reasoning'),
    refusal: joined(output, 'refusal'),
    logprobs: output.flatMap((item) =>
      item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? part.logprobs : [])) : [],
    ),
    arguments: calls.map((item) => (item.type === 'function_call' ? item.arguments : item.input)),
  }
  const at = { content: 0, reasoning: 0, refusal: 0, logprobs: 0, calls: 0, arguments: calls.map(() => 0) }
  const parts = createPartCursor(output)
  const take = (from: 'content' | 'reasoning' | 'refusal', length: number): string => {
    const own = parts.take(length)
    if (own !== null) return own
    at[from] += length
    return rest[from].slice(at[from] - length, at[from])
  }
  for (const cut of cuts) {
    if (cut[0] === 'content') {
      const [, length, count] = cut
      at.logprobs += count
      const logprobs = rest.logprobs.slice(at.logprobs - count, at.logprobs)
      yield { type: 'content', text: take('content', length), logprobs }
    } else if (cut[0] === 'call') {
      const call = calls[at.calls]
      at.calls += 1
      if (call !== undefined) yield callPiece(call)
    } else if (cut[0] === 'arguments') {
      const [, index, length] = cut
      const start = at.arguments[index] ?? 0
      at.arguments[index] = start + length
      yield { type: 'arguments', index, text: rest.arguments[index]?.slice(start, start + length) ?? '' }
    } else if (cut[0] === 'custom') yield { type: 'arguments', index: cut[1], text: cut[2] }
    else if (cut[0] === 'item') {
      parts.step(cut[1])
      yield { type: 'item', item: cut[1] }
    } else if (cut[0] === 'done') {
      const item = output.find(({ id }) => id === cut[2])
      const json = JSON.stringify(item === undefined ? {} : settledFields(item))
      yield { type: 'item', item: { step: 'done', index: cut[1], json } }
    } else yield { type: cut[0], text: take(cut[0], cut[1]) }
  }
}

const joined = (output: readonly OutputItem[], of: 'content' | 'reasoning' | 'refusal'): string =>
  output
    .flatMap((item) => {
      if (item.type === 'reasoning') return of === 'reasoning' ? [reasoningText(item)] : []
      if (item.type !== 'message' || of === 'reasoning') return []
      return item.content.map((part) =>
        part.type === 'refusal' ? (of === 'refusal' ? part.refusal : '') : of === 'content' ? part.text : '',
      )
    })
    .join('')
