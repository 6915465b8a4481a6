/**
 * Safe retries: an answer that was asked for with an Idempotency-Key runs once, apart from any connection, and is told to
 * whoever asks for it again, from its beginning or from behind an event. May import `store` and `base`. Promises: of any
 * number of requests with one key at most one runs at a time; an answer whose end was told is found again, after a restart
 * as well; memory and disk stay bounded.
 */

import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ReplayRecord, ReplayRecords } from '../store/ledger-contract.ts'
import { type ByteLease, createByteBudget } from './byte-budget.ts'
import { sizeOf } from './event-buffer.ts'
import { hashIdempotencyKey } from './idempotency-key.ts'
import { loadAnswer } from './load-answer.ts'
import type { Recorder } from './recorder.ts'
import type { Recording, Subscription } from './recording.ts'
import { createRunningAnswers, type RunningAnswers } from './running-answers.ts'
import { openStoredResponses } from './stored-responses.ts'

export type Ask = {
  organisationId: string
  /** The API key that asks; null in the playground. */
  keyId: string | null
  idempotencyKey: string
  /** What was sent, as JSON. */
  bodyHash: Uint8Array
  stream: boolean
  /** Of a stream that is picked up again. */
  lastEventId: string | null
  requestId: string
  completionId: string
  /** What the answer may recorder, see `maxRecordingBytes`. Held on memory and disk before it is begun, as far as one answer may. */
  mostBytes: number
  /** Makes the answer, when there is none yet. Rejects when it has failed. */
  run(recorder: Recorder): Promise<void>
}

export interface Replays extends Pick<RunningAnswers, 'abortAll' | 'idle'> {
  /** Whether an answer under this key is running or kept, so that a request with the key may be a retry. */
  isKnown(organisationId: string, idempotencyKey: string): Promise<boolean>
  /** Throws an `ApiError` where the answer cannot be told. */
  open(ask: Ask): Promise<Subscription>
  close(): Promise<void>
}

export type ReplaysOptions = {
  records: ReplayRecords
  clock: Clock
  log: Log
  resumeGraceMs: number
  replayRetentionHours: number
  replayAnswerLimitBytes: number
  replayMemoryLimitBytes: number
  replayDiskLimitBytes: number
  /** Why an answer ends that nobody listens to. */
  abandoned(): unknown
}

const hourMs = 3_600_000
const memoryRetryMs = 1_000
const diskRetryMs = 60_000

export const openReplays = async (options: ReplaysOptions): Promise<Replays> => {
  const { clock } = options
  const memoryRoom = createByteBudget(options.replayMemoryLimitBytes)
  const diskRoom = createByteBudget(options.replayDiskLimitBytes)
  const kept = await openStoredResponses({ ...options, room: diskRoom })
  const running = createRunningAnswers({
    ...options,
    diskRoom,
    graceMs: options.resumeGraceMs,
    retentionMs: options.replayRetentionHours * hourMs,
    limitBytes: options.replayAnswerLimitBytes,
  })
  /** By organisation and key. Null: whoever claimed the name had no use for it. */
  const claims = new Map<string, Promise<Recording | null>>()

  const leaseMemory = (organisationId: string, bytes: number): ByteLease => {
    const lease = memoryRoom.lease(organisationId, bytes)
    if (lease === null) throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: memoryRetryMs })
    return lease
  }
  /** All that the answer may recorder, so that none is made and billed for which there is no room when it has ended. */
  const leaseBoth = async ({ organisationId, mostBytes }: Ask): Promise<{ memory: ByteLease; disk: ByteLease }> => {
    const bytes = Math.min(mostBytes, options.replayAnswerLimitBytes, memoryRoom.mostBytes, diskRoom.mostBytes)
    const memory = leaseMemory(organisationId, bytes)
    const disk = await kept.lease(organisationId, bytes)
    if (disk !== null) return { memory, disk }
    memory.close()
    throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: diskRetryMs })
  }

  /** What is to be told under a name that was free. An error that is returned is about this request alone. */
  const obtain = async (ask: Ask, wanted: Hashes, onNameFree: () => void): Promise<Recording | ApiError> => {
    const record = await kept.find(ask.organisationId, wanted.keyHash)
    const refusal = record === null ? refuseToStart(ask) : refuseToTell(record, wanted)
    if (refusal !== null) return refusal
    if (record === null) return running.start({ ...ask, ...wanted }, await leaseBoth(ask), onNameFree)
    const memory = leaseMemory(ask.organisationId, sizeOf(record.content))
    return loadAnswer(record, { memory, clock, onNameFree })
  }
  /** The name is taken before the store is asked, so of two requests at the same instant one finds the other. */
  const claim = async (name: string, ask: Ask, wanted: Hashes): Promise<Subscription> => {
    const onNameFree = (): void => void claims.delete(name)
    const obtained = obtain(ask, wanted, onNameFree)
    const shared = obtained.then((answer) => {
      if (!(answer instanceof ApiError)) return answer
      onNameFree()
      return null
    })
    claims.set(name, shared)
    shared.catch(onNameFree)
    await shared
    const answer = await obtained
    if (answer instanceof ApiError) throw answer
    try {
      return answer.subscribe(ask.lastEventId, answer.isLoaded)
    } finally {
      answer.release()
    }
  }

  return {
    ...running,
    async isKnown(organisationId, idempotencyKey) {
      const keyHash = hashIdempotencyKey(idempotencyKey)
      return claims.has(nameOf(organisationId, keyHash)) || kept.has(organisationId, keyHash)
    },
    async open(ask) {
      const wanted = { keyHash: hashIdempotencyKey(ask.idempotencyKey), bodyHash: ask.bodyHash }
      const name = nameOf(ask.organisationId, wanted.keyHash)
      for (;;) {
        const claimed = claims.get(name)
        if (claimed === undefined) return claim(name, ask, wanted)
        const answer = await claimed
        if (answer === null) continue
        if (!answer.isOver) {
          if (!isSame(answer.bodyHash, wanted.bodyHash)) throw keyReuse()
          return answer.subscribe(ask.lastEventId, true)
        }
        await answer.nameFree
      }
    },
    close: kept.close,
  }
}

const nameOf = (organisationId: string, keyHash: Uint8Array): string =>
  `${organisationId} ${Buffer.from(keyHash).toString('hex')}`

type Hashes = Pick<ReplayRecord, 'keyHash' | 'bodyHash'>

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const keyReuse = (): ApiError => ApiError.of('idempotency_key_reuse', {}, { shouldRetry: false })

/** Whoever wants to go on behind an event has half an answer: another one must not be put behind it. */
const refuseToStart = ({ lastEventId }: Ask): ApiError | null =>
  lastEventId === null ? null : ApiError.of('stream_not_resumable', {}, { shouldRetry: false })

const refuseToTell = (record: ReplayRecord, wanted: Hashes): ApiError | null => {
  if (!isSame(record.bodyHash, wanted.bodyHash)) return keyReuse()
  return record.content === '' ? ApiError.of('answer_not_kept', {}, { shouldRetry: false }) : null
}
