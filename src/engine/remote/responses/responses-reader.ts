import type { Redact } from '../../../base/create-redactor.ts'
import { isRecord } from '../../../base/is-record.ts'
import type { EngineEnd, EngineEvent, ItemPart } from '../../contract.ts'
import type { AnswerReader } from '../answer-reader.ts'
import { failed } from '../read-response.ts'
import { createReportedLogprobs } from '../reported-logprobs.ts'
import { createKnownItems } from './known-items.ts'
import { responseError } from './response-error.ts'
import { callId, itemJson, type ReadItem, recordsIn, textOf } from './response-items.ts'

type ReaderOptions = {
  logprobs: boolean
  redact: Redact
  hideSecrets: Redact
  /** The tools whose items are passed on. */
  builtInTools: ReadonlySet<string>
}
type Fields = Record<string, unknown>
/** A text of an item. */
type Place = { part: ItemPart; partIndex: number }

const maxParts = 1000

/** The events that add to a text, and those that end it with all of it. */
const textEvents: Readonly<Record<string, { part: ItemPart; number: string | null; whole: string }>> = {
  'response.output_text': { part: 'output_text', number: 'content_index', whole: 'text' },
  'response.refusal': { part: 'refusal', number: 'content_index', whole: 'refusal' },
  'response.reasoning_text': { part: 'reasoning_text', number: 'content_index', whole: 'text' },
  'response.reasoning_summary_text': { part: 'summary_text', number: 'summary_index', whole: 'text' },
  'response.function_call_arguments': { part: 'arguments', number: null, whole: 'arguments' },
  'response.custom_tool_call_input': { part: 'arguments', number: null, whole: 'input' },
}

/**
 * Reads the events of a Responses API, or a whole response. Texts become the events of any engine, so that limits, hidden keys, hooks and
 * counts apply to them; items say where they belong, and what else the upstream says about them. Events and items of unknown types
 * are left out: the API may add some at any time.
 */
export const createResponsesReader = ({ logprobs, redact, hideSecrets, builtInTools }: ReaderOptions): AnswerReader => {
  const items = createKnownItems(builtInTools)
  const reported = logprobs ? createReportedLogprobs() : null
  let current: { item: ReadItem; place: Place } | null = null
  let calls = 0
  let reason: EngineEnd['reason'] | null = null
  let usage: Fields | null = null

  /** The text that was being read does not go on for now. */
  const leave = (events: EngineEvent[]): void => {
    reported?.flush(events)
    if (current === null) return
    const { item, place } = current
    current = null
    const rest = textOf(item, placeKey(place)).characters.flush()
    if (rest !== '') events.push(textEvent(item, place, rest))
  }
  const show = (item: ReadItem, events: EngineEvent[]): void => {
    if (item.isShown) return
    leave(events)
    item.isShown = true
    events.push({
      type: 'item',
      item: { step: 'added', index: item.index, json: hideSecrets(itemJson(item)) },
      tokens: 0,
    })
    if (item.kind !== 'function_call' && item.kind !== 'custom_tool_call') return
    const { name } = item.fields
    if (typeof name !== 'string' || name === '') throw failed('it sent a tool call without a name')
    item.call = calls
    calls += 1
    events.push({ type: 'call', index: item.call, id: callId(item), name, tokens: 0 })
  }
  const enter = (item: ReadItem, place: Place, events: EngineEvent[]): void => {
    const { part, partIndex } = place
    if (current?.item === item && placeKey(current.place) === placeKey(place)) return
    show(item, events)
    leave(events)
    if (item.texts.size >= maxParts) throw failed(`an item of its answer has more than ${maxParts} parts`)
    current = { item, place }
    events.push({ type: 'item', item: { step: 'part', index: item.index, part, partIndex }, tokens: 0 })
  }
  const add = (item: ReadItem, place: Place, text: string, entries: unknown, events: EngineEvent[]): void => {
    if (item.isDone || item.kind === 'built_in') return
    enter(item, place, events)
    const known = textOf(item, placeKey(place))
    known.length += text.length
    const whole = known.characters.push(text)
    if (reported !== null && place.part === 'output_text') reported.push(whole, entries, events)
    else if (whole !== '') events.push(textEvent(item, place, whole))
  }
  /** What was not sent in parts. */
  const complete = (item: ReadItem, place: Place, text: unknown, entries: unknown, events: EngineEvent[]): void => {
    const { length } = item.texts.get(placeKey(place)) ?? { length: 0 }
    if (typeof text === 'string' && text.length > length) add(item, place, text.slice(length), entries, events)
  }
  const finish = (index: unknown, fields: unknown, events: EngineEvent[]): void => {
    const item = isRecord(fields) ? items.find(index, fields) : null
    if (item === null || item.isDone || !isRecord(fields)) return
    item.fields = { ...item.fields, ...fields }
    for (const [place, text, entries] of textsOf(item, fields)) complete(item, place, text, entries, events)
    show(item, events)
    leave(events)
    item.isDone = true
    events.push({
      type: 'item',
      item: { step: 'done', index: item.index, json: hideSecrets(itemJson(item)) },
      tokens: 0,
    })
  }
  const readText = (event: Fields, type: string, events: EngineEvent[]): void => {
    const row = textEvents[type.replace(/\.(delta|done)$/, '')]
    if (row === undefined) return
    const number = row.number === null ? 0 : event[row.number]
    const place = { part: row.part, partIndex: typeof number === 'number' ? number : 0 }
    const item = items.find(event.output_index, { id: event.item_id, type: itemOfPart[row.part] }, true)
    if (item === null) return
    if (!type.endsWith('.delta')) complete(item, place, event[row.whole], event.logprobs, events)
    else if (typeof event.delta === 'string') add(item, place, event.delta, event.logprobs, events)
  }
  const end = (response: Fields, events: EngineEvent[]): void => {
    const { status, incomplete_details: details } = response
    if (status === 'failed' || status === 'cancelled') throw responseError(response.error, redact)
    for (const [index, item] of recordsIn(response.output).entries()) finish(index, item, events)
    if (isRecord(response.usage)) usage = usageOf(response.usage)
    if (status === 'completed') reason = 'stop'
    if (status === 'incomplete')
      reason = isRecord(details) && details.reason === 'content_filter' ? 'content_filter' : 'length'
  }
  return {
    read(value, events) {
      if (!isRecord(value)) throw failed('it sent something other than an object')
      const { type, response } = value
      if (value.object === 'response') return end(value, events)
      if (type === 'error') throw responseError(isRecord(value.error) ? value.error : value, redact)
      if (typeof type !== 'string') {
        if (value.error) throw responseError(value.error, redact)
        return
      }
      if (type === 'response.output_item.added') {
        const item = isRecord(value.item) ? items.find(value.output_index, value.item) : null
        // What a tool does takes long, and cannot begin again elsewhere without being paid for twice.
        if (item?.kind === 'built_in') show(item, events)
      } else if (type === 'response.output_item.done') finish(value.output_index, value.item, events)
      else if (endEvents.has(type)) {
        const status = type.slice('response.'.length)
        if (isRecord(response)) end({ ...response, status }, events)
        else end({ status }, events)
      } else readText(value, type, events)
    },
    // Only chunks of chat completions are read as texts.
    readTexts: () => {},
    end: leave,
    isDone: () => reason !== null,
    lastTypes: endEvents,
    reason: () => reason,
    usage: () => usage,
  }
}

