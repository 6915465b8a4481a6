import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'
import type { EventBuffer } from './event-buffer.ts'
import type { Ending, RecordingState } from './recording-state.ts'
import { eventId, resumePosition } from './resume-position.ts'
import type { RecordedEvent, Subscription } from './subscription.ts'

type Reader = { next: number }

/** Where the execution of a request puts its response. */
export type Recorder = Pick<Recording, 'signal' | 'reserve' | 'append' | 'end'>

type RecordingOptions = {
  record: Omit<ReplayRecord, 'content'>
  buffer: EventBuffer
  graceMs: number
  clock: Clock
  log: Log
  /** Why a response ends that had no subscriber during the grace period. */
  abandoned(): unknown
  /** For how long it still counts as being read at another server. Absent if there is none. */
  attendedElsewhereMs?(): Promise<number>
}

/**
 * How long subscribers wait for an end that cannot be written to disk. Writing is retried for as long as it takes, but a
 * client that has all of a response must not wait until somebody frees disk space.
 */
export const endWaitMs = 5_000
const spaceRetryMs = 1_000

/**
 * One response for any number of subscribers, each at its own pace. A slow one delays nobody, unless the response is longer
 * than there is space for: then it waits for the slowest of them.
 */
export class Recording {
  readonly record: RecordingOptions['record']
  readonly #options: RecordingOptions
  readonly #buffer: EventBuffer
  readonly #readers = new Set<Reader>()
  readonly #controller = new AbortController()
  readonly #ended = Promise.withResolvers<void>()
  readonly #keyFree = Promise.withResolvers<void>()
  /** Aborted when nobody wants the response any more, or when it has to end. */
  readonly signal = this.#controller.signal
  /** Resolves once the response has failed, or subscribers get its end. It may not be stored yet. */
  readonly ended = this.#ended.promise
  /** Resolves once the next request with the same key looks for a response again. */
  readonly keyFree = this.#keyFree.promise
  #state: RecordingState = { type: 'running' }
  /** Subscribers see the events before this one. */
  #published = 0
  #end: Ending | null = null
  #change: PromiseWithResolvers<void> | null = null

  constructor(options: RecordingOptions) {
    this.record = options.record
    this.#options = options
    this.#buffer = options.buffer
  }

  static load(content: string, options: RecordingOptions): Recording {
    const recording = new Recording(options)
    // JSON has no line breaks in it.
    for (const data of content.split('\n')) recording.#buffer.add(data)
    recording.#published = recording.#buffer.count
    recording.#end = { type: 'stored' }
    recording.#state = { type: 'stored' }
    return recording
  }

  /** Whether it takes further subscribers. If not, wait until its key is free. */
  get isOpen(): boolean {
    const { type } = this.#state
    return type !== 'aborting' && type !== 'failed' && type !== 'released'
  }

