import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { PostOutcome, SpanPost } from './post-spans.ts'
import { batchSpans, createSpanQueue } from './span-queue.ts'

/** Spans that left this server, and those that did not. */
export type ExportCounts = {
  exported: number
  /** By why they were lost. */
  dropped: { queue_full: number; rejected: number; unreachable: number }
  waiting: number
}

/** Sends spans to a collector, in batches and one request at a time. Nothing waits for it except its end. */
export interface SpanExporter {
  add(spans: readonly string[]): void
  counts(): ExportCounts
  /** Sends what is waiting, for a few seconds at most. */
  close(): Promise<void>
}

type SpanExporterOptions = {
  collector: SpanPost
  /** A request with these spans. */
  wrap(spans: readonly string[]): string
  clock: Clock
  log: Log
  /** Called whenever the counts may be others. */
  onCounts?: (counts: ExportCounts) => void
}

/** How long spans wait for others. No round number: tests look for timers by their length. */
export const exportDelayMs = 4_900
const firstRetryMs = 1_100
const maxRetryMs = 31_000
const maxAttempts = 6
/** At the end, for everything that waits. */
export const flushLimitMs = 2_900

export const createSpanExporter = ({ collector, wrap, clock, log, onCounts }: SpanExporterOptions): SpanExporter => {
  const queue = createSpanQueue()
  const lost = { rejected: 0, unreachable: 0 }
  const stop = new AbortController()
  let exported = 0
  let isFailing = false
  let isClosing = false
  let sending: Promise<void> | null = null
  let cancelDelay: (() => void) | null = null
  let skipRetryWait = (): void => {}

  const counts = (): ExportCounts => ({
    ...{ exported, waiting: queue.size },
    dropped: { queue_full: queue.dropped, ...lost },
  })
  const noteFailure = (reason: string): void => {
    if (!isFailing) log.warn('traces_export_failed', { reason })
    isFailing = true
  }
  const noteSuccess = (): void => {
    if (isFailing) log.info('traces_export_recovered')
    isFailing = false
  }
  /** True if it is to be sent again. */
  const settle = (outcome: PostOutcome, spans: number): boolean => {
    if (outcome.type === 'failed') {
      noteFailure(outcome.reason)
      return true
    }
    if (outcome.type === 'refused') {
      noteFailure(outcome.reason)
      lost.rejected += spans
      return false
    }
    noteSuccess()
    const rejected = Math.min(spans, outcome.rejectedSpans)
    exported += spans - rejected
    lost.rejected += rejected
    if (rejected > 0) log.warn('trace_spans_rejected', { spans: rejected, reason: outcome.message })
    return false
  }
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      skipRetryWait = () => {
        cancel()
        resolve()
      }
    })
  const sendBatch = async (spans: readonly string[]): Promise<void> => {
    const body = wrap(spans)
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await collector.post(body, stop.signal)
      if (!settle(outcome, spans.length)) return
      if (attempt === maxAttempts || isClosing) break
      const ownMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (attempt - 1))
      const askedMs = outcome.type === 'failed' ? (outcome.retryAfterMs ?? 0) : 0
      await wait(Math.max(ownMs, Math.min(askedMs, maxRetryMs)))
    }
    lost.unreachable += spans.length
  }
  const sendAll = async (): Promise<void> => {
    while (queue.size > 0 && !stop.signal.aborted) {
      await sendBatch(queue.takeSome())
      onCounts?.(counts())
      // Few are left: they wait for others.
      if (!isClosing && queue.size < batchSpans) break
    }
    sending = null
    if (queue.size > 0 && !isClosing) schedule()
  }
  const sendNow = (): void => {
    cancelDelay?.()
    cancelDelay = null
    sending ??= sendAll()
  }
  const schedule = (): void => {
    if (sending !== null || isClosing) return
    if (queue.size >= batchSpans) sendNow()
    else
      cancelDelay ??= clock.after(exportDelayMs, () => {
        cancelDelay = null
        sendNow()
      })
  }

  return {
    add(spans) {
      queue.add(spans)
      onCounts?.(counts())
      if (queue.size > 0) schedule()
    },
    counts,
    async close() {
      isClosing = true
      cancelDelay?.()
      const cancelLimit = clock.after(flushLimitMs, () => stop.abort())
      // A batch that is waiting to be sent again gets one more attempt.
      skipRetryWait()
      await sending
      await sendAll()
      cancelLimit()
      lost.unreachable += queue.size
      collector.close()
    },
  }
}
