import type { Engine } from '../../engine/contract.ts'
import type { ReceivedRequest } from '../chat-completions/request/read-request.ts'
import { guessTokens } from './estimate-tokens.ts'
import { preparePrompts } from './prepare-prompts.ts'

/** How many tokens the prompt of a request has. With an upstream, which counts only what it answers, it is an estimate. */
export const countPromptTokens = async (
  request: ReceivedRequest,
  engine: Engine,
  scope: string,
  signal: AbortSignal,
): Promise<number> => {
  const [{ promptTokens }] = await preparePrompts(request, engine, scope, signal)
  return promptTokens ?? guessTokens(request.messagesBytes)
}
