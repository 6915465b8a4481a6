import type { Recorder } from '../../replay/recording.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'

/** Puts the response into a recording that any number of connections can read. `complete`: it has all but its last events. */
export const openRecordedDelivery = (
  recorder: Recorder,
  signal: AbortSignal,
  { admitted, complete }: Pick<Delivery, 'admitted'> & { complete(): void },
): Delivery => ({
  admitted,
  send: (data) => recorder.append(data, signal),
  end: (end, settle) =>
    recorder.end(eventsOf(end), (replay) => {
      complete()
      return settle(replay).durable
    }),
})

const eventsOf = (end: ResponseEnd): readonly string[] =>
  end.type === 'document' ? [JSON.stringify(end.document)] : end.events
