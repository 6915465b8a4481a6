/**
 * Reads the bodies of requests: small ones on the main thread, large ones on another, because parsing and validating a few
 * megabytes takes as long as many tokens of other requests. Owners of organisations take turns, and a body that takes too long is
 * abandoned together with its thread.
 */
import { availableParallelism } from 'node:os'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { WorkerPool } from '../base/worker-pool.ts'
import { WorkerPoolFailure } from '../base/worker-pool-failure.ts'
import type { Exchange } from './exchange.ts'
import { type BodyBlocks, freeBytes, joinBlocks, lengthOf } from './read-body.ts'
import type { ReadBody, ReadJob, ReadOutcome } from './serve-bodies.ts'

export interface BodyReader<Needs, Request> {
  /** Takes ownership of the blocks. Throws an `ApiError` if they are not a valid request, or the reason of the signal. */
  read(blocks: BodyBlocks, options: ReadOptions<Needs>): Promise<Request>
  close(): Promise<void>
}

type ReadOptions<Needs> = { ownerId: string; needs: Needs; exchange: ReadingExchange }

/** The request whose body is read. What that costs another thread is added to its `cpuMs`. */
export type ReadingExchange = Pick<Exchange, 'signal' | 'cpuMs'>

type ReaderOptions<Needs, Request> = {
  /** Thread name, as debuggers show it. */
  name: string
  read: ReadBody<Needs, Request>
  /** A file that calls `serveBodies` with the same function. */
  threadFile: URL
  clock: Clock
  bodyLimitBytes: number
  /** Bodies up to this length are read on the calling thread. */
  inlineBytes?: number | undefined
}

/** A hundred kilobytes take about a millisecond; a thread costs a small body more than it saves. */
const defaultInlineBytes = 65_536
/** The largest body takes a fraction of it, even on a busy machine. */
const timeoutMs = 15_000
const retryAfterMs = 1000

export const openBodyReader = <Needs, Request>({
  name,
  read,
  threadFile,
  clock,
  bodyLimitBytes,
  inlineBytes = defaultInlineBytes,
}: ReaderOptions<Needs, Request>): BodyReader<Needs, Request> => {
  const threads = availableParallelism() > 4 ? 2 : 1
  const pool = new WorkerPool<ReadJob<Needs>, ReadOutcome<Request>>({
    file: threadFile,
    name,
    timeoutMs,
    threads,
    resourceLimits: { maxOldGenerationSizeMb: heapMb(bodyLimitBytes), maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    clock,
  })

  const readApart = async (blocks: BodyBlocks, options: ReadOptions<Needs>): Promise<Request> => {
    const { ownerId, needs, exchange } = options
    const { signal } = exchange
    try {
      const outcome = await pool.run(
        { blocks, needs },
        { tenant: ownerId, signal, transfer: blocks.map(({ buffer }) => buffer) },
      )
      exchange.cpuMs += outcome.cpuMs
      if (outcome.ok) return outcome.request
      throw ApiError.fromPlain(outcome.error)
    } catch (error) {
      throw error instanceof WorkerPoolFailure ? failureError(error) : error
    }
  }
  return {
    async read(blocks, options) {
      try {
        if (lengthOf(blocks) > inlineBytes) return await readApart(blocks, options)
        return read(joinBlocks(blocks), options.needs)
      } finally {
        blocks.forEach(freeBytes)
      }
    },
    close: () => pool.close(),
  }
}

/** Text may take two bytes a character, and exists as bytes, as JSON, as a value and as the result. */
const heapMb = (bodyLimitBytes: number): number => Math.max(256, Math.ceil(bodyLimitBytes / 2 ** 20) * 16)

const failureError = (failure: WorkerPoolFailure): unknown => {
  switch (failure.kind) {
    case 'queue_full':
    case 'tenant_queue_full':
      return ApiError.of('queue_full', {}, { retryAfterMs, cause: failure })
    case 'timeout':
      return ApiError.of('queue_timeout', {}, { retryAfterMs, cause: failure })
    case 'closed':
      return ApiError.of('shutting_down', {}, { retryAfterMs, cause: failure })
    case 'crashed':
    case 'failed':
      return failure
  }
}
