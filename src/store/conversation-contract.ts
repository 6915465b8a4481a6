import type { PromptReader } from './playground-contract.ts'

/**
 * The history of the playground: conversations of a member in an organisation, seen by that member only, and copies of branches
 * that they share with other members by a link. Contents are JSON texts of the site's own, as those of drafts are.
 */

/** Of a member in one organisation. */
export const conversationsOfMember = 300
export const conversationBytesOfMember = 25_165_824
/** Of all conversations of a member in one organisation. */
export const sharesOfMember = 100
/** What of a conversation is searched. */
export const searchTextCharacters = 32_768
/** For organisations that store no bodies; those that do have conversations kept for as long as bodies. */
export const conversationDays = 90

export type ConversationRecord = {
  id: string
  title: string
  isPinned: boolean
  version: number
  createdAt: number
  savedAt: number
  /** How many links to copies of it there are. */
  shares: number
}

export type ConversationContent = { title: string; content: string; searchText: string; savedAt: number }

export type ConversationChanges = {
  title?: string
  isPinned?: boolean
  /** Only if the version is still this one: another tab may have saved in the meantime. */
  saved?: { content: string; searchText: string; version: number; savedAt: number }
}

export type ShareRecord = { id: string; createdAt: number }

export type SharedConversation = ShareRecord & {
  title: string
  createdBy: string
  /** The email of its creator. */
  createdByEmail: string
  content: string
}

export interface ConversationRecords {
  /** Pinned first, then last saved first. An empty search finds all; others have the form of `toSearchText`. */
  listConversations(reader: PromptReader, search: string): Promise<ConversationRecord[]>
  /** The ID of a conversation of exactly this content; null if there is none. */
  findSameConversation(
    reader: PromptReader,
    content: Pick<ConversationContent, 'content' | 'searchText'>,
  ): Promise<string | null>
  /** `exists`: there is a conversation of this id. `gone`: the account is no longer a member. */
  insertConversation(
    reader: PromptReader,
    id: string,
    content: ConversationContent,
  ): Promise<'inserted' | 'exists' | 'full' | 'gone'>
  findConversation(
    reader: PromptReader,
    id: string,
  ): Promise<{ conversation: ConversationRecord; content: string } | null>
  changeConversation(
    reader: PromptReader,
    id: string,
    changes: ConversationChanges,
  ): Promise<'changed' | 'changed_meanwhile' | 'full' | 'not_found'>
  removeConversation(reader: PromptReader, id: string): Promise<boolean>
  listShares(reader: PromptReader, conversationId: string): Promise<ShareRecord[]>
  insertShare(
    reader: PromptReader,
    share: { id: string; conversationId: string; content: string; createdAt: number },
  ): Promise<'inserted' | 'too_many' | 'not_found'>
  /** For every member of the organisation that it was shared in. */
  findShare(organisationId: string, id: string): Promise<SharedConversation | null>
  removeShare(reader: PromptReader, id: string): Promise<boolean>
  /** Permanently deletes conversations whose time is over. Returns how many. */
  pruneConversations(now: number, limit: number): Promise<number>
}
