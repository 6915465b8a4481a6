import { ApiError } from '../../base/api-error.ts'
import { shorten } from '../../http/schema/scalars.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import { defaultLimit, listJson, unknownCursor } from '../openai/lists.ts'
import { storedCompletionOperations } from './operations.ts'
import { completionJson, messageJson, readMessages } from './shapes.ts'

type StoredCompletionsDependencies = { completions: CompletionRecords; bodyLimitBytes: number }

/**
 * Completions requested with `store: true`: list, read, label, delete. Each handler queries the store for the caller's
 * organisation only, so that it does not even reveal whether another organisation's completion exists.
 */
export const createStoredCompletionRoutes = ({
  completions,
  bodyLimitBytes,
}: StoredCompletionsDependencies): Route[] => {
  const requireCompletion = async (organisationId: string, id: string) => {
    const found = await completions.find(organisationId, id)
    if (found === null) throw notFound(id)
    return found
  }
  const operations = storedCompletionOperations
  return [
    createRoute(operations.listChatCompletions, async ({ caller: { organisationId }, query }) => {
      const { after = null, limit = defaultLimit, order = 'asc', model = null } = query
      const filter = { model, metadata: query.metadata ?? {}, after, limit, order }
      const page = await completions.list(organisationId, filter)
      if (page === 'unknown_cursor') throw unknownCursor(after ?? '')
      return listJson(page.items.map(completionJson), page.hasMore)
    }),
    createRoute(operations.getChatCompletion, async ({ caller: { organisationId }, params }) =>
      completionJson(await requireCompletion(organisationId, params.completion)),
    ),
    createRoute(
      operations.updateChatCompletion,
      async ({ caller: { organisationId }, params: { completion: id }, body }) => {
        const changed = await completions.setMetadata(organisationId, id, body.metadata)
        if (changed === null) throw notFound(id)
        return completionJson(changed)
      },
      { bodyLimitBytes },
    ),
    createRoute(operations.deleteChatCompletion, async ({ caller: { organisationId }, params: { completion: id } }) => {
      if (!(await completions.remove(organisationId, id))) throw notFound(id)
      return { object: 'chat.completion.deleted' as const, id, deleted: true }
    }),
    createRoute(operations.listChatCompletionMessages, async ({ caller: { organisationId }, params, query }) => {
      const { after, limit = defaultLimit, order = 'asc' } = query
      const { id, messages } = await requireCompletion(organisationId, params.completion)
      const all = readMessages(messages).map((message, index) => messageJson(id, index, message))
      if (order === 'desc') all.reverse()
      const start = after === undefined ? 0 : all.findIndex((message) => message.id === after) + 1
      if (after !== undefined && start === 0) throw unknownCursor(after)
      return listJson(all.slice(start, start + limit), start + limit < all.length)
    }),
  ]
}

const notFound = (id: string): ApiError => ApiError.of('completion_not_found', { id: shorten(id) })
