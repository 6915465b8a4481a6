import type { Clock } from '../base/clock.ts'
import type { ReplayRecord } from '../store/ledger-contract.ts'
import type { ByteLease } from './byte-budget.ts'
import { createEventBuffer } from './event-buffer.ts'
import { createRecording, type Recording } from './recording.ts'

type LoadOptions = { memory: ByteLease; clock: Clock; onNameFree(): void }

/** A kept answer, in memory for as long as somebody is told of it. */
export const loadAnswer = (record: ReplayRecord, { memory, clock, onNameFree }: LoadOptions): Recording => {
  const limitBytes = Number.POSITIVE_INFINITY
  const recording = createEventBuffer({ ...record, limitBytes, memory, disk: null })
  // No event holds the end of a line.
  for (const data of record.content.split('\n')) recording.append(data)
  recording.end()
  const nothing = (): void => {}
  const answer = createRecording({
    bodyHash: record.bodyHash,
    isLoaded: true,
    recording,
    graceMs: 0,
    clock,
    onAbort: nothing,
    abandoned: nothing,
    onNameFree,
    onGone: memory.close,
  })
  answer.finish('kept')
  return answer
}
