import { ApiError, type PlainError } from '../base/api-error.ts'
import { cpuMsSince } from '../base/cpu-ms-since.ts'
import { lowerPriority } from '../base/lower-priority.ts'
import { serveJobs } from '../base/serve-jobs.ts'
import { type BodyBlocks, joinBlocks } from './read-body.ts'

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export type ReadBody<Needs, Request> = (bytes: Uint8Array, needs: Needs) => Request

export type ReadJob<Needs> = { blocks: BodyBlocks; needs: Needs }
/** `cpuMs`: what the thread needed for it. */
export type ReadOutcome<Request> = { cpuMs: number } & (
  | { ok: true; request: Request }
  | { ok: false; error: PlainError }
)

/** The thread side of a body reader. */
export const serveBodies = <Needs, Request>(read: ReadBody<Needs, Request>): void => {
  lowerPriority()
  const outcomeOf = ({ blocks, needs }: ReadJob<Needs>): ReadOutcome<Request> => {
    const before = process.threadCpuUsage()
    try {
      const request = read(joinBlocks(blocks), needs)
      return { ok: true, request, cpuMs: cpuMsSince(before) }
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error: error.toPlain(), cpuMs: cpuMsSince(before) }
      throw error
    }
  }
  serveJobs((job: ReadJob<Needs>) => ({ value: outcomeOf(job) }))
}
