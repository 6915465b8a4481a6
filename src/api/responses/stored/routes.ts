import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { readQuery } from '../../../http/read-query.ts'
import { sendJsonText } from '../../../http/respond.ts'
import { shorten } from '../../../http/schema/scalars.ts'
import { createHandledRoute, createRoute } from '../../../operations/create-route.ts'
import type { Route } from '../../../operations/route.ts'
import type { ResponseRecords, StoredResponse } from '../../../store/response-contract.ts'
import { defaultLimit, listJson, unknownCursor } from '../../openai/lists.ts'
import type { ConversationItem } from '../items.ts'
import { responseOperations } from '../operations.ts'
import { eventText } from '../response-formatter.ts'
import type { ResponseJson } from '../response-json.ts'
import { responsesStyle } from '../responses-style.ts'
import { storedSince } from '../stored-since.ts'
import { replayEvents } from '../stream-record.ts'

type StoredResponsesDependencies = {
  responses: ResponseRecords
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
}

/** Stored responses: retrieving, deleting and listing their input. Every call is about the caller's organisation only. */
export const createStoredResponseRoutes = (dependencies: StoredResponsesDependencies): Route[] => {
  const { responses, clock } = dependencies
  const requireResponse = async (organisationId: string, id: string): Promise<StoredResponse> => {
    const found = await responses.find(organisationId, id, storedSince(clock.now()))
    if (found === null) throw notFound(id)
    return found
  }
  const { getResponse, deleteResponse, cancelResponse, listInputItems } = responseOperations
  return [
    createHandledRoute(getResponse, {
      style: responsesStyle,
      async handle(exchange, { organisationId }) {
        const query = readQuery(exchange.request, getResponse.query)
        const found = await requireResponse(organisationId, exchange.params.response ?? '')
        if (!query.stream) return sendJsonText(exchange, 200, found.response)
        await sendEvents(exchange, found, {
          ...dependencies,
          after: query.starting_after ?? -1,
          obfuscate: query.include_obfuscation ?? false,
        })
      },
    }),
    createRoute(deleteResponse, async ({ caller: { organisationId }, params: { response: id } }) => {
      if (!(await responses.remove(organisationId, id))) throw notFound(id)
      return { id, object: 'response' as const, deleted: true }
    }),
    // Only responses in the background could be cancelled, and there are none.
    createRoute(cancelResponse, async ({ caller: { organisationId }, params }) => {
      await requireResponse(organisationId, params.response)
      throw ApiError.of('response_not_cancellable', {})
    }),
    createRoute(listInputItems, async ({ caller: { organisationId }, params, query }) => {
      const { after, limit = defaultLimit, order = 'desc' } = query
      const { input } = await requireResponse(organisationId, params.response)
      const all = asItems(parseJsonText(input))
      if (order === 'desc') all.reverse()
      const start = after === undefined ? 0 : all.findIndex((item) => item.id === after) + 1
      if (after !== undefined && start === 0) throw unknownCursor(after)
      return listJson(all.slice(start, start + limit).map(listedItem), start + limit < all.length)
    }),
  ]
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
  for (const event of replayEvents(asResponse(parseJsonText(response)), deltas)) {
    if (event.sequence_number <= after) continue
    const slowReader = stream.send(eventText(event, obfuscate))
    if (slowReader !== undefined) await slowReader
  }
  stream.done()
}

/** Lists give every call a status. */
const listedItem = (item: ConversationItem): ConversationItem =>
  item.type === 'custom_tool_call' ? { ...item, status: item.status ?? 'completed' } : item

const notFound = (id: string): ApiError => ApiError.of('response_not_found', { id: shorten(id) })

/** True because both columns are written from values of these types only. */
const asResponse = (value: unknown): ResponseJson => value as ResponseJson
const asItems = (value: unknown): ConversationItem[] => value as ConversationItem[]
