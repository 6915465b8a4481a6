import type { EngineEvent } from './contract.ts'

/** The same events, in which each piece of a text is an event of its own. */
export const splitPieces = (events: readonly EngineEvent[]): readonly EngineEvent[] =>
  events.some(hasPieces) ? events.flatMap(splitOne) : events

const hasPieces = (event: EngineEvent): boolean => event.type === 'text' && event.pieces !== undefined

/** How many pieces of texts there are. */
export const countPieces = (events: readonly EngineEvent[]): number => {
  let count = 0
  for (const event of events) if (event.type === 'text') count += event.pieces?.length ?? 0
  return count
}

const splitOne = (event: EngineEvent): EngineEvent[] =>
  event.type === 'text' && event.pieces !== undefined
    ? event.pieces.map((text): EngineEvent => ({ type: 'text', text }))
    : [event]

/** The texts of which it consists, each of which counts for itself. */
export const textsOf = (event: Extract<EngineEvent, { text: string }>): readonly string[] =>
  event.type === 'text' && event.pieces !== undefined ? event.pieces : [event.text]
