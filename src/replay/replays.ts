/**
 * Idempotent retries: a request with an Idempotency-Key is executed once, independently of any connection, and its response
 * is sent to every request with the key, from its beginning or after an event. May import `redis`, `store` and `base`.
 * Promises: of any number of requests with one key, at any number of nodes, at most one is executed at a time; a response
 * whose end was sent can be replayed, also after a restart; memory and disk stay bounded.
 */

import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Claim, ClaimName, Claims } from '../store/claim-contract.ts'
import type { KeyRecord } from '../store/contract.ts'
import type { ReplayRecord, ReplayRecords } from '../store/replay-contract.ts'
import { claimText } from './claim-text.ts'
import { createLocalClaims } from './claims/local-claims.ts'
import { createOwnClaims, type OwnClaims } from './claims/own-claims.ts'
import { EventBuffer, eventBytes } from './event-buffer.ts'
import { hashIdempotencyKey } from './idempotency-key.ts'
import { type Recorder, Recording } from './recording.ts'
import { createReplaySpace, type ReplaySpace } from './replay-space.ts'
import { parseEventId } from './resume-position.ts'
import { AnswerLost, createFollowAnswers, type FollowAnswers } from './shared/follow-answers.ts'
import { shareRecording } from './shared/share-recording.ts'
import type { SharedEvents } from './shared/shared-events.ts'
import { untilEvent } from './shared/until-event.ts'
import { openStoredResponses, type StoredResponses } from './stored-responses.ts'
import type { Subscription } from './subscription.ts'

export type IdempotentRequest = Pick<
  ReplayRecord,
  'organisationId' | 'bodyHash' | 'stream' | 'requestId' | 'completionId'
> & {
  /** The API key that sent the request. */
  keyId: string | null
  /** Which of its secrets, as it is shown. */
  secret?: Pick<KeyRecord, 'prefix' | 'lastFour'>
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
  /** It may change at any time. */
  replayRetentionHours(): number
  replayAnswerLimitBytes: number
  replayMemoryLimitBytes: number
  replayDiskLimitBytes: number
  /** Why a response ends that had no subscriber during the grace period. */
  abandoned(): unknown
  /** A response that another request started is sent again: whole, or from where a stream was cut. */
  onReplayed?(kind: 'replay' | 'resume'): void
  /** With several nodes: which of them executes a request, and what they have of its response. */
  shared?: SharedReplays
}

type SharedReplays = { claims: Claims; events: SharedEvents }

type Sender = Pick<IdempotentRequest, 'organisationId' | 'keyId' | 'secret'>

const hourMs = 3_600_000
/** How long a request waits for the first event from another node before it is sent pings. */
const firstEventWaitMs = 10_000

export const openReplays = async (options: ReplaysOptions): Promise<Replays> =>
  new Replays(
    options,
    await openStoredResponses({
      ...{ records: options.records, claims: options.shared?.claims, clock: options.clock, log: options.log },
      limitBytes: options.replayDiskLimitBytes,
    }),
  )

/** The recording of a name, and when the next request with the name looks for one again. */
type Entry = { recording: Promise<Recording | null>; free: Promise<void> }
type Found = { recording: Recording; subscription: Subscription; free: Promise<void> }

export class Replays {
  readonly #options: ReplaysOptions
  readonly #space: ReplaySpace
  readonly #stored: StoredResponses
  readonly #claims: Claims
  readonly #own: OwnClaims
  readonly #answers: FollowAnswers | null
  /** By organisation and key. Null: the request that looked for a recording got none. */
  readonly #recordings = new Map<string, Entry>()
  readonly #running = new Map<Recording, Sender>()
  #isClosed = false

  constructor(options: ReplaysOptions, stored: StoredResponses) {
    const { clock, log, shared } = options
    this.#options = options
    this.#space = createReplaySpace({ ...options, stored })
    this.#stored = stored
    this.#claims = shared?.claims ?? createLocalClaims()
    const answers = shared === undefined ? null : createFollowAnswers({ ...shared, stored, clock })
    const findWhole = async (claim: Claim): Promise<string | null> => answers?.findWhole(claim) ?? null
    this.#answers = answers
    this.#own = createOwnClaims({ claims: this.#claims, findWhole, isShared: shared !== undefined, clock, log })
  }

