import type { UsableModel } from '../../../../../src/platform/contract/models.ts'
import type { RequestEndpoint } from '../../../../../src/platform/contract/request-kinds.ts'
import type { PlaygroundContent } from '../draft-content.ts'
import { emptyState } from '../playground-store.ts'
import { noOtherRows } from '../prompt-variables.ts'
import { stringOrEmpty } from '../saved-values.ts'
import { type OpenedParts, toTurns } from './opened-parts.ts'
import { readChat } from './read-chat.ts'
import { readCompletion } from './read-completion.ts'
import { readMessages } from './read-messages.ts'
import { readResponse } from './read-response.ts'
import { dialectOf, type RequestBody, type RequestDialect, readBody } from './request-dialect.ts'

/** A request as it was stored, and the model that answered it: a body may have another name of it. */
export type StoredRequest = { endpoint: RequestEndpoint; model: string | null; body: string }

/** Requests to other endpoints have no conversation. */
const readers: Partial<Record<RequestDialect, (body: RequestBody) => OpenedParts | null>> = {
  'chat.completions': readChat,
  messages: readMessages,
  responses: readResponse,
  completions: readCompletion,
}

/**
 * A stored request as the playground shows it: its last message is in the composer, ready to be sent again. `leftOut` names what the
 * playground has no field for. Null if the request has no conversation.
 */
export const contentOfRequest = (
  { endpoint, model: answering, body: text }: StoredRequest,
  models: readonly UsableModel[],
): PlaygroundContent | null => {
  const body = readBody(text)
  const parts = body && readers[dialectOf(endpoint, body, models)]?.(body)
  if (!parts) return null
  const model = answering ?? stringOrEmpty(body?.model)
  const turns = toTurns(parts.messages, model)
  const last = turns.at(-1)
  return {
    model,
    system: parts.messages.flatMap((each) => (each.role === 'system' ? [each.text] : [])).join('\n\n'),
    draft: last?.kind === 'sent' ? last.text : '',
    turns: last?.kind === 'sent' ? turns.slice(0, -1) : turns,
    settings: { ...emptyState.settings, ...parts.settings },
    variables: {},
    otherRows: noOtherRows,
    saved: null,
    conversation: null,
    leftOut: [...new Set(parts.leftOut)],
  }
}
