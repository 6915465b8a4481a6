import { ApiError } from '../../base/api-error.ts'
import type { Redact } from '../../base/create-redactor.ts'
import { isRecord } from '../../base/is-record.ts'
import type { EngineEnd, EngineEvent } from '../contract.ts'
import { createCallDeltas } from './call-deltas.ts'
import { createCumulativeText } from './cumulative-text.ts'
import { errorInside } from './refusal.ts'
import { createReportedLogprobs } from './reported-logprobs.ts'
import { createWholeCharacters } from './whole-characters.ts'

/**
 * Turns an upstream's chunks, or its one JSON answer, into events. Fields of the wrong type count as missing. It has no
 * getters: V8 creates a hidden class for each object literal that has one, which keeps all it can reach in memory until the
 * next full garbage collection.
 */
export interface AnswerReader {
  /** Adds the events of a chunk or of a whole answer. Throws an `ApiError` if it is an error. */
  read(value: unknown, events: EngineEvent[]): void
  /** The same for chunks that have these texts and say nothing else, see `plain-chunk.ts`. */
  readTexts(texts: readonly string[], events: EngineEvent[]): void
  /** The upstream has ended: adds what was held back. */
  end(events: EngineEvent[]): void
  /** Null until the upstream has sent a finish reason. */
  reason(): EngineEnd['reason'] | null
  /** The stop text that the upstream says it has found. */
  stopText?(): string | null
  /** Everything has arrived, even if the response does not end. Only of an API that says so in its events. */
  isDone?(): boolean
  /** The types of the events that say so. */
  lastTypes?: ReadonlySet<string>
  /** The last `usage` that was sent. */
  usage(): Record<string, unknown> | null
}

/** `takesPieces`: see `Sampling`. */
type ReaderOptions = { logprobs: boolean; redact: Redact; takesPieces?: boolean }

export const createAnswerReader = ({ logprobs, redact, takesPieces = false }: ReaderOptions): AnswerReader => {
  const content = createDeltas()
  const reasoning = createDeltas()
  const calls = createCallDeltas()
  const reported = logprobs ? createReportedLogprobs() : null
  let reason: EngineEnd['reason'] | null = null
  let stopText: string | null = null
  let usage: Record<string, unknown> | null = null

  const addContent = (text: string, entries: unknown, events: EngineEvent[]): void => {
    if (reported !== null) reported.push(text, entries, events)
    else if (text !== '') events.push({ type: 'text', text })
  }
  const addReasoning = (text: string, events: EngineEvent[]): void => {
    if (text !== '') events.push({ type: 'reasoning', text })
  }
  const readDelta = (delta: Record<string, unknown>, entries: unknown, events: EngineEvent[]): void => {
    const thought = delta.reasoning_content ?? delta.reasoning ?? readThinking(delta.content)
    if (typeof thought === 'string') addReasoning(reasoning.push(thought), events)
    const text = readText(delta.content)
    if (text !== '' || entries !== undefined) addContent(content.push(text), entries, events)
    if (typeof delta.refusal === 'string' && delta.refusal !== '') events.push({ type: 'refusal', text: delta.refusal })
    if (delta.tool_calls) calls.push(delta.tool_calls, events)
    else if (delta.function_call) calls.push([delta.function_call], events)
  }
  return {
    read(value, events) {
      if (!isRecord(value)) throw invalid('something other than an object')
      // Older versions of vLLM have no member around it, and neither has Mistral.
      const isError = value.object === 'error' || (value.error !== undefined && value.error !== null)
      if (isError) throw errorInside(value, redact)
      if (isRecord(value.usage)) usage = value.usage
      const choice = firstChoice(value.choices)
      if (choice === null) return
      // As of OpenRouter, where the model failed and the answer did not.
      if (isRecord(choice.error)) throw errorInside(choice, redact)
      const delta = choice.delta ?? choice.message
      const logprobs = isRecord(choice.logprobs) ? choice.logprobs : {}
      if (isRecord(delta)) readDelta(delta, logprobs.content ?? undefined, events)
      else if (typeof choice.text === 'string') readDelta({ content: choice.text }, legacyEntries(logprobs), events)
      reason = readReason(choice.finish_reason) ?? reason
      // As vLLM says it, and SGLang.
      const stop = choice.stop_reason ?? choice.matched_stop
      if (typeof stop === 'string') stopText = stop
    },
    readTexts(texts, events) {
      const mayJoin = takesPieces && reported === null && arePieces(texts)
      let at = 0
      for (; at < texts.length && !(mayJoin && texts.length - at > 1 && content.isPlain()); at += 1) {
        const text = texts[at] ?? ''
        if (text !== '') addContent(content.push(text), undefined, events)
      }
      if (at === texts.length) return
      const pieces = at === 0 ? texts : texts.slice(at)
      events.push({ type: 'text', text: pieces.join(''), tokens: pieces.length, pieces })
    },
    end(events) {
      addReasoning(reasoning.flush(), events)
      addContent(content.flush(), undefined, events)
      reported?.flush(events)
      calls.end(events, reason === 'length')
    },
    reason: () => reason,
    stopText: () => stopText,
    usage: () => usage,
  }
}