const endEvents: ReadonlySet<string> = new Set(
  ['completed', 'incomplete', 'failed', 'cancelled'].map((status) => `response.${status}`),
)

/** Of an item whose beginning was not sent. A call without one has no name, and is an error. */
const itemOfPart: Readonly<Record<ItemPart, string>> = {
  ...{ output_text: 'message', refusal: 'message', summary_text: 'reasoning', reasoning_text: 'reasoning' },
  arguments: 'function_call',
}

const placeKey = ({ part, partIndex }: Place): string => `${part} ${partIndex}`

const textEvent = ({ call }: ReadItem, { part }: Place, text: string): EngineEvent => {
  switch (part) {
    case 'output_text':
      return { type: 'text', text }
    case 'refusal':
      return { type: 'refusal', text }
    case 'arguments':
      return { type: 'arguments', index: call ?? 0, text }
    default:
      return { type: 'reasoning', text }
  }
}

type WholeText = [place: Place, text: unknown, entries: unknown]

/** The texts of a complete item. */
const textsOf = ({ kind }: ReadItem, { content, summary, arguments: given, input }: Fields): WholeText[] => {
  if (kind === 'function_call') return [[{ part: 'arguments', partIndex: 0 }, given, undefined]]
  if (kind === 'custom_tool_call') return [[{ part: 'arguments', partIndex: 0 }, input, undefined]]
  if (kind === 'message')
    return recordsIn(content).map(({ type, text, refusal, logprobs }, partIndex) =>
      type === 'refusal'
        ? [{ part: 'refusal', partIndex }, refusal, undefined]
        : [{ part: 'output_text', partIndex }, text, logprobs],
    )
  if (kind !== 'reasoning') return []
  return [
    ...recordsIn(summary).map(
      ({ text }, partIndex): WholeText => [{ part: 'summary_text', partIndex }, text, undefined],
    ),
    ...recordsIn(content).map(
      ({ text }, partIndex): WholeText => [{ part: 'reasoning_text', partIndex }, text, undefined],
    ),
  ]
}

/** As chat completions name the counts. */
const usageOf = (counts: Fields): Fields => ({
  prompt_tokens: counts.input_tokens,
  completion_tokens: counts.output_tokens,
  prompt_tokens_details: counts.input_tokens_details,
  completion_tokens_details: counts.output_tokens_details,
})
