import type { ChatMessage, Engine, EngineCaller, PreparedPrompt } from '../../../engine/contract.ts'
import { refuseTooLong } from '../accept/refuse-too-long.ts'
import { messagesBytes } from '../request/body-extracts.ts'
import type { ChatPrompt, GenerationRequest, RawPrompt } from '../request/generation-request.ts'
import { buildConversation, buildRawConversation } from './build-conversation.ts'
import type { Prompts } from './prompts.ts'

/** The prompts of a request: one for a conversation, or each of its raw prompts. */
export const preparePrompts = async (
  request: GenerationRequest,
  engine: Pick<Engine, 'prepare' | 'model'>,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Prompts> => {
  const { prompt } = request
  if (prompt.type === 'chat') return [await prepareConversation(request, prompt, engine, caller, signal)]
  const prepare = (raw: RawPrompt): Promise<PreparedPrompt> =>
    engine.prepare(buildRawConversation(request, raw, caller, engine.model), signal)
  const [first = '', ...others] = prompt.prompts
  const prompts: [PreparedPrompt, ...PreparedPrompt[]] = [await prepare(first)]
  for (const other of others) prompts.push(await prepare(other))
  return prompts
}

/** Each attempt renders and counts the conversation. After this many, only the newest message is kept. */
const maxEstimates = 6

/**
 * The prompt of a conversation. If the request allows it, the oldest messages are left out until the prompt and the answer fit
 * the context: where to cut is estimated from the length of the messages, and then counted. A conversation of which even the
 * newest message does not fit is returned with that message, to be refused as others are.
 */
const prepareConversation = async (
  request: GenerationRequest,
  asked: ChatPrompt,
  engine: Pick<Engine, 'prepare' | 'model'>,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<PreparedPrompt> => {
  const prepare = (prompt: ChatPrompt): Promise<PreparedPrompt> =>
    engine.prepare(buildConversation(request, prompt, caller, engine.model), signal)
  refuseTooLong(request, engine.model)
  let prompt = await prepare(asked)
  const { contextTokens } = engine.model
  if (asked.keptFromStart === null || contextTokens === null) return prompt
  const maxTokens = contextTokens - (request.sampling.maxTokens ?? 1)
  // What was written has all messages.
  const { written: _, native: _native, ...unwritten } = asked
  let cuts = listCuts(asked.messages, asked.keptFromStart)
  let bytes = messagesBytes(asked.messages)
  for (let attempt = 1; cuts.length > 0 && !isWithin(prompt, maxTokens); attempt += 1) {
    const max = (bytes * maxTokens) / Math.max(1, prompt.promptTokens ?? 1)
    const fitting = attempt > maxEstimates ? -1 : cuts.findIndex((cut) => cut.bytes <= max)
    const index = fitting === -1 ? cuts.length - 1 : fitting
    const cut = cuts[index]
    if (cut === undefined) break
    prompt = await prepare({ ...unwritten, messages: cut.messages() })
    bytes = cut.bytes
    cuts = cuts.slice(index + 1)
  }
  return prompt
}

const isWithin = ({ promptTokens }: PreparedPrompt, maxTokens: number): boolean =>
  promptTokens === null || promptTokens <= maxTokens

type Cut = { messages(): ChatMessage[]; bytes: number }

/**
 * Every way to leave out the oldest messages after the first few, the longest result first. Results stay with their
 * calls.
 */
const listCuts = (messages: readonly ChatMessage[], kept: number): Cut[] => {
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
