import { redacted } from '../../base/create-redactor.ts'
import type { EngineEvent } from '../contract.ts'
import { splitPieces } from '../split-pieces.ts'
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
const minLength = 12
const minHeld = 8

const unchanged: HideKey = { push: (events) => events, end: () => [] }

export const createHideKey = (key: string | null): HideKey =>
  key === null || key.length < minLength ? unchanged : new KeyHider(key)

class KeyHider implements HideKey {
  readonly #key: string
  readonly #first: string
  readonly #fallbacks: readonly number[]
  /** How many characters of the key the text of the present channel ends with. */
  #matched = 0
  #channel = ''
  #held: EngineEvent[] = []

  constructor(key: string) {
    this.#key = key
    this.#first = key.charAt(0)
    this.#fallbacks = computeFallbacks(key)
  }

  push(events: EngineEvent[]): EngineEvent[] {
    const isPending = this.#held.length > 0 || this.#matched > 0
    if (!isPending && !events.some((event) => eventText(event).includes(this.#first))) return events
    const passed: EngineEvent[] = []
    for (const event of events)
      if (event.type === 'text' && event.pieces !== undefined && this.#passesWhole(event)) passed.push(event)
      else for (const one of splitPieces([event])) this.#read(one, passed)
    return passed
  }

  end(): EngineEvent[] {
    return this.#held.splice(0)
  }

  /** Nothing is held, and nothing of this has to be cut out or held. Otherwise nothing changes. */
  #passesWhole(event: Extract<EngineEvent, { type: 'text' }>): boolean {
    if (this.#held.length > 0 || this.#channel !== eventChannel(event)) return false
    const matched = this.#matched
    if (this.#follow(event.text, 0) === -1 && this.#matched < minHeld) return true
    this.#matched = matched
    return false
  }

  #read(event: EngineEvent, passed: EngineEvent[]): void {
    const text = eventText(event)
    this.#enterChannel(eventChannel(event), passed)
    let rest = ''
    let from = 0
    for (let end = this.#follow(text, 0); end !== -1; end = this.#follow(text, end)) {
      this.#matched = 0
      const begin = end - this.#key.length
      if (begin < from) this.#cutHeld(from - begin, passed)
      rest += text.slice(from, Math.max(from, begin)) + redacted
      from = end
    }
    const next = from === 0 ? event : withEventText(event, rest + text.slice(from))
    if (this.#matched >= minHeld) this.#hold(next, passed)
    else {
      this.#release(passed)
      passed.push(next)
    }
  }

  #enterChannel(channel: string, passed: EngineEvent[]): void {
    if (channel === this.#channel) return
    this.#release(passed)
    this.#matched = 0
    this.#channel = channel
  }

  /** Where the key ends for the first time at or after `from`; -1 if it does not. */
  #follow(text: string, from: number): number {
    const key = this.#key
    let matched = this.#matched
    if (matched === 0 && !text.includes(this.#first, from)) return -1
    let end = -1
    for (let at = from; at < text.length && end === -1; at += 1) {
      const character = text[at]
      while (matched > 0 && key[matched] !== character) matched = this.#fallbacks[matched - 1] ?? 0
      if (key[matched] === character) matched += 1
      if (matched === key.length) end = at + 1
    }
    this.#matched = matched
    return end
  }

  #release(passed: EngineEvent[]): void {
    passed.push(...this.#held)
    this.#held = []
  }

  /** Passes on what can no longer be part of the key: with a key that repeats itself, more and more text would be held otherwise. */
  #hold(event: EngineEvent, passed: EngineEvent[]): void {
    const held = this.#held
    held.push(event)
    let length = held.reduce((sum, one) => sum + eventText(one).length, 0)
    while (held[0] !== undefined && length - eventText(held[0]).length >= this.#matched) {
      length -= eventText(held[0]).length
      passed.push(...held.splice(0, 1))
    }
  }

  /** The key is complete: cuts its last characters out of what is held. */
  #cutHeld(characters: number, passed: EngineEvent[]): void {
    let left = characters
    const kept: EngineEvent[] = []
    for (const event of this.#held.toReversed()) {
      const text = eventText(event)
      const rest = text.slice(0, Math.max(0, text.length - left))
      left = Math.max(0, left - text.length)
      kept.unshift(rest === text ? event : withEventText(event, rest))
    }
    this.#held = []
    passed.push(...kept)
  }
}

/** For each prefix of the key, the length of its longest proper suffix that is a prefix too (Knuth, Morris and Pratt). */
const computeFallbacks = (key: string): number[] => {
  const fallbacks = [0]
  for (let at = 1, length = 0; at < key.length; at += 1) {
    while (length > 0 && key[at] !== key[length]) length = fallbacks[length - 1] ?? 0
    if (key[at] === key[length]) length += 1
    fallbacks.push(length)
  }
  return fallbacks
}

/** Events of one channel form one text. */
const eventChannel = (event: EngineEvent): string => ('index' in event ? `${event.type} ${event.index}` : event.type)