/** The parallel lists of `/completions` as the entries of chat completions; undefined if there are none. */
const legacyEntries = (lists: Record<string, unknown>): unknown[] | undefined => {
  const { tokens, token_logprobs: values, top_logprobs: tops } = lists
  if (!Array.isArray(tokens)) return undefined
  const at = (list: unknown, index: number): unknown => (Array.isArray(list) ? list[index] : undefined)
  return tokens.map((token: unknown, index) => {
    const top = at(tops, index)
    const likely = isRecord(top) ? Object.entries(top).map(([text, logprob]) => ({ token: text, logprob })) : []
    return { token, logprob: at(values, index), top_logprobs: likely }
  })
}

/** Empty texts are no part of an answer, and halves of characters wait for the other half. */
const arePieces = (texts: readonly string[]): boolean => {
  for (const text of texts) if (text === '' || !text.isWellFormed()) return false
  return true
}

/** Whole characters that a chunk adds. */
const createDeltas = () => {
  const texts = createCumulativeText()
  const characters = createWholeCharacters()
  return {
    push: (chunk: string): string => characters.push(texts.push(chunk)),
    /** Chunks of whole characters are passed on as they are. */
    isPlain: (): boolean => texts.isIncremental() && characters.isEmpty(),
    flush: (): string => characters.push(texts.flush()) + characters.flush(),
  }
}

const invalid = (what: string): ApiError => ApiError.of('upstream_failed', {}, { cause: `the upstream sent ${what}` })

/** One choice is requested at a time; others are ignored. */
const firstChoice = (choices: unknown): Record<string, unknown> | null => {
  if (!Array.isArray(choices)) return null
  const [first] = choices
  return isRecord(first) && (first.index === undefined || first.index === 0 || first.index === null) ? first : null
}

/** A text, or parts with a text each. */
const readText = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

/** Mistral's reasoning is a part of the content, with texts of its own. */
const readThinking = (content: unknown): string | undefined => {
  if (!Array.isArray(content)) return undefined
  return content.map((part) => (isRecord(part) && part.type === 'thinking' ? readText(part.thinking) : '')).join('')
}

/** With these, the upstream says that it has failed or given up: the answer is not complete. The last one is DeepSeek's. */
const failures: ReadonlySet<string> = new Set(['error', 'abort', 'aborted', 'insufficient_system_resource'])
/** Mistral's `model_length` is the end of its context. */
const lengths: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length'])

const readReason = (reason: unknown): EngineEnd['reason'] | null => {
  if (typeof reason !== 'string' || reason === '' || failures.has(reason)) return null
  if (lengths.has(reason)) return 'length'
  // Google names its own reason behind it, such as `content_filter: RECITATION`.
  return /^content_filter\b/.test(reason) ? 'content_filter' : 'stop'
}
