import type { ChunkOf, Chunks } from './chunks.ts'
import type { Delivery } from './delivery.ts'
import type { NumberedEvent } from './output/choice.ts'
import type { Usage } from './shapes.ts'

type StreamOptions = {
  delivery: Delivery
  chunks: Chunks
  /** How many there will be. */
  choices: number
  legacy: boolean
  includeUsage: boolean
  usage(): Usage
  promptTokenIds: readonly number[] | undefined
  /** Before it is sent. */
  onEvent(numbered: NumberedEvent): void
  /** It was handed over. */
  onSent(numbered: NumberedEvent): void
  /** Nothing more is sent once it is aborted. */
  signal: AbortSignal
}

/** The events that say that the answer is complete, and what the ledger counts when they are handed over. */
export type StreamEnd = { events: readonly string[]; finishes: readonly NumberedEvent[] }

/**
 * The answer as server-sent events. No event is sent before the first token is there, so that whatever fails soon
 * gets a JSON error with its real status. No choice is said to have finished before all have: the counts of all of them
 * are durable before that goes out, and the official Java library takes the answer for complete once all the choices it
 * has heard of have finished.
 */
export const streamResponse = async (
  events: AsyncIterable<NumberedEvent>,
  options: StreamOptions,
): Promise<StreamEnd> => {
  const { delivery, chunks, signal } = options
  const begun = new Set<number>()
  const finishes: NumberedEvent[] = []
  const lastEvents: string[] = []
  const send = (chunk: string): Promise<void> | undefined => {
    signal.throwIfAborted()
    return delivery.send(chunk)
  }
  for await (const numbered of events) {
    const [choice, event] = numbered
    options.onEvent(numbered)
    if (!begun.has(choice)) {
      const promptTokenIds = begun.size === 0 ? options.promptTokenIds : undefined
      begun.add(choice)
      await send(chunks.role({ choice }, event.type === 'call' ? null : '', promptTokenIds))
    }
    const chunk = chunkOf(numbered, options)
    if (event.type === 'finish') {
      finishes.push(numbered)
      lastEvents.push(chunk)
      continue
    }
    const slowReader = send(chunk)
    // However slowly it is read: it has left our hands.
    options.onSent(numbered)
    // Awaiting nothing costs a turn of the event loop for each token.
    if (slowReader !== undefined) await slowReader
  }
  if (options.includeUsage) lastEvents.push(chunks.usage(options.usage()))
  return { events: lastEvents, finishes }
}

const chunkOf = ([choice, event, tokenIds]: NumberedEvent, { chunks, legacy }: StreamOptions): string => {
  const of: ChunkOf = tokenIds === undefined ? { choice } : { choice, tokenIds }
  switch (event.type) {
    case 'content':
      return chunks.content(of, event.text, event.tokens)
    case 'reasoning':
      return chunks.reasoning(of, event.text)
    case 'call':
      return legacy ? chunks.functionCall(of, event.name) : chunks.call(of, event.index, event.id, event.name)
    case 'arguments':
      return legacy ? chunks.functionArguments(of, event.text) : chunks.arguments(of, event.index, event.text)
    case 'finish':
      return chunks.finish(of, event.reason)
  }
}
