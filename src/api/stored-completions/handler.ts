import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { readQuery } from '../../http/read-query.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { shorten, string } from '../../http/schema/scalars.ts'
import type { CompletionRecords, StoredCompletion } from '../../store/contract.ts'
import { metadata } from './metadata.ts'
import { defaultLimit, pageFields, unknownCursor } from './page-query.ts'
import { completionJson, listJson, messageJson, type SentMessage } from './shapes.ts'

/**
 * Completions requested with `store: true`: list, read, label, delete. Each handler queries the store for the caller's
 * organisation only, so that it does not even reveal whether another organisation's completion exists.
 */
export type StoredCompletionsDependencies = { completions: CompletionRecords; bodyLimitBytes: number }

type Handle = (exchange: Exchange, caller: KeyCaller) => Promise<void>

export const listQuery = object({ ...pageFields, model: optional(string()), metadata: optional(metadata) })

/** `GET /v1/chat/completions` */
export const createListCompletions =
  ({ completions }: StoredCompletionsDependencies): Handle =>
  async (exchange, { organisationId }) => {
    const query = readQuery(exchange.request, listQuery)
    const { after = null, limit = defaultLimit, order = 'asc', model = null } = query
    const filter = { model, metadata: query.metadata ?? {}, after, limit, order }
    const page = await completions.list(organisationId, filter)
    if (page === 'unknown_cursor') throw unknownCursor(after ?? '')
    sendJson(exchange, 200, listJson(page.items.map(completionJson), page.hasMore))
  }

/** `GET /v1/chat/completions/{completion}` */
export const createGetCompletion =
  (dependencies: StoredCompletionsDependencies): Handle =>
  async (exchange, caller) =>
    sendJson(exchange, 200, completionJson(await findCompletion(dependencies, exchange, caller)))

export const newMetadata = object({ metadata: nullable(metadata) })

/** `POST /v1/chat/completions/{completion}` */
export const createUpdateCompletion =
  ({ completions, bodyLimitBytes }: StoredCompletionsDependencies): Handle =>
  async (exchange, { organisationId }) => {
    const id = idIn(exchange)
    const changes = await readJson(exchange, bodyLimitBytes, newMetadata)
    const changed = await completions.setMetadata(organisationId, id, changes.metadata)
    if (changed === null) throw notFound(id)
    sendJson(exchange, 200, completionJson(changed))
  }

/** `DELETE /v1/chat/completions/{completion}` */
export const createDeleteCompletion =
  ({ completions }: StoredCompletionsDependencies): Handle =>
  async (exchange, { organisationId }) => {
    const id = idIn(exchange)
    if (!(await completions.remove(organisationId, id))) throw notFound(id)
    sendJson(exchange, 200, { object: 'chat.completion.deleted', id, deleted: true })
  }

export const messagesQuery = object(pageFields)

/** `GET /v1/chat/completions/{completion}/messages` */
export const createListMessages =
  (dependencies: StoredCompletionsDependencies): Handle =>
  async (exchange, caller) => {
    const { after, limit = defaultLimit, order = 'asc' } = readQuery(exchange.request, messagesQuery)
    const { id, messages } = await findCompletion(dependencies, exchange, caller)
    const sent: SentMessage[] = JSON.parse(messages)
    const all = sent.map((message, index) => messageJson(id, index, message))
    if (order === 'desc') all.reverse()
    const start = after === undefined ? 0 : all.findIndex((message) => message.id === after) + 1
    if (after !== undefined && start === 0) throw unknownCursor(after)
    sendJson(exchange, 200, listJson(all.slice(start, start + limit), start + limit < all.length))
  }

const findCompletion = async (
  { completions }: StoredCompletionsDependencies,
  exchange: Exchange,
  { organisationId }: KeyCaller,
): Promise<StoredCompletion> => {
  const id = idIn(exchange)
  const found = await completions.find(organisationId, id)
  if (found === null) throw notFound(id)
  return found
}

const idIn = ({ params }: Exchange): string => params.completion ?? ''

const notFound = (id: string): ApiError => ApiError.of('completion_not_found', { id: shorten(id) })
