/**
 * Responses that are kept for their organisation, with the input that they answer. They expire: storing is the default, and
 * a client that repeats a conversation with every request would fill the disk.
 */
export type StoredResponse = {
  id: string
  organisationId: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** The response whose conversation it continues. */
  previousId: string | null
  /** JSON text of the response. */
  response: string
  /** JSON text of the items of its own request. */
  input: string
  /** JSON text that says how a streamed answer was divided; null if it was not streamed. */
  deltas: string | null
}

/** The official service keeps responses as long. */
export const responseRetentionDays = 30

/** The maximum of a conversation that is read for a request. */
export type ChainLimits = { maxResponses: number; maxCharacters: number }

export type ResponseChain =
  /** Oldest first. */
  | { outcome: 'found'; responses: StoredResponse[] }
  /** This one does not exist (any more), or belongs to another organisation. */
  | { outcome: 'missing'; id: string }
  | { outcome: 'too_long' }

/** Every call names the organisation: responses of others do not exist for it. Those before `since` have expired. */
export interface ResponseRecords {
  /** With the ids of the items of its output. If there are too many, the oldest of the organisation are removed. */
  insert(record: StoredResponse, itemIds: readonly string[]): Promise<void>
  find(organisationId: string, id: string, since: number): Promise<StoredResponse | null>
  /** The response and all that it continues. */
  chain(organisationId: string, id: string, since: number, limits: ChainLimits): Promise<ResponseChain>
  /** The newest response that has each item in its output. Items that no response has are missing. */
  withItems(organisationId: string, itemIds: readonly string[], since: number): Promise<Map<string, string>>
  /** False if there was nothing to remove. */
  remove(organisationId: string, id: string): Promise<boolean>
  /** Permanently removes a few that were created before; returns how many. 0: none is left. */
  removeExpired(before: number): Promise<number>
}
