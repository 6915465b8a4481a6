import type { Engine, EngineCaller } from '../../../engine/contract.ts'
import { type GenerationRequest, messagesIn } from '../request/generation-request.ts'
import { checkMedia, refuseMedia } from '../request/media/check-media.ts'
import { preparePrompts } from './prepare-prompts.ts'
import { promptSize } from './prompts.ts'

/** No limit, because nothing is passed on. */
const anySize = { partLimitBytes: Number.POSITIVE_INFINITY, partsLimitBytes: Number.POSITIVE_INFINITY }

/**
 * How many tokens the prompt of a request has. For an upstream, which counts only prompts that it answers, it is an
 * estimate.
 */
export const countPromptTokens = async (
  request: GenerationRequest,
  engine: Engine,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<number> => {
  const messages = messagesIn(request.prompt)
  refuseMedia(messages, engine.model.features ?? new Set())
  checkMedia(messages, engine.model, anySize)
  const [prompt] = await preparePrompts(request, engine, caller, signal)
  return promptSize(request, engine.model, prompt).tokens
}
