import { redacted } from '../../base/create-redactor.ts'
import type { EngineEvent } from '../contract.ts'
import { eventText, withEventText } from './event-text.ts'

/**
 * Removes the key of an upstream from its answer, however its parts are cut. From the eighth character of the key on, parts
 * wait until it is certain whether the rest follows; up to seven characters at its beginning may therefore be passed on.
 */
export interface HideKey {
  /** The events that can be passed on now. */
  push(events: EngineEvent[]): EngineEvent[]
  /** The answer has ended: what was held back. */
  end(): EngineEvent[]
}

/** Shorter keys may be ordinary words. */
const leastLength = 12
const leastHeld = 8

const unchanged: HideKey = { push: (events) => events, end: () => [] }

export const createHideKey = (key: string | null): HideKey =>
  key === null || key.length < leastLength ? unchanged : hiding(key, computeFallbacks(key))

const hiding = (key: string, fallbacks: readonly number[]): HideKey => {
  const first = key.charAt(0)
  /** How many characters of the key the text of the present channel ends with. */
  let matched = 0
  let channel = ''
  let held: EngineEvent[] = []

  /** Where the key ends for the first time at or after `from`; -1 if it does not. */
  const follow = (text: string, from: number): number => {
    if (matched === 0 && !text.includes(first, from)) return -1
    for (let at = from; at < text.length; at += 1) {
      const character = text[at]
      while (matched > 0 && key[matched] !== character) matched = fallbacks[matched - 1] ?? 0
      if (key[matched] === character) matched += 1
      if (matched === key.length) return at + 1
    }
    return -1
  }
  const release = (passed: EngineEvent[]): void => {
    passed.push(...held)
    held = []
  }
  /** Of a key that repeats itself, ever more text would wait. */
  const hold = (event: EngineEvent, passed: EngineEvent[]): void => {
    held.push(event)
    let length = held.reduce((sum, one) => sum + eventText(one).length, 0)
    while (held[0] !== undefined && length - eventText(held[0]).length >= matched) {
      length -= eventText(held[0]).length
      passed.push(...held.splice(0, 1))
    }
  }
  /** The key is complete: cuts its last characters out of what is held. */
  const cutHeld = (characters: number, passed: EngineEvent[]): void => {
    let left = characters
    const kept: EngineEvent[] = []
    for (const event of held.toReversed()) {
      const text = eventText(event)
      const rest = text.slice(0, Math.max(0, text.length - left))
      left = Math.max(0, left - text.length)
      kept.unshift(rest === text ? event : withEventText(event, rest))
    }
    held = []
    passed.push(...kept)
  }
  const read = (event: EngineEvent, passed: EngineEvent[]): void => {
    const text = eventText(event)
    const own = eventChannel(event)
    if (own !== channel) {
      release(passed)
      matched = 0
      channel = own
    }
    let rest = ''
    let from = 0
    for (let end = follow(text, 0); end !== -1; end = follow(text, end)) {
      matched = 0
      const begin = end - key.length
      if (begin < from) cutHeld(from - begin, passed)
      rest += text.slice(from, Math.max(from, begin)) + redacted
      from = end
    }
    const next = from === 0 ? event : withEventText(event, rest + text.slice(from))
    if (matched >= leastHeld) hold(next, passed)
    else {
      release(passed)
      passed.push(next)
    }
  }
  return {
    push(events) {
      if (held.length === 0 && matched === 0 && !events.some((event) => eventText(event).includes(first))) return events
      const passed: EngineEvent[] = []
      for (const event of events) read(event, passed)
      return passed
    },
    end: () => held.splice(0),
  }
}

/** Of each beginning of the key: how long the longest beginning is that it ends with. */
const computeFallbacks = (key: string): number[] => {
  const fallbacks = [0]
  for (let at = 1, length = 0; at < key.length; at += 1) {
    while (length > 0 && key[at] !== key[length]) length = fallbacks[length - 1] ?? 0
    if (key[at] === key[length]) length += 1
    fallbacks.push(length)
  }
  return fallbacks
}

/** A text that is read as one. */
const eventChannel = (event: EngineEvent): string => ('index' in event ? `${event.type} ${event.index}` : event.type)
