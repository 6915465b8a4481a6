/**
 * Idempotent retries: a request with an Idempotency-Key is executed once, independently of any connection, and its response
 * is sent to every request with the key, from its beginning or after an event. May import `store` and `base`. Promises: of
 * any number of requests with one key at most one is executed at a time; a response whose end was sent can be replayed, also
 * after a restart; memory and disk stay bounded.
 */

import { ApiError } from '../base/api-error.ts'
import { type ByteBudget, type ByteLease, createByteBudget } from '../base/byte-budget.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ReplayRecord, ReplayRecords } from '../store/ledger-contract.ts'
import { EventBuffer, sizeOf } from './event-buffer.ts'
import { hashIdempotencyKey } from './idempotency-key.ts'
import { type Recorder, Recording, type Subscription } from './recording.ts'
import { openStoredResponses, type StoredResponses } from './stored-responses.ts'

export type IdempotentRequest = Pick<
  ReplayRecord,
  'organisationId' | 'bodyHash' | 'stream' | 'requestId' | 'completionId'
> & {
  /** The API key that sent the request. */
  keyId: string | null
  idempotencyKey: string
  /** Where a stream is to continue. */
  lastEventId: string | null
  /** What the response may take, see `maxRecordingBytes`. Reserved in memory and on disk, up to the limit for one response. */
  maxBytes: number
  /** Called if there is no response yet. Rejects if there will be none. */
  execute(recorder: Recorder): Promise<void>
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
  /** Why a response ends that had no subscriber during the grace period. */
  abandoned(): unknown
}

type Sender = Pick<IdempotentRequest, 'organisationId' | 'keyId'>

const hourMs = 3_600_000
const memoryRetryMs = 1_000
const diskRetryMs = 60_000

export const openReplays = async (options: ReplaysOptions): Promise<Replays> =>
  new Replays(options, await openStoredResponses({ ...options, limitBytes: options.replayDiskLimitBytes }))

export class Replays {
  readonly #options: ReplaysOptions
  readonly #memory: ByteBudget
  readonly #stored: StoredResponses
  /** By organisation and key. Null: the request that looked for a recording got none. */
  readonly #recordings = new Map<string, Promise<Recording | null>>()
  readonly #running = new Map<Recording, Sender>()

  constructor(options: ReplaysOptions, stored: StoredResponses) {
    this.#options = options
    this.#memory = createByteBudget(options.replayMemoryLimitBytes)
    this.#stored = stored
  }

  /** Whether there is a response under this key, running or stored, so that a request with the key may be a retry. */
  async isKnown(organisationId: string, idempotencyKey: string): Promise<boolean> {
    const keyHash = hashIdempotencyKey(idempotencyKey)
    return this.#recordings.has(nameOf(organisationId, keyHash)) || this.#stored.has(organisationId, keyHash)
  }

  /** Throws an `ApiError` if there is no response to send. */
  async open(request: IdempotentRequest): Promise<Subscription> {
    const keyHash = hashIdempotencyKey(request.idempotencyKey)
    const name = nameOf(request.organisationId, keyHash)
    for (;;) {
      const shared = this.#recordings.get(name)
      if (shared === undefined) return this.#claim(name, request, keyHash)
      const recording = await shared
      if (recording === null) continue
      if (recording.isOpen) {
        refuseOtherBody(recording.record, request)
        return recording.subscribe(request.lastEventId, { replayed: true })
      }
      await recording.keyFree
    }
  }

  /** Ends the running responses whose sender matches, or all. */
  abortAll(error: ApiError, matches: (sender: Sender) => boolean = () => true): void {
    for (const [recording, sender] of this.#running) if (matches(sender)) recording.abort(error)
  }

  /** Resolves once every running response has failed or sent its end, including those that start in the meantime. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.keys()].map(({ ended }) => ended))
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  /** The name is claimed before the store is read, so of two requests at the same moment one finds the other. */
  async #claim(name: string, request: IdempotentRequest, keyHash: Uint8Array): Promise<Subscription> {
    const shared = Promise.withResolvers<Recording | null>()
    this.#recordings.set(name, shared.promise)
    try {
      const stored = await this.#stored.find(request.organisationId, keyHash)
      const found = stored === null ? await this.#start(request, keyHash) : this.#load(stored, request)
      void found.recording.keyFree.then(() => this.#recordings.delete(name))
      shared.resolve(found.recording)
      return found.subscription
    } catch (error) {
      this.#recordings.delete(name)
      shared.resolve(null)
      throw error
    }
  }

  async #start(request: IdempotentRequest, keyHash: Uint8Array) {
    const { organisationId, keyId, bodyHash, completionId, requestId, stream, lastEventId } = request
    // The client has part of a response, which another one would not continue.
    if (lastEventId !== null) throw ApiError.of('stream_not_resumable', {}, { shouldRetry: false })
    const { clock, replayRetentionHours, replayAnswerLimitBytes: limitBytes } = this.#options
    const leases = await this.#leaseBoth(request)
    const createdAt = clock.now()
    const expiresAt = createdAt + replayRetentionHours * hourMs
    const recording = new Recording({
      ...this.#options,
      graceMs: this.#options.resumeGraceMs,
      record: { organisationId, keyHash, bodyHash, completionId, requestId, stream, createdAt, expiresAt },
      buffer: new EventBuffer({ ...leases, limitBytes }),
    })
    const subscription = recording.subscribe(null, { replayed: false })
    this.#running.set(recording, { organisationId, keyId })
    void recording.ended.then(() => this.#running.delete(recording))
    void recording.run(request.execute)
    return { recording, subscription }
  }

  #load({ content, ...record }: ReplayRecord, request: IdempotentRequest) {
    refuseOtherBody(record, request)
    if (content === '') throw ApiError.of('answer_not_kept', {}, { shouldRetry: false })
    const memory = this.#leaseMemory(record.organisationId, sizeOf(content))
    try {
      const buffer = new EventBuffer({ limitBytes: Number.POSITIVE_INFINITY, memory, disk: null })
      const recording = Recording.load(content, { ...this.#options, graceMs: 0, record, buffer })
      return { recording, subscription: recording.subscribe(request.lastEventId, { replayed: true }) }
    } catch (error) {
      memory.close()
      throw error
    }
  }

  /** All that the response may take, so that none is generated and billed for which there is no space in the end. */
  async #leaseBoth({ organisationId, maxBytes }: IdempotentRequest): Promise<{ memory: ByteLease; disk: ByteLease }> {
    const { replayAnswerLimitBytes } = this.#options
    const bytes = Math.min(maxBytes, replayAnswerLimitBytes, this.#memory.maxBytes, this.#stored.maxBytes)
    const memory = this.#leaseMemory(organisationId, bytes)
    const disk = await this.#stored.lease(organisationId, bytes)
    if (disk !== null) return { memory, disk }
    memory.close()
    throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: diskRetryMs })
  }

  #leaseMemory(organisationId: string, bytes: number): ByteLease {
    const lease = this.#memory.lease(organisationId, bytes)
    if (lease === null) throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: memoryRetryMs })
    return lease
  }
}

const nameOf = (organisationId: string, keyHash: Uint8Array): string =>
  `${organisationId} ${Buffer.from(keyHash).toString('hex')}`

type WithBody = Pick<ReplayRecord, 'bodyHash'>

const refuseOtherBody = ({ bodyHash }: WithBody, request: WithBody): void => {
  if (Buffer.compare(bodyHash, request.bodyHash) !== 0)
    throw ApiError.of('idempotency_key_reuse', {}, { shouldRetry: false })
}
