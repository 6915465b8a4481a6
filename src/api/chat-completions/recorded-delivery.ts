import type { Take } from '../../replay/take.ts'
import type { AnswerEnd, Delivery } from './delivery.ts'

/** The answer goes into a recording, whoever reads it. */
export const openRecordedDelivery = (take: Take, signal: AbortSignal, admitted: Delivery['admitted']): Delivery => ({
  admitted,
  send: (data) => take.append(data, signal),
  end: (end, settle) => take.end(eventsOf(end), (replay) => settle(replay).durable),
})

const eventsOf = (end: AnswerEnd): readonly string[] =>
  end.type === 'document' ? [JSON.stringify(end.completion)] : end.events