  /** Whether there is a response under this key, running or stored, so that a request with the key may be a retry. */
  async isKnown(organisationId: string, idempotencyKey: string): Promise<boolean> {
    const name = { organisationId, keyHash: hashIdempotencyKey(idempotencyKey) }
    if (this.#recordings.has(claimText(name)) || (await this.#stored.has(organisationId, name.keyHash))) return true
    return (await this.#claims.find(name))?.isHeld ?? false
  }

  /** Throws an `ApiError` if there is no response to send. */
  async open(request: IdempotentRequest): Promise<Subscription> {
    const subscription = await this.#open(request)
    if (subscription.replayed) this.#options.onReplayed?.(request.lastEventId === null ? 'replay' : 'resume')
    return subscription
  }

  async #open(request: IdempotentRequest): Promise<Subscription> {
    const keyHash = hashIdempotencyKey(request.idempotencyKey)
    const name = claimText({ organisationId: request.organisationId, keyHash })
    for (;;) {
      const entry = this.#recordings.get(name)
      if (entry === undefined) return this.#enter(name, request, keyHash)
      const recording = await entry.recording
      if (recording === null) continue
      if (recording.isOpen) {
        refuseOtherBody(recording.record, request)
        return recording.subscribe(request.lastEventId, { replayed: true })
      }
      await entry.free
    }
  }

  /** Ends the running responses whose sender matches, or all. */
  abortAll(error: ApiError, matches: (sender: Sender) => boolean = () => true): void {
    for (const [recording, sender] of this.#running) if (matches(sender)) recording.abort(error)
  }

  /** Those of the running responses. */
  senders(): Sender[] {
    return [...this.#running.values()]
  }

  /** Resolves once every running response has failed or sent its end, including those that start in the meantime. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.keys()].map(({ ended }) => ended))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#answers?.close()
    this.#own.close()
    await this.#stored.close()
  }

  /** The name is entered before anything is read, so of two requests at the same moment one finds the other. */
  async #enter(entered: string, request: IdempotentRequest, keyHash: Uint8Array): Promise<Subscription> {
    const shared = Promise.withResolvers<Recording | null>()
    const freed = Promise.withResolvers<void>()
    this.#recordings.set(entered, { recording: shared.promise, free: freed.promise })
    const free = (): void => {
      this.#recordings.delete(entered)
      freed.resolve()
    }
    try {
      const name = { organisationId: request.organisationId, keyHash }
      let found: Found | null = null
      while (found === null) found = await this.#find(name, request)
      void found.free.then(free)
      shared.resolve(found.recording)
      return found.subscription
    } catch (error) {
      free()
      shared.resolve(null)
      throw error
    }
  }

  /** Null: another request had the claim and has released it. */
  async #find(name: ClaimName, request: IdempotentRequest): Promise<Found | null> {
    const { requestId, completionId, bodyHash, stream } = request
    const claimed = await this.#own.claim(name, { requestId, completionId, bodyHash, stream })
    if (claimed.type === 'changed') return null
    if (claimed.type === 'held') return this.#follow(name, claimed.claim, request)
    if (claimed.type === 'whole') {
      const { claim, content } = claimed
      return this.#load({ ...name, ...claim, ...this.#lifetime(), content }, request)
    }
    try {
      const stored = await this.#stored.find(name.organisationId, name.keyHash)
      if (stored === null) return await this.#start(name, request)
      const loaded = this.#load(stored, request)
      const released = this.#own.release(name, requestId)
      return { ...loaded, free: Promise.all([loaded.free, released]).then(() => {}) }
    } catch (error) {
      await this.#own.release(name, requestId)
      throw error
    }
  }

  /** The response that another node generates, as far as it is known here. */
  async #follow(name: ClaimName, claim: Claim, request: IdempotentRequest): Promise<Found | null> {
    refuseOtherBody(claim, request)
    const { replayAnswerLimitBytes: limitBytes, clock } = this.#options
    const memory = this.#space.leaseFollowed(request)
    const record = { ...name, ...claim, ...this.#lifetime() }
    const buffer = new EventBuffer({ limitBytes, memory, disk: null })
    const recording = new Recording({ ...this.#options, graceMs: 0, record, buffer })
    const first = recording.subscribe(null, { replayed: true })
    this.#run(recording, { organisationId: name.organisationId, keyId: null }, async (recorder) =>
      this.#answers?.follow(name, claim, recorder),
    )
    try {
      // A client that was at the other node may have seen more than has arrived here.
      const seen = request.lastEventId === null ? null : parseEventId(request.lastEventId)
      await untilEvent(recording, seen?.index ?? 0, { waitMs: firstEventWaitMs, clock })
      if (isLost(recording) && recording.count === 0) return null
      const subscription = recording.subscribe(request.lastEventId, { replayed: true })
      return { recording, subscription, free: recording.keyFree }
    } finally {
      first.close()
    }
  }

  #lifetime(): Pick<ReplayRecord, 'createdAt' | 'expiresAt'> {
    const createdAt = this.#options.clock.now()
    return { createdAt, expiresAt: createdAt + this.#options.replayRetentionHours() * hourMs }
  }

  #run(recording: Recording, sender: Sender, execute: IdempotentRequest['execute']): Promise<void> {
    this.#running.set(recording, sender)
    void recording.ended.then(() => this.#running.delete(recording))
    return recording.run(execute)
  }

  async #start(name: ClaimName, request: IdempotentRequest): Promise<Found> {
    const { organisationId, keyId, secret, bodyHash, completionId, requestId, stream, lastEventId } = request
    // The client has part of a response, which another one would not continue.
    if (lastEventId !== null) throw ApiError.of('stream_not_resumable', {}, { shouldRetry: false })
    const { clock, shared, resumeGraceMs, replayAnswerLimitBytes: limitBytes } = this.#options
    const leases = await this.#space.leaseBoth(request)
    const recording = new Recording({
      ...this.#options,
      graceMs: resumeGraceMs,
      record: { ...name, bodyHash, completionId, requestId, stream, ...this.#lifetime() },
      buffer: new EventBuffer({ ...leases, limitBytes }),
      ...(shared === undefined ? {} : { attendedElsewhereMs: () => shared.events.attendedMs(requestId) }),
    })
    const subscription = recording.subscribe(null, { replayed: false })
    if (shared !== undefined) void shareRecording(recording, { ...shared, clock, isClosed: () => this.#isClosed })
    const sender = { organisationId, keyId, ...(secret && { secret }) }
    const released = this.#run(recording, sender, request.execute).then(() => this.#own.release(name, requestId))
    return { recording, subscription, free: Promise.all([recording.keyFree, released]).then(() => {}) }
  }

  #load({ content, ...record }: ReplayRecord, request: IdempotentRequest): Found {
    refuseOtherBody(record, request)
    if (content === '') throw ApiError.of('answer_not_kept', {}, { shouldRetry: false })
    const memory = this.#space.leaseMemory(record.organisationId, eventBytes(content))
    try {
      const buffer = new EventBuffer({ limitBytes: Number.POSITIVE_INFINITY, memory, disk: null })
      const recording = Recording.load(content, { ...this.#options, graceMs: 0, record, buffer })
      const subscription = recording.subscribe(request.lastEventId, { replayed: true })
      return { recording, subscription, free: recording.keyFree }
    } catch (error) {
      memory.close()
      throw error
    }
  }
}

const isLost = ({ ending }: Recording): boolean => ending?.type === 'failed' && ending.error instanceof AnswerLost

type WithBody = Pick<ReplayRecord, 'bodyHash'>

const refuseOtherBody = ({ bodyHash }: WithBody, request: WithBody): void => {
  if (Buffer.compare(bodyHash, request.bodyHash) !== 0)
    throw ApiError.of('idempotency_key_reuse', {}, { shouldRetry: false })
}
