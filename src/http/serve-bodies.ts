import { ApiError, type PlainError } from '../base/api-error.ts'
import { cpuMsSince } from '../base/cpu-ms-since.ts'
import { lowerPriority } from '../base/lower-priority.ts'
import { serveJobs } from '../base/serve-jobs.ts'
import { type BodyBlocks, freeBytes, joinBlocks } from './read-body.ts'

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export type ReadBody<Needs, Request> = (bytes: Uint8Array, needs: Needs) => Request

/** All kinds of bodies, each with the function that reads it. */
export type ReadTable = Readonly<Record<string, ReadBody<never, unknown>>>

/** `name`: of the function in the table. */
export type ReadJob = { name: string; blocks: BodyBlocks; needs: unknown }
/** `cpuMs`: what the thread needed for it. */
export type ReadOutcome = { cpuMs: number } & ({ ok: true; request: unknown } | { ok: false; error: PlainError })

/** The thread side of `openBodyReaders`. */
export const serveBodies = (table: ReadTable): void => {
  lowerPriority()
  const runJob = ({ name, blocks, needs }: ReadJob): ReadOutcome => {
    const read = table[name]
    if (read === undefined) throw new Error(`nothing reads ${name}`)
    const before = process.threadCpuUsage()
    try {
      const request = read(joinBlocks(blocks), asNeeds(needs))
      return { ok: true, request, cpuMs: cpuMsSince(before) }
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error: error.toPlain(), cpuMs: cpuMsSince(before) }
      throw error
    }
  }
  serveJobs((job: ReadJob) => {
    const value = runJob(job)
    job.blocks.forEach(freeBytes)
    return value.ok && value.request instanceof Uint8Array ? { value, transfer: ownBuffer(value.request) } : { value }
  })
}

/** Bytes that are written, instead of read, are passed on without a copy, except a few that are part of a buffer of others. */
const ownBuffer = ({ buffer, length }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : []

/** Sound because a reader sends the needs of the function that it names. */
const asNeeds = (needs: unknown): never => needs as never
