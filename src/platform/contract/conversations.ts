import { abilities } from '../../accounts/teams/roles.ts'
import { array, object, optional } from '../../http/schema/containers.ts'
import { boolean, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { searchTextCharacters } from '../../store/conversation-contract.ts'
import { get, member, post } from './operation.ts'
import { content, contentBodyLimitBytes } from './prompts.ts'
import { count, time } from './scalars.ts'

const searchText = described(
  'The messages as plain text, by which the conversation is found.',
  string({ maxLength: searchTextCharacters }),
)
/** A character may take six bytes as an escape. */
const bodyLimitBytes = contentBodyLimitBytes + 6 * searchTextCharacters

const conversation = named(
  'Conversation',
  object({
    id: string({ pattern: '^cnv_' }),
    title: string(),
    isPinned: boolean,
    version: described('Counts the saves of the content.', count),
    createdAt: time,
    savedAt: time,
    shares: described('How many links to copies of it there are.', count),
  }),
)
export type Conversation = Shape<typeof conversation>

const conversationList = object({
  data: described('Pinned ones first, then last saved first.', array(conversation)),
  limit: described('How many a member can have in an organisation.', count),
  keptDays: described('How long a conversation is kept after it was saved last.', count),
  keepsPinned: described('Pinned conversations are kept for longer.', boolean),
})
export type ConversationList = Shape<typeof conversationList>

const openedConversation = object({ conversation, content })
export type OpenedConversation = Shape<typeof openedConversation>

const share = named('Share', object({ id: string({ pattern: '^shr_' }), createdAt: time }))
export type Share = Shape<typeof share>

const sharedConversation = object({
  share,
  title: string(),
  createdBy: described('Email address of the member who shared it.', string()),
  isOwn: described('The caller shared it.', boolean),
  content,
})
export type SharedConversation = Shape<typeof sharedConversation>

const who = member(abilities.usePlayground)
const path = '/playground/conversations'

export const conversationOperations = {
  listConversations: get(path, who, 'Lists the conversations of the caller in the playground.', {
    query: object({ search: optional(string({ maxLength: 200 })) }),
    answer: conversationList,
  }),
  createConversation: post(path, who, 'Saves a conversation in the history of the caller.', {
    body: object({
      id: optional(
        described(
          'Chosen by the page before the first save, so that a save that is repeated makes no second conversation. Default: a new one.',
          string({ pattern: '^cnv_[0-9A-Za-z]{24}$' }),
        ),
      ),
      title: string(),
      content,
      searchText,
    }),
    bodyLimitBytes,
    answer: conversation,
    status: 201,
  }),
  showConversation: get(`${path}/{conversation}`, who, 'Shows a conversation of the caller with its content.', {
    answer: openedConversation,
  }),
  changeConversation: post(
    `${path}/{conversation}`,
    who,
    'Changes a conversation of the caller. A content is saved only over the version that it is based on.',
    {
      body: object({
        title: optional(string()),
        isPinned: optional(boolean),
        saved: optional(object({ content, searchText, version: count })),
      }),
      bodyLimitBytes,
      answer: conversation,
    },
  ),
  removeConversation: post(`${path}/{conversation}/remove`, who, 'Deletes a conversation, with the links to it.', {}),
  listShares: get(`${path}/{conversation}/shares`, who, 'Lists the links to copies of a conversation.', {
    answer: object({ data: described('Newest first.', array(share)) }),
  }),
  shareConversation: post(
    `${path}/{conversation}/shares`,
    who,
    'Makes a copy that members of the organisation can open by its link.',
    { body: object({ content }), bodyLimitBytes: contentBodyLimitBytes, answer: share, status: 201 },
  ),
  showShare: get('/playground/shares/{share}', who, 'Shows what a member of the organisation shared by a link.', {
    answer: sharedConversation,
  }),
  removeShare: post('/playground/shares/{share}/remove', who, 'Revokes a link of the caller and deletes its copy.', {}),
}
