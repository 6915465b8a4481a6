import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from '../base/api-error.ts'
import type { ErrorName } from '../base/error-catalogue.ts'
import type { LogFields } from '../base/log.ts'
import type { RequestTrace } from '../traces/request-trace.ts'
import type { ApiStyle } from './api-style.ts'
import type { BodyBudget } from './body-budget.ts'
import type { RequestOrigin } from './forwarded.ts'

/** Who a request belongs to, for sharing memory and for the log. Guards set it. */
type Caller = {
  readonly organisationId: string
  /**
   * Shared resources are divided by owner rather than by organisation, because creating another organisation costs
   * nothing.
   */
  readonly ownerId: string
  readonly keyId?: string
  /** As it was when the request arrived: enough to see that its secret was replaced since. */
  readonly key?: { readonly prefix: string; readonly lastFour: string }
  readonly accountId?: string
}

/** One request and its response, from the socket to the log. */
export type Exchange = {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** That of the route. */
  readonly style: ApiStyle
  /** The value of each `{name}` in the path of the route. */
  readonly params: Readonly<Record<string, string>>
  /** On the monotonic clock. */
  readonly startedMs: number
  /** Milliseconds since then. */
  readonly elapsedMs: () => number
  /** Aborted when the client goes away (`ClientGone`) or the server has to stop (an `ApiError`). */
  readonly signal: AbortSignal
  /** The client's address, and the address by which it reached the server. */
  readonly origin: RequestOrigin
  /** The client waits for `100 Continue` before it sends the body, and has not received it yet. */
  expectsContinue: boolean
  /** The memory for request bodies, this one's included. */
  readonly bodies: BodyBudget
  /** Gives back the memory of the body: the response begins, or there will be none. */
  releaseBody: () => void
  /** CPU time that reading and validating the body took, on all threads; that of a small body does not count. */
  cpuMs: number
  /** Whether a JSON response may be compressed; see `may-compress.ts`. */
  mayCompress: boolean
  /** Set once the request is authenticated. */
  caller: Caller | null
  /** Set while an answer is generated: how far it has come. The log event of the request repeats all of it. */
  progress: LogFields | null
  /** The error that the request ended with. */
  errorName: ErrorName | null
  /** It had to wait for a page of the site that was being built. One log event counts all of these. */
  isHeld?: true
  /** Another thread answers it, and logs it. */
  isPassedOn: boolean
  /** Further fields for the log event of this request. Nothing else reads them. */
  readonly logFields: LogFields
  /** Null if requests like this one are not traced. */
  readonly trace: RequestTrace | null
  /** Set once a streamed response has begun: ends it with an error. */
  failMidway: ((error: ApiError) => void) | null
  /** Set with it: writes something that clients skip, to find out whether this one is still connected. */
  ping: (() => void) | null
}

/** The client closed the connection before it had its response. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection')
  }
}
