import type { Clock } from '../../base/clock.ts'
import type { Recording } from '../recording.ts'

/** Resolves once the response has an event with this index, or has ended, or after so long. */
export const untilEvent = async (
  recording: Pick<Recording, 'count' | 'ending' | 'changed'>,
  index: number,
  { waitMs, clock }: { waitMs: number; clock: Clock },
): Promise<void> => {
  let isLate = false
  const late = Promise.withResolvers<void>()
  const cancel = clock.after(waitMs, () => {
    isLate = true
    late.resolve()
  })
  while (recording.count <= index && recording.ending === null && !isLate)
    await Promise.race([recording.changed(), late.promise])
  cancel()
}
