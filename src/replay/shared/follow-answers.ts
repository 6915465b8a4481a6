import { ApiError, errorParts } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Claim, ClaimName, Claims } from '../../store/claim-contract.ts'
import type { Recorder } from '../recording.ts'
import type { StoredResponses } from '../stored-responses.ts'
import type { SharedEnd, SharedEvents, SharedPart } from './shared-events.ts'

type FollowOptions = {
  claims: Pick<Claims, 'held'>
  events: SharedEvents
  stored: Pick<StoredResponses, 'find'>
  clock: Clock
}

/** The node that generated the answer has died or given it up, and there is no more of it than was sent. */
export class AnswerLost extends ApiError {
  constructor() {
    super(errorParts('node_lease_expired', {}, { retryAfterMs: 1_000 }))
  }
}

export type FollowAnswers = ReturnType<typeof createFollowAnswers>

/** Whether their nodes are alive is asked for all of them at once. Events are announced, so they do not wait for it. */
const checkEveryMs = 1_000

/** Receives the responses that other nodes generate, for as long as somebody reads them here. */
export const createFollowAnswers = ({ claims, events, stored, clock }: FollowOptions) => {
  const followed = new Map<string, Followed>()
  let cancelCheck: (() => void) | null = null

  const check = async (): Promise<void> => {
    const requestIds = [...followed.keys()]
    const attended = events.attend(requestIds).catch(() => {})
    // If the store is away, nothing is known.
    const held = await claims.held(requestIds).catch(() => null)
    await attended
    for (const requestId of requestIds) {
      const one = followed.get(requestId)
      if (held !== null && one !== undefined) one.isHeld = held.has(requestId)
      one?.wake()
    }
    cancelCheck = null
    checkLater()
  }
  const checkLater = (): void => {
    if (followed.size > 0) cancelCheck ??= clock.after(checkEveryMs, () => void check())
  }

  return {
    /** Puts the response of the claim into a recording of this node. Throws what it failed with, or `AnswerLost`. */
    async follow(name: ClaimName, claim: Claim, recorder: Recorder): Promise<void> {
      const { requestId } = claim
      const { signal } = recorder
      const one = createFollowed()
      followed.set(requestId, one)
      const unsubscribe = events.onMore(requestId, one.wake)
      signal.addEventListener('abort', one.wake)
      try {
        await events.attend([requestId]).catch(() => {})
        checkLater()
        for (let next = 0; ; ) {
          signal.throwIfAborted()
          // Before reading: whatever was written before the claim was released is there.
          const { isHeld } = one
          const changed = one.changed()
          const shared = await events.read(requestId, next).catch(() => nothing)
          const isOver = shared.events.length === 0 && shared.end === null && !isHeld
          const part = isOver ? await readStored(stored, name, claim, next) : shared
          for (const data of part.events) await recorder.append(data, signal)
          next += part.events.length
          if (part.end !== null) return await finish(part.end, recorder)
          if (part.events.length === 0) await changed
        }
      } finally {
        unsubscribe()
        signal.removeEventListener('abort', one.wake)
        followed.delete(requestId)
      }
    },
    /** The whole response of a node that died before it could be stored; null if it is not there. */
    async findWhole({ requestId }: Claim): Promise<string | null> {
      const whole: string[] = []
      for (;;) {
        const { events: more, end } = await events.read(requestId, whole.length).catch(() => nothing)
        whole.push(...more)
        if (end?.type === 'stored' || end?.type === 'complete') return whole.join('\n')
        if (end !== null || more.length === 0) return null
      }
    },
    close(): void {
      cancelCheck?.()
    },
  }
}

const nothing: SharedPart = { events: [], end: null }

/** The rest of a response whose node could not say how it ended. */
const readStored = async (
  stored: FollowOptions['stored'],
  name: ClaimName,
  { completionId }: Claim,
  from: number,
): Promise<SharedPart> => {
  const record = await stored.find(name.organisationId, name.keyHash)
  if (record === null || record.completionId !== completionId) throw new AnswerLost()
  if (record.content === '') return { events: [], end: { type: 'not_kept' } }
  return { events: record.content.split('\n').slice(from), end: { type: 'stored' } }
}

type Followed = ReturnType<typeof createFollowed>

const createFollowed = () => {
  let change = Promise.withResolvers<void>()
  return {
    isHeld: true,
    /** Resolves at the next `wake`. */
    changed: (): Promise<void> => change.promise,
    wake(): void {
      change.resolve()
      change = Promise.withResolvers()
    },
  }
}

const finish = async (end: SharedEnd, recorder: Recorder): Promise<void> => {
  if (end.type === 'failed') throw ApiError.fromPlain(end.error)
  if (end.type === 'abandoned') throw new AnswerLost()
  if (end.type === 'not_kept') throw ApiError.of('answer_not_kept', {}, { shouldRetry: false })
  // Its node has settled it.
  await recorder.end([], async () => {})
}
