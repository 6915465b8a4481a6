import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { booleanText, integerText, readQuery } from '../../../http/read-query.ts'
import { sendJson, sendJsonText } from '../../../http/respond.ts'
import type { KeyCaller } from '../../../http/route.ts'
import { object, optional } from '../../../http/schema/containers.ts'
import { shorten } from '../../../http/schema/scalars.ts'
import { schema } from '../../../http/schema/schema.ts'
import type { ResponseRecords, StoredResponse } from '../../../store/response-contract.ts'
import { defaultLimit, pageFields, unknownCursor } from '../../stored-completions/page-query.ts'
import { listJson } from '../../stored-completions/shapes.ts'
import type { ConversationItem } from '../items.ts'
import { eventText } from '../response-formatter.ts'
import type { ResponseJson } from '../response-json.ts'
import { storedSince } from '../stored-since.ts'
import { replayEvents } from '../stream-record.ts'

/** Stored responses: retrieving, deleting and listing their input. Every call is about the caller's organisation only. */
export type StoredResponsesDependencies = {
  responses: ResponseRecords
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
}

type Handle = (exchange: Exchange, caller: KeyCaller) => Promise<void>

/** All of it is included in any case. */
const include = optional(schema({ type: 'array', items: { type: 'string' } }, () => undefined))

export const retrieveQuery = object({
  include,
  include_obfuscation: optional(booleanText),
  starting_after: optional(integerText({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  stream: optional(booleanText),
})

/** `GET /v1/responses/{response}` */
export const createGetResponse =
  (dependencies: StoredResponsesDependencies): Handle =>
  async (exchange, caller) => {
    const query = readQuery(exchange.request, retrieveQuery)
    const found = await findResponse(dependencies, exchange, caller)
    if (!query.stream) return sendJsonText(exchange, 200, found.response)
    await sendEvents(exchange, found, {
      ...dependencies,
      after: query.starting_after ?? -1,
      obfuscate: query.include_obfuscation ?? false,
    })
  }

type SendOptions = StoredResponsesDependencies & { after: number; obfuscate: boolean }

const sendEvents = async (
  exchange: Exchange,
  { response, deltas }: StoredResponse,
  { clock, heartbeatMs, stallTimeoutMs, after, obfuscate }: SendOptions,
): Promise<void> => {
  const { signal } = exchange
  const stream = openEventStream(exchange, { clock, heartbeatMs, stallTimeoutMs, signal })
  stream.open()
  for (const event of replayEvents(asResponse(JSON.parse(response)), deltas)) {
    if (event.sequence_number <= after) continue
    const slowReader = stream.send(eventText(event, obfuscate))
    if (slowReader !== undefined) await slowReader
  }
  stream.done()
}

/** `DELETE /v1/responses/{response}` */
export const createDeleteResponse =
  ({ responses }: StoredResponsesDependencies): Handle =>
  async (exchange, { organisationId }) => {
    const id = idIn(exchange)
    if (!(await responses.remove(organisationId, id))) throw notFound(id)
    sendJson(exchange, 200, { id, object: 'response', deleted: true })
  }

/** `POST /v1/responses/{response}/cancel`: only responses in the background could be cancelled, and there are none. */
export const createCancelResponse =
  (dependencies: StoredResponsesDependencies): Handle =>
  async (exchange, caller) => {
    await findResponse(dependencies, exchange, caller)
    throw ApiError.of('response_not_cancellable', {})
  }

export const inputItemsQuery = object({ ...pageFields, include })

/** `GET /v1/responses/{response}/input_items` */
export const createListInputItems =
  (dependencies: StoredResponsesDependencies): Handle =>
  async (exchange, caller) => {
    const { after, limit = defaultLimit, order = 'desc' } = readQuery(exchange.request, inputItemsQuery)
    const { input } = await findResponse(dependencies, exchange, caller)
    const all = asItems(JSON.parse(input))
    if (order === 'desc') all.reverse()
    const start = after === undefined ? 0 : all.findIndex((item) => item.id === after) + 1
    if (after !== undefined && start === 0) throw unknownCursor(after)
    const page = all.slice(start, start + limit).map(listedItem)
    sendJson(exchange, 200, listJson(page, start + limit < all.length))
  }

/** Lists give every call a status. */
const listedItem = (item: ConversationItem): ConversationItem =>
  item.type === 'custom_tool_call' ? { ...item, status: item.status ?? 'completed' } : item

const findResponse = async (
  { responses, clock }: Pick<StoredResponsesDependencies, 'responses' | 'clock'>,
  exchange: Exchange,
  { organisationId }: KeyCaller,
): Promise<StoredResponse> => {
  const id = idIn(exchange)
  const found = await responses.find(organisationId, id, storedSince(clock.now()))
  if (found === null) throw notFound(id)
  return found
}

const idIn = ({ params }: Exchange): string => params.response ?? ''

const notFound = (id: string): ApiError => ApiError.of('response_not_found', { id: shorten(id) })

/** True because both columns are written from values of these types only. */
const asResponse = (value: unknown): ResponseJson => value as ResponseJson
const asItems = (value: unknown): ConversationItem[] => value as ConversationItem[]
