import type { ChatMessage, Engine, EngineCaller, PreparedPrompt } from '../../engine/contract.ts'
import { messagesBytes } from '../chat-completions/request/body-extracts.ts'
import { conversationOf, rawConversationOf } from './conversation-of.ts'
import type { Prompts } from './prompts.ts'
import type { ReceivedRequest } from './received-of.ts'
import { refuseTooLong } from './refuse-too-long.ts'

/** The prompts of a request: one, or those that it has without a conversation. */
export const preparePrompts = async (
  request: ReceivedRequest,
  engine: Pick<Engine, 'prepare' | 'model'>,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Prompts> => {
  const count = request.rawPrompts?.length ?? 0
  const raw = (index: number): Promise<PreparedPrompt> =>
    engine.prepare(rawConversationOf(request, index, caller, engine.model), signal)
  const prompts: [PreparedPrompt, ...PreparedPrompt[]] = [
    count === 0 ? await prepareConversation(request, engine, caller, signal) : await raw(0),
  ]
  for (let index = 1; index < count; index += 1) prompts.push(await raw(index))
  return prompts
}

/** Each attempt renders and counts the conversation. After these, only the newest message is left. */
const mostEstimates = 6

/**
 * The prompt of a conversation. If the request allows it, the oldest messages are left out until the prompt and the answer fit
 * the context: where to cut is estimated from the length of the messages, and then counted. A conversation of which even the
 * newest message does not fit is returned with that message, to be refused as others are.
 */
const prepareConversation = async (
  request: ReceivedRequest,
  engine: Pick<Engine, 'prepare' | 'model'>,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<PreparedPrompt> => {
  const prepare = (messages: ChatMessage[]): Promise<PreparedPrompt> =>
    engine.prepare(conversationOf({ ...request, messages }, caller, engine.model), signal)
  refuseTooLong(request, engine.model)
  let prompt = await prepare(request.messages)
  const { contextTokens } = engine.model
  if (request.keptMessages === undefined || contextTokens === null) return prompt
  const mostTokens = contextTokens - (request.sampling.maxTokens ?? 1)
  let cuts = cutsOf(request.messages, request.keptMessages)
  let bytes = messagesBytes(request.messages)
  for (let attempt = 1; cuts.length > 0 && !isWithin(prompt, mostTokens); attempt += 1) {
    const most = (bytes * mostTokens) / Math.max(1, prompt.promptTokens ?? 1)
    const fitting = attempt > mostEstimates ? -1 : cuts.findIndex((cut) => cut.bytes <= most)
    const index = fitting === -1 ? cuts.length - 1 : fitting
    const cut = cuts[index]
    if (cut === undefined) break
    prompt = await prepare(cut.messages())
    bytes = cut.bytes
    cuts = cuts.slice(index + 1)
  }
  return prompt
}

const isWithin = ({ promptTokens }: PreparedPrompt, mostTokens: number): boolean =>
  promptTokens === null || promptTokens <= mostTokens

type Cut = { messages(): ChatMessage[]; bytes: number }

/** Every way to leave out the oldest messages but the first few, the longest first. Results stay with their calls. */
const cutsOf = (messages: readonly ChatMessage[], kept: number): Cut[] => {
  const first = messages.slice(0, kept)
  const cuts: Cut[] = []
  let bytes = messagesBytes(first)
  for (let from = messages.length - 1; from > kept; from -= 1) {
    const message = messages[from]
    if (message === undefined) break
    bytes += messagesBytes([message])
    if (message.role !== 'tool') cuts.push({ messages: () => [...first, ...messages.slice(from)], bytes })
  }
  return cuts.reverse()
}
