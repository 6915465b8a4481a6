import { ApiError, type PlainError } from '../../../base/api-error.ts'
import { serveJobs } from '../../../base/serve-jobs.ts'
import { type BodyBlocks, joinBlocks } from '../../../http/read-body.ts'
import type { NeededExtracts } from './body-extracts.ts'
import { type ReceivedRequest, readRequest } from './read-request.ts'

/** The thread of `request-reader.ts`. */
export type ReadJob = { blocks: BodyBlocks; needs: NeededExtracts }
export type ReadOutcome = { ok: true; request: ReceivedRequest } | { ok: false; error: PlainError }

const outcomeOf = ({ blocks, needs }: ReadJob): ReadOutcome => {
  try {
    return { ok: true, request: readRequest(joinBlocks(blocks), needs) }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error: error.toPlain() }
    throw error
  }
}

serveJobs((job: ReadJob) => ({ value: outcomeOf(job) }))
