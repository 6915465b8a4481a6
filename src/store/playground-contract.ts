/**
 * What people write in the playground: one draft for each account in each organisation, and prompts saved by name. Both
 * belong to the account that wrote them and are deleted with it. Their contents are JSON texts of the site's own, which
 * the server stores and returns, and never logs.
 */

/** Larger ones are refused before they reach the store. */
export const contentLimitBytes = 262_144
export const promptsOfAccount = 200
/** Of older versions only so many are kept. */
export const versionsOfPrompt = 50

export type DraftRecord = {
  content: string
  /** Counts the saves: a tab that knows another number has not seen the last one. */
  version: number
  savedAt: number
}

/** The account that asks, and its current organisation. */
export type PromptReader = { accountId: string; organisationId: string }

export type PromptRecord = {
  id: string
  name: string
  /** Other members of the organisation can open it. */
  isShared: boolean
  createdBy: string
  /** The email of its creator. */
  createdByEmail: string
  createdAt: number
  savedAt: number
  version: number
}

type PromptVersion = { version: number; savedAt: number }

export type PromptContent = { prompt: PromptRecord; content: string; version: number; versions: PromptVersion[] }

export type PromptChanges = { name?: string; isShared?: boolean; content?: string }

export interface PlaygroundRecords {
  findDraft(reader: PromptReader): Promise<DraftRecord | null>
  /** The last writer wins. Resolves to the new version; null if the account is no longer a member. */
  saveDraft(reader: PromptReader, content: string, savedAt: number): Promise<number | null>
  /** One's own and those that others share, last saved first. */
  listPrompts(reader: PromptReader): Promise<PromptRecord[]>
  insertPrompt(
    reader: PromptReader,
    prompt: { id: string; name: string; isShared: boolean; content: string; savedAt: number },
  ): Promise<'inserted' | 'too_many'>
  /** Null: the newest version. */
  findPrompt(reader: PromptReader, id: string, version: number | null): Promise<PromptContent | null>
  /** Another content becomes a new version. Only its creator can change a prompt; false if there is none of theirs. */
  changePrompt(reader: PromptReader, id: string, changes: PromptChanges, savedAt: number): Promise<boolean>
  /** Hides it, or restores it if `at` is null. */
  setPromptRemoved(reader: PromptReader, id: string, at: number | null): Promise<boolean>
  /** Permanently deletes prompts that were hidden before this time. Returns how many. */
  prunePrompts(removedBefore: number, limit: number): Promise<number>
}
