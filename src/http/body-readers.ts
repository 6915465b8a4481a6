/**
 * Reads the bodies of requests: small ones on the main thread, large ones on another, because parsing and validating a few
 * megabytes takes as long as many tokens of other requests. All kinds of bodies share one pool of threads, in which owners of
 * organisations take turns, and a body that takes too long is abandoned together with its thread.
 */
import { availableParallelism } from 'node:os'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { WorkerPool } from '../base/worker-pool.ts'
import { WorkerPoolFailure } from '../base/worker-pool-failure.ts'
import type { Exchange } from './exchange.ts'
import { type BodyBlocks, bodyLength, freeBytes, joinBlocks } from './read-body.ts'
import type { ReadBody, ReadJob, ReadOutcome, ReadTable } from './serve-bodies.ts'

export interface BodyReader<Needs, Request> {
  /** Takes ownership of the blocks. Throws an `ApiError` if they are not a valid request, or the reason of the signal. */
  read(blocks: BodyBlocks, options: ReadOptions<Needs>): Promise<Request>
}

/** The reader that uses this function. */
export type ReaderOf<Read extends ReadBody<never, unknown>> = BodyReader<Parameters<Read>[1], ReturnType<Read>>

type ReadOptions<Needs> = { ownerId: string; needs: Needs; exchange: ReadingExchange }

/** The request whose body is read. What that costs another thread is added to its `cpuMs`. */
export type ReadingExchange = Pick<Exchange, 'signal' | 'cpuMs'>

export type BodyReaders<Table extends ReadTable> = {
  reader<Name extends keyof Table & string>(name: Name): ReaderOf<Table[Name]>
  close(): Promise<void>
}

type ReadersOptions<Table extends ReadTable> = {
  table: Table
  /** A file that calls `serveBodies` with the same table. */
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

export const openBodyReaders = <Table extends ReadTable>({
  table,
  threadFile,
  clock,
  bodyLimitBytes,
  inlineBytes = defaultInlineBytes,
}: ReadersOptions<Table>): BodyReaders<Table> => {
  const pool = new WorkerPool<ReadJob, ReadOutcome>({
    file: threadFile,
    name: 'read-bodies',
    timeoutMs,
    ...poolSize(),
    resourceLimits: { maxOldGenerationSizeMb: heapMb(bodyLimitBytes), maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    clock,
  })
  const readApart = async (name: string, blocks: BodyBlocks, options: ReadOptions<unknown>): Promise<unknown> => {
    const { ownerId, needs, exchange } = options
    const { signal } = exchange
    try {
      const transfer = blocks.map(({ buffer }) => buffer)
      const outcome = await pool.run({ name, blocks, needs }, { tenant: ownerId, signal, transfer })
      exchange.cpuMs += outcome.cpuMs
      if (outcome.ok) return outcome.request
      throw ApiError.fromPlain(outcome.error)
    } catch (error) {
      throw error instanceof WorkerPoolFailure ? failureError(error) : error
    }
  }
  const reader = <Needs, Request>(name: string, read: ReadBody<Needs, Request>): BodyReader<Needs, Request> => ({
    async read(blocks, options) {
      try {
        if (bodyLength(blocks) > inlineBytes) return asRequest<Request>(await readApart(name, blocks, options))
        return read(joinBlocks(blocks), options.needs)
      } finally {
        blocks.forEach(freeBytes)
      }
    },
  })
  return {
    reader: (name) => asReaderOf(reader(name, table[name] ?? notInTable(name))),
    close: () => pool.close(),
  }
}

/** One owner cannot occupy all threads, if there are several. */
const poolSize = () => (availableParallelism() > 4 ? { threads: 3, maxRunningPerTenant: 2 } : { threads: 1 })

const notInTable = (name: string): never => {
  throw new Error(`nothing reads ${name}`)
}

/** Sound because the thread reads with the function of the same name. */
const asRequest = <Request>(request: unknown): Request => request as Request

/** Sound because the function is the one of that name. */
const asReaderOf = <Read extends ReadBody<never, unknown>>(reader: BodyReader<never, unknown>): ReaderOf<Read> =>
  reader as ReaderOf<Read>

/** Text may take two bytes a character, and exists as bytes, as JSON, as a value and as the result. */
const heapMb = (bodyLimitBytes: number): number => Math.max(256, Math.ceil(bodyLimitBytes / 2 ** 20) * 16)

const failureError = (failure: WorkerPoolFailure): unknown => {
  switch (failure.kind) {
    case 'queue_full':
    case 'tenant_queue_full':
      return ApiError.of('queue_full', {}, { retryAfterMs, cause: failure })
    case 'timeout':
    case 'not_started':
      return ApiError.of('queue_timeout', {}, { retryAfterMs, cause: failure })
    case 'closed':
      return ApiError.of('shutting_down', {}, { retryAfterMs, cause: failure })
    case 'crashed':
    case 'failed':
      return failure
  }
}
