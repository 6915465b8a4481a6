import type { Delivery } from '../generation/delivery.ts'
import type { NumberedEvent } from '../generation/output/choice.ts'
import type { ChunkOf, Chunks } from './chunks.ts'
import type { Usage } from './shapes.ts'

type StreamOptions = {
  delivery: Delivery
  chunks: Chunks
  legacy: boolean
  includeUsage: boolean
  usage(): Usage
  promptTokenIds: readonly number[] | undefined
  /** Before it is sent. */
  onEvent(numbered: NumberedEvent): void
  /** It was passed to the delivery. */
  onSent(numbered: NumberedEvent): void
  /** Nothing more is sent once it is aborted. */
  signal: AbortSignal
}

/** The events that complete the response, and what counts as emitted with them. */
export type StreamEnd = { events: readonly string[]; finishes: readonly NumberedEvent[] }

/**
 * Sends the response as server-sent events. Nothing is sent before the first token, so that early failures are JSON errors
 * with their real status. No choice finishes before all have: their counts must be durable first, and the official Java
 * library considers a response complete once all choices that it has seen have finished.
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
    // It counts as emitted, however slowly it is read.
    options.onSent(numbered)
    // An unnecessary await would cost a turn of the event loop for each token.
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
    case 'refusal':
      return chunks.refusal(of, event.text)
    case 'call':
      return legacy ? chunks.functionCall(of, event.name) : chunks.call(of, event.index, event.id, event.name)
    case 'arguments':
      return legacy ? chunks.functionArguments(of, event.text) : chunks.arguments(of, event.index, event.text)
    case 'finish':
      return chunks.finish(of, event.reason)
  }
}
