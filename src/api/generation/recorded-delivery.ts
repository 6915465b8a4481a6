import type { Recorder } from '../../replay/recording.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'

/** Puts the response into a recording that any number of connections can read. */
export const openRecordedDelivery = (
  recorder: Recorder,
  signal: AbortSignal,
  admitted: Delivery['admitted'],
): Delivery => ({
  admitted,
  send: (data) => recorder.append(data, signal),
  end: (end, settle) => recorder.end(eventsOf(end), (replay) => settle(replay).durable),
})

const eventsOf = (end: ResponseEnd): readonly string[] =>
  end.type === 'document' ? [JSON.stringify(end.document)] : end.events
