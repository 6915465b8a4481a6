import type { EngineEvent } from '../contract.ts'
import { splitPieces } from '../split-pieces.ts'
import type { AnswerLimit, Limited } from './answer-limit.ts'
import { createAnswerTexts } from './answer-texts.ts'
import { eventText, withEventText } from './event-text.ts'

type CountedLimitOptions = {
  maxTokens: number
  /** Counts with the model's tokenizer; null if it cannot. */
  countTexts(texts: readonly string[]): Promise<number | null>
  /** Takes over if something cannot be counted. It gets all parts. */
  otherwise: AnswerLimit
}

/** Some tokenizers add a space at the beginning of each text: of the reasoning, the answer and a call. */
const addedTokens = 3
const longestWord = 16

/**
 * The exact limit, with the model's tokenizer. A token has at least one byte, so texts are counted only when there are more new bytes
 * than tokens left: never for most answers, and otherwise some twenty times.
 */
export const createCountedLimit = ({ maxTokens, countTexts, otherwise }: CountedLimitOptions): AnswerLimit => {
  const texts = createAnswerTexts()
  let countedTokens = 0
  let newBytes = 0
  let isCountable = true

  /** Null if it cannot be counted. */
  const countWith = async (events: readonly EngineEvent[]): Promise<number | null> => {
    const all = texts.copy()
    for (const event of events) all.add(event)
    const whole = all.texts()
    return whole === null ? null : countTexts(whole)
  }
  const isWithin = async (events: readonly EngineEvent[], length: number): Promise<boolean> => {
    const tokens = await countWith(firstCharacters(events, length))
    return tokens !== null && tokens <= maxTokens
  }
  /** The longest beginning of these parts that the limit allows. */
  const fitting = async (events: readonly EngineEvent[]): Promise<EngineEvent[]> => {
    let fits = 0
    let exceeds = eventsLength(events)
    while (exceeds - fits > 1) {
      const middle = Math.floor((fits + exceeds) / 2)
      if (await isWithin(events, middle)) fits = middle
      else exceeds = middle
    }
    // Half a word may have more tokens than the word.
    for (let length = fits + longestWord; length > fits; length -= 1)
      if (await isWithin(events, length)) return firstCharacters(events, length)
    return firstCharacters(events, fits)
  }
  const count = async (events: EngineEvent[], estimated: Limited): Promise<Limited> => {
    const tokens = await countWith(events)
    if (tokens === null) {
      isCountable = false
      return estimated
    }
    if (tokens > maxTokens) return { events: await fitting(splitPieces(events)), isReached: true }
    countedTokens = tokens
    newBytes = 0
    for (const event of events) texts.add(event)
    return { events: estimated.isReached ? events : estimated.events, isReached: false }
  }
  return {
    apply(events) {
      const estimated = otherwise.apply(events)
      if (!isCountable || estimated instanceof Promise) return estimated
      for (const event of events) newBytes += Buffer.byteLength(eventText(event))
      if (countedTokens + newBytes + addedTokens > maxTokens) return count(events, estimated)
      for (const event of events) texts.add(event)
      return { events: estimated.events, isReached: false }
    },
  }
}

const eventsLength = (events: readonly EngineEvent[]): number =>
  events.reduce((length, event) => length + eventText(event).length, 0)

const firstCharacters = (events: readonly EngineEvent[], length: number): EngineEvent[] => {
  const first: EngineEvent[] = []
  let left = length
  for (const event of events) {
    const text = eventText(event)
    if (left === 0 && text !== '') break
    if (text.length > left) {
      // Never half a character.
      const kept = text.slice(0, left).replace(/[\ud800-\udbff]$/, '')
      if (kept !== '') first.push(withEventText(event, kept))
      break
    }
    first.push(event)
    left -= text.length
  }
  return first
}