  async run(execute: (recorder: Recorder) => Promise<void>): Promise<void> {
    try {
      await execute(this)
    } catch (error) {
      // Otherwise the connections that receive the error log it.
      if (this.#readers.size === 0 && error !== this.signal.reason)
        this.#options.log.error('unattended_answer_failed', {
          requestId: this.record.requestId,
          cause: errorText(error),
        })
      this.#enter({ type: 'failed', error })
    }
  }

  /** Before the first event: reserves more than at the start. Throws if there is no space for so many bytes. */
  reserve(bytes: number): void {
    if (!this.#buffer.reserve(bytes)) throw noSpace()
  }

  /** A response that was reserved too little, and whose rest does not fit, fails: it could be billed, but not be replayed. */
  #requireSpace(): void {
    if (this.#buffer.lacksSpace()) throw noSpace()
  }

  /** Returns a promise only if there is no space for more: wait for it. It rejects when the signal is aborted. */
  append(data: string, signal: AbortSignal): Promise<void> | undefined {
    this.#buffer.add(data)
    this.#requireSpace()
    this.#published = this.#buffer.count
    this.#notify()
    return this.#buffer.fit(this.#slowest()) ? undefined : this.#untilFits(signal)
  }

  /** Stores the response together with the settlement of its request. Subscribers get the last events once that is durable. */
  async end(lastEvents: readonly string[], settle: (replay: ReplayRecord) => Promise<void>): Promise<void> {
    this.signal.throwIfAborted()
    for (const data of lastEvents) this.#buffer.add(data)
    this.#requireSpace()
    // Without its text, a response that is too long is still remembered: its key must not be billed twice.
    const content = this.#buffer.complete()
    const cancel = this.#options.clock.after(endWaitMs, () => this.#enter({ type: 'overdue' }))
    this.#enter({ type: 'settling', cancel })
    await settle({ ...this.record, content })
    this.#enter({ type: 'stored' })
  }

  /** Once all events are there, it ends by itself. */
  abort(reason: unknown): void {
    if (this.#state.type === 'running' || this.#state.type === 'unattended') this.#enter({ type: 'aborting', reason })
  }

  /** Throws `stream_not_resumable` or `answer_not_kept`. */
  subscribe(lastEventId: string | null, { replayed }: { replayed: boolean }): Subscription {
    const { completionId } = this.record
    const count = this.#published
    const reader = { next: resumePosition(lastEventId, { completionId, first: this.#buffer.first, count }) }
    this.#readers.add(reader)
    if (this.#state.type === 'unattended') this.#enter({ type: 'running' })
    return {
      replayed,
      begun: count > 0,
      events: (signal) => this.#read(reader, signal),
      close: () => this.#unsubscribe(reader),
    }
  }

  /** How many events subscribers may see. */
  get count(): number {
    return this.#published
  }

  /** How it ended, once subscribers may know; null before. */
  get ending(): Ending | null {
    return this.#end ?? (this.#buffer.isStorable ? null : { type: 'not_kept' })
  }

  /** Undefined if it was dropped, or subscribers may not see it yet. */
  eventAt(index: number): string | undefined {
    return index < this.#published ? this.#buffer.at(index) : undefined
  }

  async *#read(reader: Reader, signal: AbortSignal): AsyncGenerator<RecordedEvent, void> {
    for (;;) {
      signal.throwIfAborted()
      const data = this.eventAt(reader.next)
      if (data !== undefined) {
        yield { id: eventId(this.record.completionId, reader.next), data }
        reader.next += 1
        if (!this.#buffer.isStorable) this.#notify()
      } else if (this.#state.type === 'failed') throw this.#state.error
      else if (this.#state.type === 'stored' || this.#state.type === 'overdue') return
      else await this.#changed(signal)
    }
  }

  #unsubscribe(reader: Reader): void {
    if (!this.#readers.delete(reader)) return
    this.#notify()
    if (this.#readers.size === 0) this.#onUnread()
  }

  #onUnread(): void {
    const { graceMs, attendedElsewhereMs } = this.#options
    const { type } = this.#state
    if (type === 'stored' || type === 'failed') this.#enter({ type: 'released' })
    else if (type === 'running' && graceMs === 0 && attendedElsewhereMs === undefined) this.#abandon()
    else if (type === 'running') this.#waitUnattended(graceMs)
  }

  #waitUnattended(waitMs: number): void {
    const { clock, attendedElsewhereMs } = this.#options
    const onEnd = (): void => {
      if (attendedElsewhereMs === undefined) this.#abandon()
      else void this.#abandonUnlessAttended(attendedElsewhereMs)
    }
    this.#enter({ type: 'unattended', cancel: clock.after(waitMs, onEnd) })
  }

  async #abandonUnlessAttended(attendedElsewhereMs: () => Promise<number>): Promise<void> {
    const state = this.#state
    const attendedMs = await attendedElsewhereMs().catch(() => 0)
    // Somebody may have subscribed in the meantime.
    if (this.#state !== state) return
    if (attendedMs === 0) this.#abandon()
    else this.#waitUnattended(attendedMs)
  }

  #abandon(): void {
    this.abort(this.#options.abandoned())
  }

  /** The only place where the state changes, with everything that follows from it. */
  #enter(state: RecordingState): void {
    if ('cancel' in this.#state) this.#state.cancel()
    this.#state = state
    switch (state.type) {
      case 'aborting':
        this.#controller.abort(state.reason)
        break
      case 'overdue':
        this.#showEnd({ type: 'complete' })
        break
      case 'stored':
        this.#showEnd({ type: 'stored' })
        this.#buffer.shrink({ isStored: true })
        break
      case 'failed':
        this.#end = state
        this.#buffer.shrink({ isStored: false })
        this.#ended.resolve()
        this.#keyFree.resolve()
        break
      case 'released':
        this.#buffer.release()
        this.#keyFree.resolve()
    }
    this.#notify()
    if (this.#readers.size === 0) this.#onUnread()
  }

  #showEnd(end: Ending): void {
    this.#end = end
    this.#published = this.#buffer.count
    this.#ended.resolve()
  }

  async #untilFits(signal: AbortSignal): Promise<void> {
    do await this.#changed(signal)
    while (!this.#buffer.fit(this.#slowest()))
  }

  /** Without readers nothing is dropped: the next one begins at the beginning. */
  #slowest(): number {
    return this.#readers.size === 0 ? 0 : Math.min(...[...this.#readers].map(({ next }) => next))
  }

  /** Resolves when there may be more events, or the end. */
  changed(): Promise<void> {
    this.#change ??= Promise.withResolvers()
    return this.#change.promise
  }

  /** Resolves when something may have changed, or the signal was aborted. Throws if it already is. */
  async #changed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const notify = (): void => this.#notify()
    signal.addEventListener('abort', notify)
    await this.changed()
    signal.removeEventListener('abort', notify)
  }

  #notify(): void {
    this.#change?.resolve()
    this.#change = null
  }
}

const noSpace = (): ApiError => ApiError.of('replay_buffer_full', {}, { retryAfterMs: spaceRetryMs })
