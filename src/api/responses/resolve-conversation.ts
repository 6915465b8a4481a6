import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { requireScope } from '../../keys/key-guard.ts'
import type { KeyRecord } from '../../store/contract.ts'
import type { ResponseRecords } from '../../store/response-contract.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import { messagesBytes } from '../generation/request/body-extracts.ts'
import type { ConversationItem, InputItem, OutputItem } from './items.ts'
import { itemsJson } from './items-json.ts'
import { buildPrompt, furtherBytes } from './request/build-prompt.ts'
import type { ReceivedResponsesRequest } from './request/read-responses-request.ts'
import { storedSince } from './stored-since.ts'

type ResolveDependencies = { responses: Pick<ResponseRecords, 'chain' | 'withItems'>; clock: Clock }

export type ResolveConversation = (
  request: ReceivedResponsesRequest,
  caller: CompletionCaller,
) => Promise<ReceivedResponsesRequest>

/** Far more than any context holds; reading it does not delay other requests noticeably. */
const chainLimits = { maxResponses: 1000, maxCharacters: 4_194_304 }
const maxReferences = 1000

/**
 * Completes a request with the conversation that it continues and the stored items that it refers to. Only responses of the
 * caller's organisation exist for it.
 */
export const createResolveConversation =
  ({ responses, clock }: ResolveDependencies): ResolveConversation =>
  async (request, caller) => {
    const { response } = request
    const store = mayStore(response.store, caller.key)
    if (response.isWhole) return { ...request, store }
    if (caller.key !== null) requireScope(caller.key, 'completions.read')
    const since = storedSince(clock.now())
    const earlier = await earlierItems(responses, caller.organisationId, response.previousResponseId, since)
    const references = response.input.filter((item) => item.type === 'item_reference')
    const input =
      references.length === 0
        ? response.input.filter((item) => item.type !== 'item_reference')
        : await resolveReferences(responses, caller.organisationId, { input: response.input, earlier, since })
    const prompt = buildPrompt(response, [...earlier, ...input])
    return {
      ...request,
      prompt,
      promptBytes: messagesBytes(prompt.messages) + furtherBytes(prompt),
      store,
      response: { ...response, input, inputJson: references.length === 0 ? response.inputJson : itemsJson(input) },
    }
  }

/** By default a response is stored. A key that may not store anything can still be used by a client with defaults. */
const mayStore = (asked: boolean | null, key: KeyRecord | null): boolean =>
  asked ?? key?.scopes.includes('completions.write') ?? false

const earlierItems = async (
  responses: ResolveDependencies['responses'],
  organisationId: string,
  previousId: string | null,
  since: number,
): Promise<ConversationItem[]> => {
  if (previousId === null) return []
  const param = 'previous_response_id'
  const chain = await responses.chain(organisationId, previousId, since, chainLimits)
  if (chain.outcome === 'missing')
    throw ApiError.of('previous_response_not_found', { id: chain.id.slice(0, 64) }, { param })
  if (chain.outcome === 'too_long') throw ApiError.of('conversation_too_long', {}, { param })
  return chain.responses.flatMap(({ input, response }) => [...asItems(parseJsonText(input)), ...readOutput(response)])
}

type Referring = { input: readonly InputItem[]; earlier: readonly ConversationItem[]; since: number }

const resolveReferences = async (
  responses: ResolveDependencies['responses'],
  organisationId: string,
  { input, earlier, since }: Referring,
): Promise<ConversationItem[]> => {
  const known = new Map(earlier.map((item) => [item.id, item]))
  const wanted = input.flatMap((item) => (item.type === 'item_reference' && !known.has(item.id) ? [item.id] : []))
  if (wanted.length > maxReferences)
    throw ApiError.of(
      'array_above_max_length',
      { path: 'input', maximum: maxReferences, length: wanted.length },
      { param: 'input' },
    )
  const found = await responses.withItems(organisationId, wanted, since)
  for (const response of new Set(found.values())) for (const item of readOutput(response)) known.set(item.id, item)
  return input.map((item) => {
    if (item.type !== 'item_reference') return item
    const stored = known.get(item.id)
    if (stored === undefined) throw ApiError.of('item_not_found', { id: item.id }, { param: 'input' })
    return stored
  })
}

const readOutput = (response: string): OutputItem[] => asResponse(parseJsonText(response)).output

/** True because both columns are written from values of these types only. */
const asItems = (value: unknown): ConversationItem[] => value as ConversationItem[]
const asResponse = (value: unknown): { output: OutputItem[] } => value as { output: OutputItem[] }
