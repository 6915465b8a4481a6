import { requireName } from '../../accounts/require-name.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { shorten } from '../../http/schema/scalars.ts'
import type { Member } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { BodyRecords } from '../../store/body-contract.ts'
import {
  type ConversationRecords,
  conversationDays,
  conversationsOfMember,
  sharesOfMember,
} from '../../store/conversation-contract.ts'
import type { PromptReader } from '../../store/playground-contract.ts'
import { toSearchText } from '../../store/to-search-text.ts'
import { type Conversation, conversationOperations } from '../contract/conversations.ts'
import { requireContent } from './require-content.ts'

type ConversationRoutesDependencies = {
  conversations: ConversationRecords
  bodies: Pick<BodyRecords, 'days'>
  clock: Clock
}

/** The history of the playground, and the links by which members share what is in it. */
export const createConversationRoutes = (dependencies: ConversationRoutesDependencies): Route[] => {
  const { conversations, bodies, clock } = dependencies
  const show = async (caller: Member, id: string) => {
    const found = await conversations.findConversation(toReader(caller), id)
    if (found === null) throw notFound(id)
    return found
  }
  return [
    createRoute(conversationOperations.listConversations, async ({ caller, query: { search = '' } }) => {
      const days = await bodies.days(caller.organisationId)
      return {
        data: await conversations.listConversations(toReader(caller), toSearchText(search)),
        ...{ limit: conversationsOfMember, keptDays: days ?? conversationDays, keepsPinned: days === null },
      }
    }),
    createRoute(conversationOperations.createConversation, async ({ caller, body }): Promise<Conversation> => {
      const id = body.id ?? newId('cnv')
      const [title, savedAt] = [requireName(body.title, 'title'), clock.now()]
      const content = requireContent(body.content)
      const searchText = toSearchText(body.searchText)
      // A page that was closed before it learned that it was saved saves it again when it is opened again.
      const known = await conversations.findSameConversation(toReader(caller), { content, searchText })
      if (known !== null) return (await show(caller, known)).conversation
      const outcome = await conversations.insertConversation(toReader(caller), id, {
        title,
        content,
        searchText,
        savedAt,
      })
      if (outcome === 'exists') throw ApiError.of('conversation_changed', {})
      if (outcome === 'gone') throw ApiError.of('not_signed_in', {})
      if (outcome === 'full') throw historyFull()
      return (await show(caller, id)).conversation
    }),
    createRoute(conversationOperations.showConversation, ({ caller, params }) => show(caller, params.conversation)),
    createRoute(conversationOperations.changeConversation, async ({ caller, params, body }): Promise<Conversation> => {
      const { title, isPinned, saved } = body
      const outcome = await conversations.changeConversation(toReader(caller), params.conversation, {
        ...(title === undefined ? {} : { title: requireName(title, 'title') }),
        ...(isPinned === undefined ? {} : { isPinned }),
        ...(saved === undefined
          ? {}
          : {
              saved: {
                ...{ content: requireContent(saved.content), searchText: toSearchText(saved.searchText) },
                ...{ version: saved.version, savedAt: clock.now() },
              },
            }),
      })
      if (outcome === 'full') throw historyFull()
      if (outcome === 'changed_meanwhile') throw ApiError.of('conversation_changed', {})
      return (await show(caller, params.conversation)).conversation
    }),
    createRoute(conversationOperations.removeConversation, async ({ caller, params: { conversation: id } }) => {
      if (!(await conversations.removeConversation(toReader(caller), id))) throw notFound(id)
    }),
    createRoute(conversationOperations.listShares, async ({ caller, params: { conversation: id } }) => {
      await show(caller, id)
      return { data: await conversations.listShares(toReader(caller), id) }
    }),
    createRoute(conversationOperations.shareConversation, async ({ caller, params, body }) => {
      const share = { id: newId('shr'), createdAt: clock.now() }
      const { conversation: conversationId } = params
      const content = requireContent(body.content)
      const outcome = await conversations.insertShare(toReader(caller), { ...share, conversationId, content })
      if (outcome === 'not_found') throw notFound(conversationId)
      if (outcome === 'too_many') throw ApiError.of('too_many_shares', { limit: sharesOfMember })
      return share
    }),
    createRoute(conversationOperations.showShare, async ({ caller, params: { share: id } }) => {
      const found = await conversations.findShare(caller.organisationId, id)
      if (found === null) throw ApiError.of('share_not_found', { id: shorten(id) })
      const { createdAt, title, createdBy, createdByEmail, content } = found
      const isOwn = createdBy === caller.accountId
      return { share: { id, createdAt }, title, createdBy: createdByEmail, isOwn, content }
    }),
    createRoute(conversationOperations.removeShare, async ({ caller, params: { share: id } }) => {
      if (!(await conversations.removeShare(toReader(caller), id)))
        throw ApiError.of('share_not_found', { id: shorten(id) })
    }),
  ]
}

const toReader = ({ accountId, organisationId }: Member): PromptReader => ({ accountId, organisationId })

const notFound = (id: string): ApiError => ApiError.of('conversation_not_found', { id: shorten(id) })

const historyFull = (): ApiError => ApiError.of('history_full', { limit: conversationsOfMember })
