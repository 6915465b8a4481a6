import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Recording } from '../recording.ts'
import type { Ending } from '../recording-state.ts'
import type { SharedEnd, SharedEvents, SharedPart } from './shared-events.ts'

type SharingOptions = { events: Pick<SharedEvents, 'append'>; clock: Clock; isClosed(): boolean }

const retryMs = 1_000
const maxAtOnce = { events: 256, characters: 262_144 }

/**
 * Copies a running response to where other nodes read it. While one part is written the next one collects, so a fast
 * response costs no more writes than Redis answers. Never rejects: what could not be written is written later.
 */
export const shareRecording = async (recording: Recording, options: SharingOptions): Promise<void> => {
  const { events, clock, isClosed } = options
  const { requestId } = recording.record
  let shared = 0
  for (;;) {
    const part = publishedFrom(recording, shared)
    const { end } = part
    const count = shared + part.events.length
    if (count === shared && end === null) {
      await recording.changed()
      continue
    }
    const written = await events.append(requestId, shared, part).catch(() => null)
    if (written !== null && written > count) return
    if (written !== null) shared = written
    // Once it has ended, readers find it in the store, or find that it is not there.
    else if (isClosed() || (end !== null && end.type !== 'complete')) return
    else await new Promise<void>((resolve) => clock.after(retryMs, resolve))
  }
}

/** What there is from this event on, or the beginning of it; with the last events also the end. */
const publishedFrom = (recording: Recording, index: number): SharedPart => {
  const events: string[] = []
  let characters = 0
  while (index + events.length < recording.count) {
    if (events.length === maxAtOnce.events || characters >= maxAtOnce.characters) return { events, end: null }
    const data = recording.eventAt(index + events.length)
    if (data === undefined) return { events, end: { type: 'not_kept' } }
    events.push(data)
    characters += data.length
  }
  return { events, end: sharedEnd(recording, recording.ending) }
}

/** What other nodes tell their clients. The cause of a failure is in the log of this one. */
const sharedEnd = ({ signal, record }: Recording, end: Ending | null): SharedEnd | null => {
  if (end?.type !== 'failed') return end
  const { error } = end
  if (error instanceof ApiError) return { type: 'failed', error: error.toPlain() }
  if (error === signal.reason) return { type: 'abandoned' }
  return { type: 'failed', error: ApiError.of('internal_error', { requestId: record.requestId }).toPlain() }
}
