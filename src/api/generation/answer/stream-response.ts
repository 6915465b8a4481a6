import { toBatches } from '../../../base/batches.ts'
import { ClientGone } from '../../../http/exchange.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { AnswerFormatter } from '../dialect.ts'
import { isFinish, type NumberedEvent, type NumberedFinish } from '../output/choice.ts'

type StreamOptions = {
  delivery: Delivery
  formatter: Pick<AnswerFormatter, 'events'>
  /** Before it is formatted and sent. */
  onEvent(numbered: NumberedEvent): void
  /** It was passed to the delivery. */
  onSent(numbered: NumberedEvent): void
  /** Nothing more is sent once it is aborted. */
  signal: AbortSignal
}

/**
 * Sends the response as server-sent events, except its end, and returns how its choices finished. Nothing is sent before the
 * first token, so that early failures are JSON errors with their real status. No choice finishes before all have: their
 * counts must be durable first, and the official Java library considers a response complete once all choices that it has
 * seen have finished.
 */
export const streamResponse = async (
  events: AsyncIterable<NumberedEvent>,
  { delivery, formatter, onEvent, onSent, signal }: StreamOptions,
): Promise<readonly NumberedFinish[]> => {
  const finishes: NumberedFinish[] = []
  const send = (data: string): Promise<void> | undefined => {
    if (signal.aborted) throw signal.reason
    return delivery.send(data)
  }
  /** An unnecessary await would cost a turn of the event loop for each token. */
  const sendAll = (all: readonly string[]): Promise<void> | undefined => {
    if (delivery.sendAll !== undefined) {
      if (signal.aborted) throw signal.reason
      return delivery.sendAll(all)
    }
    for (const [index, data] of all.entries()) {
      const slowReader = send(data)
      if (slowReader !== undefined) return slowReader.then(() => sendAll(all.slice(index + 1)))
    }
    return undefined
  }
  for await (const batch of toBatches(events))
    for (const numbered of batch) {
      // What was generated for a client that has left is not counted.
      if (signal.aborted) throw signal.reason
      onEvent(numbered)
      if (isFinish(numbered)) {
        finishes.push(numbered)
        continue
      }
      const formatted = formatter.events(numbered)
      const slowReader = typeof formatted === 'string' ? send(formatted) : sendAll(formatted)
      // It counts as emitted from now on, however slowly the client reads.
      onSent(numbered)
      if (slowReader !== undefined) await slowReader
    }
  return finishes
}

/**
 * Sends the events that precede the error of a stream. If nobody is there to receive them, only the error itself
 * matters.
 */
export const sendFailure = async (
  error: unknown,
  formatter: Pick<AnswerFormatter, 'failureEvents'>,
  delivery: Pick<Delivery, 'send'>,
): Promise<void> => {
  if (error instanceof ClientGone) return
  try {
    for (const data of formatter.failureEvents?.(error) ?? []) await delivery.send(data)
  } catch {
    // The error that ended the answer is reported by the caller.
  }
}
