import type { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { ReplayRecord } from '../store/ledger-contract.ts'
import type { ByteBudget, ByteLease } from './byte-budget.ts'
import { createEventBuffer } from './event-buffer.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createRecording, type Recording } from './recording.ts'

/** The answers that are being made, each with or without connections that listen. */
export interface RunningAnswers {
  start(work: Work, leases: { memory: ByteLease; disk: ByteLease }, onNameFree: () => void): Recording
  /** Resolves once each has failed or told its end; the later ones included. */
  idle(): Promise<void>
  /** Those that `concerns` is true of, or all. */
  abortAll(error: ApiError, concerns?: (work: Concerned) => boolean): void
}

/** Whose answer it is, and with which key it was asked for. */
type Concerned = Pick<ReplayRecord, 'organisationId'> & { keyId: string | null }

type Work = Concerned &
  Omit<ReplayRecord, 'content' | 'createdAt' | 'expiresAt'> & {
    /** Rejects when the answer has failed. */
    run(recorder: Recorder): Promise<void>
  }

type RunningOptions = {
  diskRoom: ByteBudget
  clock: Clock
  log: Log
  graceMs: number
  retentionMs: number
  limitBytes: number
  abandoned(): unknown
}

export const createRunningAnswers = (options: RunningOptions): RunningAnswers => {
  const { diskRoom, clock, log, limitBytes, retentionMs } = options
  const running = new Map<Recording, { work: Concerned; ended: Promise<void> }>()
  return {
    start(work, { memory, disk }, onNameFree) {
      const controller = new AbortController()
      const { signal } = controller
      const recording = createEventBuffer({ ...work, limitBytes, memory, disk })
      const answer = createRecording({
        ...options,
        bodyHash: work.bodyHash,
        isLoaded: false,
        recording,
        onAbort: (reason) => controller.abort(reason),
        onNameFree,
        onGone: memory.close,
      })
      const createdAt = clock.now()
      const record = { ...recordOf(work), createdAt, expiresAt: createdAt + retentionMs }
      const succeeded = (): void => {
        if (recording.isWhole) diskRoom.addBase(work.organisationId, recording.bytes)
        disk.close()
        memory.shrink(recording.bytes)
        answer.finish('kept')
      }
      const failed = (error: unknown): void => {
        disk.close()
        memory.shrink(recording.bytes)
        recording.fail(error)
        // Otherwise the connections that hear of it put it into the log.
        if (!answer.isHeard && error !== signal.reason)
          log.error('unheard_answer_failed', { requestId: work.requestId, cause: errorText(error) })
        answer.finish('failed')
      }
      const ended = Promise.withResolvers<void>()
      running.set(answer, { work, ended: ended.promise })
      const onEnd = (): void => {
        running.delete(answer)
        ended.resolve()
      }
      const recorder = createRecorder({ recording, record, clock, signal, onComplete: answer.complete, onEnd })
      void work.run(recorder).then(succeeded, failed).finally(onEnd)
      return answer
    },
    async idle() {
      while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended))
    },
    abortAll(error, concerns = () => true) {
      for (const [answer, { work }] of running) if (concerns(work)) answer.abort(error)
    },
  }
}

const recordOf = ({ organisationId, keyHash, bodyHash, completionId, requestId, stream }: Work) => ({
  organisationId,
  keyHash,
  bodyHash,
  completionId,
  requestId,
  stream,
})
