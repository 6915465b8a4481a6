import { ApiError, type PlainError } from '../base/api-error.ts'
import { serveJobs } from '../base/serve-jobs.ts'
import { type BodyBlocks, joinBlocks } from './read-body.ts'

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export type ReadBody<Needs, Request> = (bytes: Uint8Array, needs: Needs) => Request

export type ReadJob<Needs> = { blocks: BodyBlocks; needs: Needs }
export type ReadOutcome<Request> = { ok: true; request: Request } | { ok: false; error: PlainError }

/** The thread side of a body reader. */
export const serveBodies = <Needs, Request>(read: ReadBody<Needs, Request>): void => {
  const outcomeOf = ({ blocks, needs }: ReadJob<Needs>): ReadOutcome<Request> => {
    try {
      return { ok: true, request: read(joinBlocks(blocks), needs) }
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error: error.toPlain() }
      throw error
    }
  }
  serveJobs((job: ReadJob<Needs>) => ({ value: outcomeOf(job) }))
}
