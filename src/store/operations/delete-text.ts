import type { Query } from './query.ts'
import type { Row } from './row.ts'

/**
 * The columns with what people wrote or were answered, and with names, addresses and secrets. A row of a table without
 * columns here takes rows of the others with it. A test holds every statement of the store against this list.
 */
export const textColumns = {
  stored_completions: ['metadata', 'completion', 'messages'],
  stored_completion_pairs: ['pair'],
  stored_responses: ['response', 'input', 'deltas'],
  request_bodies: ['request', 'answer'],
  replays: ['content'],
  cached_answers: ['content'],
  prompts: ['name'],
  prompt_versions: ['content'],
  playground_drafts: ['content'],
  playground_conversations: ['title', 'search_text', 'content'],
  playground_shares: ['content'],
  memberships: [],
  organisations: ['name'],
  accounts: ['name', 'email', 'email_key'],
  api_keys: ['name', 'models', 'networks'],
  invitations: ['email'],
  sessions: ['address', 'user_agent'],
  credentials: ['secret'],
  totp_factors: ['sealed_secret'],
  passkeys: ['name', 'credential_id'],
  identities: ['issuer', 'subject', 'email'],
  challenges: ['content'],
  audit_events: ['details'],
  audit_parties: ['name', 'address'],
  upstreams: ['definition', 'sealed_key'],
  server_settings: ['value', 'sealed_value'],
  webhook_endpoints: ['url', 'description', 'sealed_secret', 'sealed_previous'],
  webhook_events: ['data'],
  sign_in_places: ['place'],
} as const satisfies Record<string, readonly string[]>

/**
 * Runs a statement that deletes or overwrites text, and has the database erase what it still has of it: deleted means gone.
 * Every such statement goes through here: `yield* deleteText(run('DELETE FROM …', id))`.
 */
export function* deleteText<Result extends number | Row | undefined | Row[]>(statement: Query<Result>): Query<Result> {
  const result = yield* statement
  if (hasChanged(result)) yield { signal: 'texts_deleted' }
  return result
}

/** With `RETURNING`, the rows are those that were changed. */
const hasChanged = (result: number | Row | undefined | Row[]): boolean => {
  if (typeof result === 'number') return result > 0
  return Array.isArray(result) ? result.length > 0 : result !== undefined
}
