import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from '../base/errors.ts'
import type { LogFields } from '../base/log.ts'
import type { BodyBudget } from './body-budget.ts'
import type { RequestOrigin } from './forwarded.ts'

/** One request and its response on their way through the program. */
export type Exchange = {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What `{name}` stood for in the route's path. */
  readonly params: Readonly<Record<string, string>>
  /** On the clock that never goes backwards. */
  readonly startedMs: number
  /** Since then. */
  readonly elapsedMs: () => number
  /** Aborted when the client goes away (`ClientGone`) or the server has to stop (an `ApiError`). */
  readonly signal: AbortSignal
  /** Who asks, and by which address they reached us. */
  readonly origin: RequestOrigin
  /** The client waits for `100 Continue` before it sends the body, and did not get it yet. */
  expectsContinue: boolean
  /** The memory for request bodies, this one's included. */
  readonly bodies: BodyBudget
  /** The body counts no more: the answer begins, or there will be none. */
  releaseBody: () => void
  /** Whether a JSON answer may go out compressed; see `may-compress.ts`. */
  mayCompress: boolean
  /** What the rooms add to the one log event of this request: counts and names, never text of prompts or answers. */
  readonly facts: LogFields
  /** Set once an answer has begun to flow: how it ends when the rest cannot follow. */
  failMidway: ((error: ApiError) => void) | null
  /** Set with it: writes something that the client skips, to find out whether it is still there. */
  ping: (() => void) | null
}

/** The client closed the connection before it had its answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection')
  }
}
