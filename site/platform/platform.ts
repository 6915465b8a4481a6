/**
 * Calls the operations of `/platform` by their ids: `platform.rotateKey({ params: { key }, body: { graceMs } })`. Method, path and
 * the types of what is sent and answered come from the rows of `src/platform/contract/`.
 */
import type { AnswerOf } from '../../src/operations/call.ts'
import { type AnyGiven, buildRequest, type Given } from '../../src/operations/client.ts'
import type { Immutable } from '../../src/operations/shape.ts'
import type { PlatformRows } from '../../src/platform/contract/operations.ts'
import type { PlaygroundCall } from '../../src/platform/contract/playground.ts'
import { operationTable } from './operation-table.ts'
import { offlineError, PlatformError, readPlatformError } from './platform-error.ts'

/** What a page sends with every call. It lives as long as the document, in memory only. */
export type PageCredentials = {
  /** Proves that a change comes from our own page. It changes with every sign-in; null: the next change asks for it. */
  csrfToken: string | null
  /** What the page was drawn for. Another window may have switched since: then the server refuses what this page asks. */
  organisationId: string | null
}

export const createPageCredentials = (): PageCredentials => ({ csrfToken: null, organisationId: null })

export type OperationId = keyof PlatformRows

type CallOptions = {
  signal?: AbortSignal
  /** For what must not be lost with the page. */
  keepalive?: true
}
/** The playground takes bodies of `/v1`, which its rows do not describe, and uploads are bytes. */
type ModelBody<Id> = Id extends 'sendUploadPart'
  ? { body: Blob }
  : Id extends Exclude<PlaygroundCall, 'listModelsInPlayground'>
    ? { body: unknown }
    : unknown
type Sent<Id extends OperationId> = ReadonlyParts<Given<PlatformRows[Id]>> & ModelBody<Id>
type ReadonlyParts<Parts> = { readonly [Part in keyof Parts]: Immutable<Parts[Part]> }
type Answer<Row> = Row extends { answer: unknown }
  ? AnswerOf<Row>
  : Row extends { content: unknown }
    ? Response
    : undefined

/** Refusals are thrown, as a `PlatformError`. Files and streams are returned as they are. */
export type Platform = {
  readonly [Id in OperationId]: (
    ...given: CallOptions extends Sent<Id> & CallOptions ? [given?: CallOptions] : [given: Sent<Id> & CallOptions]
  ) => Promise<Answer<PlatformRows[Id]>>
}

type AnyCall = AnyGiven & CallOptions
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export const createPlatform = (
  credentials: PageCredentials,
  fetchUrl: Fetch = (url, init) => fetch(url, init),
): Platform => {
  const call = async (id: OperationId, given: AnyCall): Promise<Response> => {
    if (operationTable[id].method === 'GET') return sendOnce(id, given)
    if (credentials.csrfToken === null) await showSession()
    try {
      return await sendOnce(id, given)
    } catch (error) {
      // Another tab may have signed in anew since; its token is ours as well.
      if (!(error instanceof PlatformError) || error.code !== 'cross_site') throw error
      await showSession()
      return sendOnce(id, given)
    }
  }
  const sendOnce = async (id: OperationId, given: AnyCall): Promise<Response> => {
    const { url, init } = prepareRequest(id, given, credentials)
    const response = await fetchUrl(url, init).catch((error: unknown) => {
      throw given.signal?.aborted ? error : offlineError()
    })
    if (response.ok) return response
    throw await readPlatformError(response)
  }
  const calls = asPlatform(
    Object.fromEntries(
      Object.entries(operationTable).map(([id, { isBare }]) => [
        id,
        async (given: AnyCall = {}) => {
          const response = await call(asOperationId(id), given)
          return isBare ? response : response.status === 204 ? undefined : response.json()
        },
      ]),
    ),
  )
  /** The session brings the token of the page. */
  const showSession: Platform['showSession'] = async (given) => {
    const session = await calls.showSession(given)
    credentials.csrfToken = session.csrfToken
    return session
  }
  return { ...calls, showSession }
}

/** The address of an operation that the browser itself opens: a download, or a stream of events. */
export const operationUrl = <Id extends OperationId>(id: Id, given: Sent<Id> & AnyGiven): string =>
  buildRequest(operationTable[id], given).path

/** Browsers finish requests that are kept alive even if their page is being closed, up to 64 KiB. */
const maxKeptAliveBytes = 60_000

const prepareRequest = (id: OperationId, given: AnyCall, { csrfToken, organisationId }: PageCredentials) => {
  const { method, path, body } = buildRequest(operationTable[id], given)
  const headers = new Headers(organisationId === null ? {} : { 'x-organisation': organisationId })
  const init: RequestInit = { method, headers, credentials: 'same-origin' }
  if (given.signal !== undefined) init.signal = given.signal
  if (method === 'GET') return { url: path, init }
  headers.set('x-csrf-token', csrfToken ?? '')
  if (body instanceof Blob) return { url: path, init: { ...init, body } }
  headers.set('content-type', 'application/json')
  init.body = JSON.stringify(body ?? {})
  init.keepalive = given.keepalive === true && new Blob([init.body]).size < maxKeptAliveBytes
  return { url: path, init }
}

/** Sound because there is a function for each row, and the tests of the server hold its answers to the types of the rows. */
const asPlatform = (calls: object): Platform => calls as Platform

/** Sound because the names of the table are the ids. */
const asOperationId = (id: string): OperationId => id as OperationId
